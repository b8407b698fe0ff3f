//! The context of a web test: of which classes a container makes objects, which of them answer requests, what it puts into
//! fields, and which controllers a test loads.

use smol_str::SmolStr;

/// The annotations of classes that answer requests.
const CONTROLLERS: &[&str] = &["Controller", "RestController"];

/// The annotations of other classes of which Spring, or another container, makes an object.
const COMPONENTS: &[&str] = &[
    "Service",
    "Component",
    "Repository",
    "ApplicationScoped",
    "RequestScoped",
    "SessionScoped",
    "Dependent",
    "Singleton",
];

/// The annotations of fields into which a container puts an object of their class.
const WIRED: &[&str] = &["Autowired", "Inject"];

/// Further annotations of fields that a container gives a value.
const PUT_IN: &[&str] = &[
    "Resource",
    "EJB",
    "PersistenceContext",
    "ArquillianResource",
];

/// The annotations of test classes that load a part of the context, with the arguments that name its controllers.
const LOADS: &[&str] = &["WebMvcTest", "WebFluxTest"];
const LOADED: &[&str] = &["value", "controllers"];

/// Calls that set up controllers by themselves: `MockMvcBuilders.standaloneSetup`, `RestAssuredMockMvc.standaloneSetup`,
/// `WebTestClient.bindToController`.
const ALONE: &[&str] = &["standaloneSetup", "bindToController"];

/// The call that sets up routes which are written as code: they have no controllers.
const ROUTES: &str = "bindToRouterFunction";

/// True for the annotation of a class that answers requests.
pub fn is_controller(annotation: &str) -> bool {
    CONTROLLERS.contains(&annotation)
}

/// True for the annotation of a class of which a container makes an object.
pub fn is_component(annotation: &str) -> bool {
    is_controller(annotation) || COMPONENTS.contains(&annotation)
}

/// True for the annotation of a field into which a container puts an object of its class.
pub fn is_wired(annotation: &str) -> bool {
    WIRED.contains(&annotation)
}

/// True for the annotation of a field that a container gives a value.
pub(crate) fn is_put_in(annotation: &str) -> bool {
    is_wired(annotation) || PUT_IN.contains(&annotation)
}

/// True for the annotation of a test class that loads a part of the context.
pub fn loads(annotation: &str) -> bool {
    LOADS.contains(&annotation)
}

/// True for the argument of such an annotation that names controllers.
pub fn names_controllers(argument: &str) -> bool {
    LOADED.contains(&argument)
}

/// True for a call that sets up the controllers that it is given, without a context.
pub fn sets_up_alone(call: &SmolStr) -> bool {
    ALONE.contains(&call.as_str())
}

/// True for a call that sets up routes without controllers.
pub fn sets_up_routes(call: &SmolStr) -> bool {
    call == ROUTES
}

//! Where the requests of tests go, and what runs then.
#![allow(clippy::unwrap_used)]

use calls::{Bodies, Technique, Workspace};
use program::{Change, FileInput, Program, SourceSetId, SourceSetInput};

const CONTROLLERS: &str = "
package shop;
@Controller
@RequestMapping(Paths.ROOT + \"/owners\")
class Owners {
    private static final String EDIT = \"/edit\";
    private final Store store;
    Owners(Store store) { this.store = store; }
    @ModelAttribute(\"owner\") Object owner() { return load(); }
    Object load() { return null; }
    @GetMapping String list() { store.find(); return \"list\"; }
    @GetMapping(\"/{id}\") String show(int id) { return \"show\"; }
    @GetMapping(\"/new\") String form() { return \"form\"; }
    @PostMapping({\"/new\", \"/create\"}) String create() { return \"redirect:/owners\"; }
    @RequestMapping(path = \"/{id:\\\\d+}\" + EDIT, method = {RequestMethod.GET, RequestMethod.HEAD})
    String edit() { return \"edit\"; }
    @GetMapping(\"${own.path}\") String unknown() { return \"?\"; }
    @GetMapping(value = \"/find\", params = \"name\") String byName() { return \"a\"; }
    @GetMapping(value = \"/find\", params = \"!name\") String byOther() { return \"b\"; }
    @GetMapping(\"/kind\") String kinds() { return \"k\"; }
    @GetMapping(value = \"/kind\", params = \"of=cat\") String cats() { return \"c\"; }
    @GetMapping(value = \"/kind\", params = \"of=dog\") String dogs() { return \"d\"; }
    @PostMapping(value = \"/put\", consumes = \"application/json\") String json() { return \"a\"; }
    @PostMapping(value = \"/put\", consumes = MediaType.APPLICATION_XML_VALUE) String xml() { return \"b\"; }
}
class Paths { static final String NAME = \"shop\"; static final String ROOT = \"/\" + NAME; }
@RestController class Other {
    @GetMapping(\"/twice\") String one() { return \"\"; }
}
@RestController class Same {
    @GetMapping(\"/twice\") String two() { return \"\"; }
}
interface Api { @GetMapping(\"/api/pets\") String pets(); }
@RestController class ApiImpl implements Api { public String pets() { return \"\"; } }
interface Store { String find(); }
@Service class DbStore implements Store { public String find() { return \"db\"; } }
class FileStore implements Store { public String find() { return \"file\"; } }
";

/// A test class with these members, and what the body of its test is.
fn tests(head: &str, members: &str, body: &str) -> String {
    format!(
        "package shop;\n\
         import org.springframework.test.web.servlet.MockMvc;\n\
         import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.*;\n\
         import org.springframework.boot.test.web.client.TestRestTemplate;\n\
         import io.restassured.RestAssured;\n\
         {head} class OwnersTest {{\n\
         static final String BASE = \"/shop/owners\"; MockMvc mvc; {members}\n\
         @Test void t(String any) throws Exception {{ {body} }} }}"
    )
}

fn workspace(tests: &str) -> Workspace {
    let file = |path: &str, set, text: &str| FileInput {
        path: path.into(),
        source_set: SourceSetId(set),
        text: text.into(),
    };
    Workspace::new(Program::build(
        SourceSetInput::code_and_tests(),
        vec![
            file("Owners.java", 0, CONTROLLERS),
            file("OwnersTest.java", 1, tests),
        ],
    ))
}

/// What answers the requests of the test, in order: a method, or why there is none.
fn answers(workspace: &Workspace) -> Vec<String> {
    let program = workspace.program();
    let test = workspace.suite().tests()[0];
    let body = program.method_body(test).unwrap();
    let class = program.method_owner(test);
    let sent = workspace.chains(body).unwrap().sent.iter();
    sent.filter_map(|s| workspace.answer(class, body, s.call))
        .map(|answer| match answer {
            Ok(handler) => program
                .method_decl(handler.method)
                .unwrap()
                .name
                .to_string(),
            Err(why) => why.to_string(),
        })
        .collect()
}

#[track_caller]
fn check(body: &str, expected: &[&str]) {
    assert_eq!(
        answers(&workspace(&tests("", "", body))),
        expected,
        "{body}"
    );
}

#[test]
fn a_request_goes_to_the_method_whose_annotation_takes_it() {
    check("mvc.perform(get(\"/shop/owners\"));", &["list"]);
    check(
        "mvc.perform(get(\"/shop/owners?page=1\").param(\"a\", any)).andReturn();",
        &["list"],
    );
    check("mvc.perform(get(BASE + \"/new\"));", &["form"]);
    check(
        "String path = \"/shop/owners/{of}\".replace(\"{of}\", \"new\"); mvc.perform(get(path));",
        &["form"],
    );
    check(
        "String path = (BASE + \"/{id}\").replace(\"{id}\", any); mvc.perform(get(path));",
        &["show"],
    );
    check("mvc.perform(get(BASE + \"/{id}\", 1));", &["show"]);
    check("mvc.perform(get(BASE + \"/\" + any));", &["show"]);
    check(
        "mvc.perform(MockMvcRequestBuilders.post(\"/shop/owners/create\"));",
        &["create"],
    );
    check("mvc.perform(get(\"/shop/owners/7/edit\"));", &["edit"]);
    check(
        "mvc.perform(request(HttpMethod.HEAD, \"/shop/owners/{id}/edit\", 7));",
        &["edit"],
    );
    check(
        "String url = \"/shop/owners\"; var r = get(url); mvc.perform(r);",
        &["list"],
    );
    check("mvc.perform(get(URI.create(\"/shop/owners\")));", &["list"]);
    check("mvc.perform(get(\"/api/pets\"));", &["pets"]);
}

#[test]
fn jax_rs_says_by_verb_and_path_what_answers() {
    const RESOURCES: &str = "
package shop;
@ApplicationPath(\"rest\") class App extends Application {}
@Path(\"/carts\") class Carts {
    @GET String all() { return \"\"; }
    @GET @Path(\"{id : [0-9]+}\") String one() { return \"\"; }
    @POST @Consumes(MediaType.APPLICATION_JSON) String put() { return \"\"; }
    @POST @Consumes(MediaType.TEXT_XML) String putXml() { return \"\"; }
    @Path(\"sub\") Carts sub() { return this; }
}
@Path(\"apples\") interface Apples { @DELETE @Path(\"/{kind}\") void eat(); }
class RealApples implements Apples { @Override public void eat() {} }
@Path(\"client\") interface Client { @GET String ask(); }
";
    let of = |body: &str| {
        let tests = format!(
            "package shop; import static io.restassured.RestAssured.*; class OwnersTest {{ @Test void t() {{ {body} }} }}"
        );
        let file = |path: &str, set, text: &str| FileInput {
            path: path.into(),
            source_set: SourceSetId(set),
            text: text.into(),
        };
        let workspace = Workspace::new(Program::build(
            SourceSetInput::code_and_tests(),
            vec![
                file("Carts.java", 0, RESOURCES),
                file("OwnersTest.java", 1, &tests),
            ],
        ));
        answers(&workspace)
    };
    assert_eq!(of("given().get(\"/carts\");"), ["all"]);
    assert_eq!(of("given().get(\"/rest/carts/3\");"), ["one"]);
    assert_eq!(
        of("given().contentType(ContentType.JSON).post(\"/carts\");"),
        ["put"]
    );
    assert_eq!(
        of("given().contentType(\"text/xml\").post(\"/carts\");"),
        ["putXml"]
    );
    assert_eq!(
        of("given().post(\"/carts\");"),
        ["several methods may answer POST /carts"]
    );
    assert_eq!(of("given().delete(\"apples/red\");"), ["eat"]);
    let nobody = |what: &str| format!("no method is known that answers GET {what}");
    assert_eq!(of("given().get(\"/carts/sub\");"), [nobody("/carts/sub")]);
    assert_eq!(of("given().get(\"/client\");"), [nobody("/client")]);
}

#[test]
fn a_path_in_a_field_that_is_given_once_is_read() {
    let get = "mvc.perform(get(path));";
    let of = |members: &str| answers(&workspace(&tests("", members, get)));
    let unread = "its path is put together elsewhere";
    assert_eq!(of("String path = BASE + \"/new\";"), ["form"]);
    assert_eq!(
        of("String path; @BeforeEach void up() { path = String.format(\"/shop/owners/%s\", 3); }"),
        ["show"]
    );
    assert_eq!(
        of("String path = BASE; @BeforeEach void up() { path = BASE + \"/new\"; }"),
        [unread]
    );
    assert_eq!(
        of("String path = BASE; void up() { path += \"/new\"; }"),
        [unread]
    );
    assert_eq!(of("String path;"), [unread]);
    // A number in a constant may be any.
    let number = "static final long ID = 3; static final String path = BASE + \"/\" + ID;";
    assert_eq!(of(number), ["show"]);
}

#[test]
fn parameters_and_media_types_decide_between_methods() {
    check(
        "mvc.perform(get(BASE + \"/find\").param(\"name\", any));",
        &["byName"],
    );
    check("mvc.perform(get(BASE + \"/find?name=x\"));", &["byName"]);
    check("mvc.perform(get(BASE + \"/find\"));", &["byOther"]);
    check(
        "mvc.perform(post(BASE + \"/put\").contentType(MediaType.APPLICATION_JSON));",
        &["json"],
    );
    check(
        "mvc.perform(post(BASE + \"/put\").contentType(\"application/xml\"));",
        &["xml"],
    );
}

#[test]
fn the_value_of_a_parameter_decides_as_well() {
    let find = |tail: &str| format!("var b = get(BASE + \"/kind\"){tail}; mvc.perform(b);");
    check(&find(".param(\"of\", \"cat\")"), &["cats"]);
    check(&find(".queryParam(\"of\", \"dog\")"), &["dogs"]);
    check(&find(""), &["kinds"]);
    check("mvc.perform(get(BASE + \"/kind?of=cat\"));", &["cats"]);
    // More may have been said of it.
    check(
        "var b = get(BASE + \"/kind\"); fill(b); mvc.perform(b);",
        &["several methods may answer GET /shop/owners/kind"],
    );
    check(
        "mvc.perform(get(BASE + \"/kind\").params(all));",
        &["several methods may answer GET /shop/owners/kind"],
    );
}

#[test]
fn other_clients_send_requests_too() {
    check(
        "new TestRestTemplate().getForEntity(\"http://localhost:\" + any + \"/api/pets\", String.class);",
        &["pets"],
    );
    check(
        "rest.exchange(\"/shop/owners/new\", HttpMethod.POST, null, String.class);",
        &["create"],
    );
    check(
        "rest.exchange(RequestEntity.get(\"/api/pets\").build(), String.class);",
        &["pets"],
    );
    let built = |build: &str| format!("client.get().uri(to -> to{build}).exchange();");
    check(&built(".path(\"/api/pets\").build()"), &["pets"]);
    check(
        &built(".path(BASE + \"/kind\").queryParam(\"of\", \"a\" + 1).build()"),
        &["several methods may answer GET /shop/owners/kind?of=…"],
    );
    check(&built(".path(BASE + \"/{id}\").build(1)"), &["show"]);
    for unread in [
        ".pathSegment(\"api\", \"pets\").build()",
        ".path(any).build()",
    ] {
        check(&built(unread), &["its path is put together elsewhere"]);
    }
    check(
        "client.get().uri(\"/shop/owners/{id}\", 1).exchange().expectStatus().isOk();",
        &["show"],
    );
    check(
        "given().param(\"a\", 1).when().get(\"/api/pets\").then().statusCode(200);",
        &["pets"],
    );
    check("RestAssured.get(\"/api/pets\");", &["pets"]);
}

#[test]
fn rest_assured_is_known_by_imports_and_types_where_words_do_not_say() {
    let of = |imports: &str, members: &str, body: &str| {
        let tests = format!(
            "package shop;\n\
             import io.restassured.specification.RequestSpecification;\n{imports}\n\
             class OwnersTest {{ {members} @Test void t() {{ {body} }} }}"
        );
        answers(&workspace(&tests))
    };
    let bare = "get(\"/api/pets\").then().statusCode(200);";
    assert_eq!(
        of("import static io.restassured.RestAssured.get;", "", bare),
        ["pets"]
    );
    assert_eq!(
        of("import static io.restassured.RestAssured.*;", "", bare),
        ["pets"]
    );
    let other = "import static io.restassured.RestAssured.*;\n\
                 import static shop.Calls.get;";
    assert_eq!(of(other, "", bare), [""; 0]);
    assert_eq!(
        of("import static io.restassured.RestAssured.when;", "", bare),
        [""; 0]
    );
    let own = "Answer get(String path) { return null; }";
    assert_eq!(
        of("import static io.restassured.RestAssured.*;", own, bare),
        [""; 0]
    );

    let helper =
        "RequestSpecification as(String user) { return given().auth().basic(user, user); }";
    let by = "as(\"me\").get(\"/api/pets\").then().statusCode(200);";
    assert_eq!(of("", helper, by), ["pets"]);
    let by = "this.as(\"me\").when().get(\"/api/pets\").then().statusCode(200);";
    assert_eq!(of("", helper, by), ["pets"]);
    let field = "RequestSpecification spec;";
    assert_eq!(
        of("", field, "spec.get(\"/api/pets\").then().statusCode(200);"),
        ["pets"]
    );
    let map = "java.util.Map<String, String> all;";
    assert_eq!(
        of("", map, "all.get(\"/api/pets\").then().statusCode(200);"),
        [""; 0]
    );
}

#[test]
fn what_is_not_sure_has_no_answer() {
    check(
        "mvc.perform(get(any));",
        &["its path is put together elsewhere"],
    );
    check(
        "mvc.perform(get(\"/shop\" + any));",
        &["its path is put together elsewhere"],
    );
    check(
        "mvc.perform(get(\"/nowhere\"));",
        &["no method is known that answers GET /nowhere"],
    );
    check(
        "mvc.perform(put(\"/shop/owners\"));",
        &["no method is known that answers PUT /shop/owners"],
    );
    check(
        "mvc.perform(get(\"/twice\"));",
        &["several methods may answer GET /twice"],
    );
    check(
        "mvc.perform(post(BASE + \"/put\"));",
        &["several methods may answer POST /shop/owners/put"],
    );
    // Nobody's requests.
    check(
        "map.get(\"/shop/owners\"); own.perform(any); list.get(1); form.uri(any);",
        &[],
    );
    check("mvc.perform(built(any));", &[]);
}

#[test]
fn only_controllers_count_that_the_test_loads() {
    let twice = "mvc.perform(get(\"/twice\")); mvc.perform(get(\"/shop/owners\"));";
    let of = |head: &str, members: &str| answers(&workspace(&tests(head, members, twice)));
    let nobody = "no method is known that answers GET /shop/owners";
    assert_eq!(of("@WebMvcTest(Same.class)", ""), ["two", nobody]);
    assert_eq!(
        of("@WebMvcTest(controllers = {Other.class, Owners.class})", ""),
        ["one", "list"]
    );
    assert_eq!(
        of(
            "",
            "@BeforeEach void up() { mvc = standaloneSetup(new Same()).build(); }"
        ),
        ["two", nobody]
    );
    // Whose objects they are is not known.
    assert_eq!(
        of(
            "",
            "void up(Object all) { mvc = standaloneSetup(all).build(); }"
        ),
        ["several methods may answer GET /twice", "list"]
    );
}

/// What the test reaches of production code, but for constructors.
fn reached(workspace: &Workspace) -> Vec<String> {
    let test = workspace.suite().tests()[0];
    let reached = workspace.reached_by(&[workspace.own_run(test)], Technique::RapidTypes);
    named(workspace, &reached)
}

/// The names of bodies of production code, but of constructors.
fn named(workspace: &Workspace, bodies: &Bodies) -> Vec<String> {
    let program = workspace.program();
    let mut out: Vec<String> = bodies
        .iter()
        .filter(|b| !program.is_test_type(program.body_owner(*b)))
        .filter_map(|b| program.body_name(b))
        .filter(|n| !n.contains('<'))
        .map(|n| n.strip_prefix("shop.").unwrap_or(&n).to_owned())
        .collect();
    out.sort();
    out
}

#[test]
fn what_answers_runs_with_what_spring_asks_before_and_its_beans() {
    let list = "mvc.perform(get(\"/shop/owners\"));";
    assert_eq!(
        reached(&workspace(&tests("", "", list))),
        [
            "DbStore#find()",
            "Owners#list()",
            "Owners#load()",
            "Owners#owner()"
        ]
    );
    // A mock stands in the place of the store.
    for annotation in ["@MockBean", "@MockitoBean", "@InjectMock", "@Mock"] {
        let mocked = tests("", &format!("{annotation} Store store;"), list);
        assert_eq!(
            reached(&workspace(&mocked)),
            ["Owners#list()", "Owners#load()", "Owners#owner()"],
            "{annotation}"
        );
    }
    // Where nothing but the controller is set up, nobody makes one beside the mock.
    let alone = "Store store = mock(Store.class);\n\
                 @BeforeEach void up() { mvc = standaloneSetup(new Owners(store)).build(); }";
    let set_up = workspace(&tests("", alone, list));
    let test = set_up.suite().tests()[0];
    let called = set_up.called_by(&[set_up.own_run(test)]);
    assert_eq!(
        named(&set_up, &called),
        ["Owners#list()", "Owners#load()", "Owners#owner()"]
    );
    let body = "mvc.perform(get(\"/nowhere\"));";
    assert_eq!(reached(&workspace(&tests("", "", body))), [""; 0]);
}

#[test]
fn code_that_is_no_test_sends_requests_elsewhere() {
    let file = |path: &str, text: &str| FileInput {
        path: path.into(),
        source_set: SourceSetId(0),
        text: text.into(),
    };
    let workspace = Workspace::new(Program::build(
        SourceSetInput::code_and_tests(),
        vec![
            file("Owners.java", CONTROLLERS),
            file(
                "OwnersTest.java",
                &tests("", "", "mvc.perform(get(\"/api/pets\"));"),
            ),
        ],
    ));
    assert_eq!(answers(&workspace), [""; 0]);
}

#[test]
fn after_any_edit_the_answer_is_that_of_a_new_workspace() {
    let test = |path: &str| tests("", "", &format!("mvc.perform(get({path}));"));
    let mut texts = [CONTROLLERS.to_owned(), test("\"/api/pets\"")];
    let mut now = workspace(&texts[1]);
    let edits = [
        (1, test("BASE")),
        (0, CONTROLLERS.replace("NAME = \"shop\"", "NAME = \"show\"")),
        (0, CONTROLLERS.to_owned()),
        (1, test("BASE + \"/new\"")),
        (
            0,
            CONTROLLERS.replace("@GetMapping(\"/new\")", "@GetMapping(\"/now\")"),
        ),
        (1, test("BASE + \"/now\"")),
        (
            1,
            test("BASE + \"/now\"").replace("BASE = \"/shop", "BASE = \"/shot"),
        ),
        (1, test("\"/twice\"")),
        (
            0,
            CONTROLLERS.replace(
                "@GetMapping(\"/twice\") String one",
                "@GetMapping(\"/other\") String one",
            ),
        ),
        (
            0,
            CONTROLLERS.replace("@RestController class Other", "class Other"),
        ),
        (1, test("\"/twice\"").replace("mvc.perform", "mvc.publish")),
        (1, test("\"/twice\"")),
    ];
    let path = ["Owners.java", "OwnersTest.java"];
    let mut seen = Vec::new();
    for (at, text) in edits {
        texts[at] = text;
        now = now.update(vec![Change {
            path: path[at].into(),
            source_set: SourceSetId(at as u32),
            text: Some(texts[at].as_str().into()),
        }]);
        let file = |at: usize| FileInput {
            path: path[at].into(),
            source_set: SourceSetId(at as u32),
            text: texts[at].as_str().into(),
        };
        let scratch = Workspace::new(Program::build(
            SourceSetInput::code_and_tests(),
            vec![file(0), file(1)],
        ));
        assert_eq!(answers(&now), answers(&scratch), "{}", texts[at]);
        assert_eq!(reached(&now), reached(&scratch), "{}", texts[at]);
        seen.push(answers(&now).join(" "));
    }
    seen.dedup();
    assert!(seen.len() > 8, "the edits mean something: {seen:?}");
}

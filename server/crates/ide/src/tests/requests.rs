//! What tests are told of the answers to their requests, and where they are told nothing.

use super::{Fixture, actions_at_cursor, analysis, check, lenses_of_tests};

const OWNERS: &str = "//- /src/main/java/own/Owners.java
package own;
import org.springframework.web.bind.annotation.*;
@Controller
class Owners {
    private static final String FORM = \"owners/form\";
    private Store store;
    @GetMapping(\"/owners/new\")
    String form(Model model) {
        model.addAttribute(\"owner\", new Owner());
        return FORM;
    }
    @PostMapping(\"/owners/new\")
    String create(Owner owner, BindingResult result, RedirectAttributes attributes) {
        if (result.hasErrors()) {
            attributes.addFlashAttribute(\"error\", \"Not created\");
            return FORM;
        }
        store.save(owner);
        attributes.addFlashAttribute(\"message\", \"Created\");
        return \"redirect:/owners/\" + owner.getId();
    }
    @GetMapping(\"/owners/{id}\")
    String show(int id, Model model) {
        model.addAttribute(\"maybe\", store.find(id));
        return \"owners/show\";
    }
    @GetMapping(\"/owners/any\")
    String any(Owner owner) { return owner.view(); }
    @GetMapping(\"/owners/old\")
    String old() { return \"redirect:/owners\"; }
}
class Owner { int getId() { return 1; } String view() { return null; } }
interface Store { void save(Owner owner); Owner find(int id); Mono<ResponseEntity<Dto>> later(); Dto found(); String name(); int age(); }
//- /src/main/java/own/OwnerApi.java
package own;
@RestController
@RequestMapping(\"/api\")
class OwnerApi {
    private Store store;
    @GetMapping(\"/owners/{id}\")
    Dto one(int id) { return new Dto(\"x\", id, 1); }
    @PostMapping(\"/owners\")
    @ResponseStatus(HttpStatus.CREATED)
    Dto add(Dto dto) { store.save(null); return dto; }
    @GetMapping(\"/ok\")
    String ok() { return \"OK\"; }
    @DeleteMapping(\"/owners/{id}\")
    ResponseEntity<Void> delete(int id) { return ResponseEntity.noContent().build(); }
    @PutMapping(\"/owners\")
    ResponseEntity<Dto> put(Dto dto) {
        return ResponseEntity.created(at(dto)).header(\"X-Made\", \"yes\").body(dto);
    }
    @GetMapping(\"/found\")
    Dto found() { return store.found(); }
    @GetMapping(\"/wrapped\")
    Dto wrapped() { String name = store.name(); return new Dto(name, 1, store.age()); }
    @GetMapping(\"/all\")
    List<Dto> all() { List<Dto> all = new ArrayList<>(); for (int i = 0; i < store.age(); i++) { all.add(new Dto(\"x\", i, 1)); } return all; }
    @GetMapping(\"/later\")
    Mono<ResponseEntity<Dto>> later() { return store.later(); }
    @GetMapping(\"/lost\")
    ResponseEntity<String> lost() { return ResponseEntity.status(HttpStatus.CONFLICT).build(); }
}
record Dto(String name, long id, int age) { }
";

/// The test file with these tests.
fn tests(tests: &str) -> String {
    format!(
        "{OWNERS}//- /src/test/java/own/OwnersTest.java
package own;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.*;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import org.junit.jupiter.api.Test;
import org.springframework.test.web.servlet.result.MockMvcResultMatchers;
import org.springframework.test.web.servlet.MockMvc;

@WebMvcTest({{Owners.class, OwnerApi.class}})
class OwnersTest {{
    MockMvc mvc;
    @MockitoBean Store store;
{tests}
}}
"
    )
}

/// A test that expects a view, and one that expects what the next request has.
const SIBLINGS: &str = "
    @Test void seen() throws Exception {
        mvc.perform(get(\"/owners/{id}\", 1)).andExpect(view().name(\"owners/show\"));
    }
    @Test void told() throws Exception {
        mvc.perform(post(\"/owners/new\")).andExpect(flash().attributeExists(\"error\"));
    }
";

#[test]
fn a_request_of_which_nothing_is_expected_is_told_what_it_gives() {
    check(
        &tests(
            "    @Test void form() throws Exception {
        //     ^^^^ next: view().name(\"owners/form\")
        mvc.perform(get(\"/owners/new\"));
    }
    @Test void ok() throws Exception {
        //     ^^ next: content().string(\"OK\")
        mvc.perform(get(\"/api/ok\")).andDo(print());
    }
    @Test void deletes() throws Exception {
        //     ^^^^^^^ next: status().isNoContent()
        mvc.perform(delete(\"/api/owners/1\"));
    }",
        ),
        lenses_of_tests,
    );
}

/// Of what is read from a request the framework says what it is: a path with two names for one thing gives another.
#[test]
fn what_a_request_hands_on_to_a_mock_that_takes_anything_is_told() {
    let tests = |members: &str| {
        tests(members)
            .replace("import org.junit", "import static org.mockito.ArgumentMatchers.*; import static org.mockito.Mockito.*;\nimport org.junit")
    };
    check(
        &tests(
            "    @Test void shows() throws Exception {
        //     ^^^^^ no test here looks at id, which store.find(…) is given
        when(store.find(anyInt())).thenReturn(null);
        mvc.perform(get(\"/owners/3\")).andExpect(status().isOk()).andExpect(view().name(\"owners/show\"));
    }
    @Test void creates() throws Exception {
        //     ^^^^^^^ no test here looks at owner, which store.save(…) is given
        mvc.perform(post(\"/owners/new\")).andExpect(status().isOk()).andExpect(flash().attribute(\"message\", \"Created\"));
        verify(store).save(any());
    }",
        ),
        lenses_of_tests,
    );
    // Who calls the method hands it over himself; what another test looks at is not told.
    check(
        &tests(
            "    @Test void shows() throws Exception {
        //     ^^^^^ no test here looks at id, which store.find(…) is given
        when(store.find(anyInt())).thenReturn(null);
        new Owners().show(3, null);
        verify(store).find(anyInt());
    }
    @Test void saves() throws Exception {
        mvc.perform(post(\"/owners/new\")).andExpect(status().isOk()).andExpect(flash().attribute(\"message\", \"Created\"));
        verify(store).save(any());
    }
    @Test void looks() throws Exception {
        mvc.perform(post(\"/owners/new\")).andExpect(status().isOk()).andExpect(flash().attribute(\"message\", \"Created\"));
        verify(store).save(eq(null));
    }",
        ),
        lenses_of_tests,
    );
}

#[test]
fn a_status_alone_is_told_what_its_siblings_expect() {
    check(
        &tests(&format!(
            "{SIBLINGS}    @Test void form() throws Exception {{
        //     ^^^^ next: view().name(\"owners/form\")
        mvc.perform(get(\"/owners/new\")).andExpect(status().isOk());
    }}
    @Test void creates() throws Exception {{
        //     ^^^^^^^ next: flash().attribute(\"message\", \"Created\")
        ResultActions result = mvc.perform(post(\"/owners/new\").param(\"name\", \"x\"));
        result.andExpect(status().is3xxRedirection());
    }}
    @Test void refuses() throws Exception {{
        //     ^^^^^^^ next: view().name(\"owners/form\")
        mvc.perform(post(\"/owners/new\")).andExpect(status().is(200));
    }}"
        )),
        lenses_of_tests,
    );
}

#[test]
fn json_is_named_where_a_sibling_reads_it() {
    check(
        &tests(
            "    @Test void shows() throws Exception {
        mvc.perform(get(\"/api/owners/1\")).andExpect(jsonPath(\"$.name\").value(\"x\"));
    }
    @Test void adds() throws Exception {
        //     ^^^^ next: jsonPath(\"$.name\").value(\"what should it be?\") · no test here verifies store.save(…)
        mvc.perform(post(\"/api/owners\").content(\"{}\")).andExpect(status().isCreated());
    }",
        ),
        lenses_of_tests,
    );
}

#[test]
fn what_is_not_sure_is_told_nothing() {
    for body in [
        // No sibling expects a view here.
        "mvc.perform(get(\"/owners/new\")).andExpect(status().isOk());",
        // It does, already.
        "mvc.perform(get(\"/owners/new\")).andExpect(view().name(FORM));",
        "mvc.perform(get(\"/owners/new\")).andExpectAll(status().isOk(), forwardedUrl(any));",
    ] {
        let text = format!("@Test void t() throws Exception {{ {body} }}");
        check(&tests(&text), lenses_of_tests);
    }
    for body in [
        // Another way out of the handler: nothing says what comes then.
        "mvc.perform(get(\"/owners/new\")).andExpect(status().isNotFound());",
        "mvc.perform(get(\"/owners/any\")).andExpect(status().isOk());",
        // Nobody, or nobody knows who, answers.
        "mvc.perform(get(\"/nowhere\")).andExpect(status().isOk());",
        "mvc.perform(get(path())).andExpect(status().isOk());",
        "mvc.perform(own(\"/owners/new\")).andExpect(status().isOk());",
        // The answer is looked at elsewhere.
        "check(mvc.perform(get(\"/owners/new\")).andExpect(status().isOk()));",
        "ResultActions r = mvc.perform(get(\"/owners/new\")).andExpect(status().isOk()); check(r);",
        "var r = mvc.perform(get(\"/owners/new\")).andExpect(status().isOk()).andReturn();",
        "mvc.perform(get(\"/owners/new\")).andExpect(status().isOk()).andExpect(own());",
        // What it did is checked otherwise.
        "mvc.perform(get(\"/owners/new\")).andExpect(status().isOk()); verify(store).find(1);",
        "mvc.perform(get(\"/owners/new\")).andExpect(status().isOk()); assertTrue(done());",
        // It is to throw.
        "assertThrows(Exception.class, () -> mvc.perform(get(\"/owners/new\")));",
        // Two requests: which of them is the test about?
        "mvc.perform(get(\"/owners/new\")); mvc.perform(get(\"/owners/old\")).andExpect(status().isOk());",
    ] {
        let text = format!("{SIBLINGS}@Test void t() throws Exception {{ {body} }}");
        check(&tests(&text), lenses_of_tests);
    }
    let off = "@Disabled @Test void t() throws Exception { mvc.perform(get(\"/owners/new\")); }";
    check(&tests(&format!("{SIBLINGS}{off}")), lenses_of_tests);
}

/// What a test could expect, and why of a request nothing is known.
fn listed(body: &str) -> (Vec<String>, Vec<String>) {
    let text = format!("@Test void t() throws Exception {{ {body} }}");
    let fixture = Fixture::parse(&tests(&text));
    let analysis = analysis(&fixture);
    let test = analysis.workspace().suite().tests()[0];
    let requests = analysis.requests(test).unwrap_or_default();
    (
        requests.expectations.iter().map(|e| e.text()).collect(),
        requests.hidden.iter().map(|h| h.why.to_string()).collect(),
    )
}

#[track_caller]
fn list(body: &str, expected: &[&str]) {
    assert_eq!(listed(body).0, expected, "{body}");
}

#[test]
fn a_list_has_what_the_handler_gives_on_the_ways_that_the_test_may_take() {
    list(
        "mvc.perform(get(\"/owners/new\")).andExpect(status().isOk());",
        &[
            "view().name(\"owners/form\")",
            "model().attributeExists(\"owner\")",
        ],
    );
    list(
        "mvc.perform(get(\"/owners/new\")).andExpect(model().attributeExists(\"owner\"));",
        &["view().name(\"owners/form\")"],
    );
    // It may be either way, and what is common to both is nothing.
    list(
        "mvc.perform(post(\"/owners/new\")).andExpect(content().string(x));",
        &[],
    );
    list(
        "mvc.perform(post(\"/owners/new\")).andExpect(redirectedUrl(\"/owners/1\"));",
        &["flash().attribute(\"message\", \"Created\")"],
    );
    list(
        "mvc.perform(get(\"/owners/old\")).andExpect(status().isFound());",
        &["view().name(\"redirect:/owners\")"],
    );
    // What a repository gives may be null.
    list(
        "mvc.perform(get(\"/owners/{id}\", 1)).andExpect(status().isOk());",
        &["view().name(\"owners/show\")"],
    );
    list(
        "mvc.perform(get(\"/api/owners/1\")).andExpect(status().isOk());",
        &[
            "jsonPath(\"$.name\").value(\"what should it be?\")",
            "jsonPath(\"$.age\").value(Integer.MIN_VALUE)",
        ],
    );
    // What answers later is asked for by another request.
    list(
        "mvc.perform(get(\"/api/owners/1\")).andExpect(status().isOk()).andExpect(request().asyncStarted());",
        &[],
    );
    // Who looks at one field has chosen which, and what is documented is looked at.
    list(
        "mvc.perform(get(\"/api/owners/1\")).andExpect(jsonPath(\"$.name\", is(\"x\")));",
        &[],
    );
    list(
        "mvc.perform(get(\"/api/owners/1\")).andDo(document(\"o\", responseFields(fieldWithPath(\"name\")))).andExpect(status().isOk());",
        &[],
    );
    list(
        "mvc.perform(get(\"/api/owners/1\")).andExpect(content().json(x));",
        &[],
    );
    list(
        "mvc.perform(put(\"/api/owners\")).andExpect(content().json(x));",
        &[
            "header().exists(\"Location\")",
            "header().string(\"X-Made\", \"yes\")",
        ],
    );
    list(
        "mvc.perform(put(\"/api/owners\")).andExpect(content().json(x)).andExpect(header().string(\"location\", y));",
        &["header().string(\"X-Made\", \"yes\")"],
    );
    // That it is there the status says; and who is given the answer may read it.
    list(
        "mvc.perform(put(\"/api/owners\")).andExpect(status().isCreated()).andExpect(content().json(x));",
        &["header().string(\"X-Made\", \"yes\")"],
    );
    list(
        "MvcResult r = mvc.perform(get(\"/api/owners/1\")).andExpect(status().isOk()).andReturn(); Map json = parsed(r);",
        &[],
    );
    list(
        "Map json = parsed(mvc.perform(get(\"/api/owners/1\")).andExpect(status().isOk()).andReturn());",
        &[],
    );
    // It may have to throw.
    list(
        "assertThrows(Exception.class, () -> mvc.perform(get(\"/owners/new\")));",
        &[],
    );
    list(
        "String b = mvc.perform(get(\"/api/owners/1\")).andReturn().getResponse().getContentAsString();",
        &[],
    );
}

/// What a test with a client whose calls are chained could expect.
fn chained(client: &str, body: &str) -> Vec<String> {
    expectations(&chained_tests(
        client,
        &format!("@Test void t() {{ {body} }}"),
    ))
}

fn expectations(text: &str) -> Vec<String> {
    let fixture = Fixture::parse(text);
    let analysis = analysis(&fixture);
    let test = analysis.workspace().suite().tests()[0];
    let requests = analysis.requests(test).unwrap_or_default();
    requests.expectations.iter().map(|e| e.text()).collect()
}

/// The test file with these tests by a client, which is imported so.
fn chained_tests(import: &str, tests: &str) -> String {
    format!(
        "{OWNERS}//- /src/test/java/own/OwnersTest.java
package own;

{import}

import org.junit.jupiter.api.Test;

@WebMvcTest({{Owners.class, OwnerApi.class}})
class OwnersTest {{
    WebTestClient client;
{tests}
}}
"
    )
}

const REACTIVE: &str = "import org.springframework.test.web.reactive.server.WebTestClient;";
const REST_ASSURED: &str = "import static io.restassured.RestAssured.given;";

#[test]
fn what_web_test_client_could_expect_it_says_in_its_words() {
    let table: &[(&str, &[&str])] = &[
        (
            "client.get().uri(\"/api/ok\").exchange();",
            &[
                "expectBody(String.class).isEqualTo(\"OK\")",
                "expectStatus().isOk()",
            ],
        ),
        (
            "client.get().uri(\"/api/owners/1\").accept(JSON).exchange().expectStatus().isOk();",
            &[
                "expectBody().jsonPath(\"$.name\").isEqualTo(\"what should it be?\")",
                "expectBody().jsonPath(\"$.age\").isEqualTo(Integer.MIN_VALUE)",
            ],
        ),
        (
            "client.get().uri(\"/api/owners/1\").exchange().expectBody().jsonPath(\"$.name\").isEqualTo(\"x\");",
            &[],
        ),
        // A body with a type is compared whole, and nothing may follow it.
        (
            "client.get().uri(\"/api/owners/1\").exchange().expectBody(Dto.class).isEqualTo(x);",
            &[],
        ),
        (
            "client.put().uri(\"/api/owners\").exchange().expectBody().json(x);",
            &[],
        ),
        (
            "client.get().uri(\"/api/ok\").exchange().expectStatus().isOk().expectBody(String.class).value(v -> see(v));",
            &[],
        ),
        (
            "client.put().uri(\"/api/owners\").exchange().expectStatus().isCreated().expectHeader().exists(\"location\");",
            &[
                "expectBody().jsonPath(\"$.name\").isEqualTo(\"what should it be?\")",
                "expectBody().jsonPath(\"$.age\").isEqualTo(Integer.MIN_VALUE)",
                "expectHeader().valueEquals(\"X-Made\", \"yes\")",
            ],
        ),
        (
            "client.put().uri(\"/api/owners\").exchange().expectHeader().location(\"x\").expectBody(Dto.class).isEqualTo(x);",
            &[],
        ),
        (
            "client.get().uri(\"/api/lost\").exchange();",
            &["expectStatus().isEqualTo(409)"],
        ),
        // What comes later is not told by a text.
        ("client.get().uri(\"/api/later\").exchange();", &[]),
        // Nothing is sent.
        ("client.get().uri(\"/api/ok\");", &[]),
        (
            "var all = client.get().uri(\"/api/ok\").exchange().returnResult(String.class);",
            &[],
        ),
    ];
    for (body, expected) in table {
        assert_eq!(chained(REACTIVE, body), *expected, "{body}");
    }
    // Of views and models it sees nothing, and MockMvc's tester is another.
    assert_eq!(
        chained(REACTIVE, "client.get().uri(\"/owners/new\").exchange();"),
        ["expectStatus().isOk()"]
    );
    // Routes that are written as code are answered by none of these methods.
    let body = "client.get().uri(\"/api/ok\").exchange();";
    for (setup, known) in [
        ("", 2),
        (
            "var all = WebTestClient.bindToRouterFunction(x).build();",
            0,
        ),
    ] {
        let test = format!("@Test void t() {{ {setup} {body} }}");
        let text = chained_tests(REACTIVE, &test)
            .replace("@WebMvcTest({Owners.class, OwnerApi.class})\n", "");
        assert_eq!(expectations(&text).len(), known, "{setup}");
    }
    let tester = "import org.springframework.test.web.servlet.assertj.MockMvcTester;";
    let body = "client.get().uri(\"/api/ok\").exchange();";
    assert!(chained(tester, body).is_empty());
}

#[test]
fn what_rest_assured_could_expect_it_says_in_its_words() {
    let table: &[(&str, &[&str])] = &[
        (
            "given().get(\"/api/ok\");",
            &["then().body(equalTo(\"OK\"))", "then().statusCode(200)"],
        ),
        (
            "given().when().get(\"/api/owners/1\").then().log().all().statusCode(200);",
            &[
                "body(\"name\", equalTo(\"what should it be?\"))",
                "body(\"age\", equalTo(Integer.MIN_VALUE))",
            ],
        ),
        (
            "given().get(\"/api/owners/1\").then().body(\"name\", is(\"x\"), \"age\", is(1));",
            &[],
        ),
        (
            "given().put(\"/api/owners\").then().statusCode(HttpStatus.SC_CREATED).body(matches(x));",
            &["header(\"X-Made\", \"yes\")"],
        ),
        // A status that the handler does not give is not its way.
        ("given().get(\"/api/ok\").then().statusCode(400);", &[]),
        ("String b = given().get(\"/api/ok\").asString();", &[]),
        (
            "Dto b = given().get(\"/api/owners/1\").then().extract().as(Dto.class);",
            &[],
        ),
        (
            "given().expect().statusCode(200).when().get(\"/api/ok\");",
            &[],
        ),
        // Redirects are followed.
        ("given().get(\"/owners/old\");", &[]),
    ];
    for (body, expected) in table {
        assert_eq!(chained(REST_ASSURED, body), *expected, "{body}");
    }
}

#[test]
fn what_is_chained_stands_behind_the_last_call_with_its_imports() {
    let after = |import: &str, body: &str| {
        let text = format!("    @Test void t$0() {{\n        {body}\n    }}");
        let found = actions_at_cursor(&chained_tests(import, &text));
        let after = found.into_iter().next().and_then(|f| f.1);
        let after = after.unwrap_or_default();
        let test = after.find("@Test").unwrap_or(0);
        let imported = after.contains("import static org.hamcrest.Matchers.equalTo;");
        (after[test..].to_owned(), imported)
    };
    let (text, _) = after(
        REACTIVE,
        "client.get().uri(\"/api/owners/1\")\n            .exchange()\n            .expectStatus().isOk();",
    );
    assert!(
        text.contains(
            "\n            .expectStatus().isOk()\n            .expectBody().jsonPath(\"$.name\").isEqualTo(\"what should it be?\");"
        ),
        "{text}"
    );
    let (text, imported) = after(
        REST_ASSURED,
        "given().get(\"/api/owners/1\").then().statusCode(200);",
    );
    assert!(
        text.contains(".then().statusCode(200).body(\"name\", equalTo(\"what should it be?\"));"),
        "{text}"
    );
    assert!(imported);
    let few = format!("{REST_ASSURED}\nimport static org.hamcrest.CoreMatchers.equalTo;");
    let (text, imported) = after(&few, "given().get(\"/api/ok\");");
    assert!(
        text.contains("given().get(\"/api/ok\").then().body(equalTo(\"OK\"));"),
        "{text}"
    );
    assert!(!imported);
}

#[test]
fn a_lens_names_what_a_chained_request_gives() {
    let tests = "    @Test void ok() {
        //     ^^ next: expectBody(String.class).isEqualTo(\"OK\")
        client.get().uri(\"/api/ok\").exchange();
    }
    @Test void shows() {
        client.get().uri(\"/api/owners/1\").exchange().expectBody().jsonPath(\"$.name\").isEqualTo(\"x\");
    }
    @Test void other() {
        //     ^^^^^ next: expectBody().jsonPath(\"$.name\").isEqualTo(\"what should it be?\")
        client.get().uri(\"/api/owners/2\").exchange().expectStatus().isOk();
    }";
    check(&chained_tests(REACTIVE, tests), lenses_of_tests);
}

#[test]
fn where_something_else_may_answer_nothing_is_offered() {
    // A status that the handler does not give, or that nobody can read, or what a mock throws.
    for expected in [
        "status().is(HttpStatus.BAD_REQUEST.value())",
        "status().is(400)",
        "status().is(e.getCode())",
    ] {
        let body = format!("mvc.perform(get(\"/api/owners/1\")).andExpect({expected});");
        list(&body, &[]);
    }
    let throws = "when(store.find(1)).thenThrow(e); mvc.perform(get(\"/api/owners/1\"))";
    list(&format!("{throws};"), &[]);
    list(
        &format!("{throws}.andExpect(status().isOk());"),
        &[
            "jsonPath(\"$.name\").value(\"what should it be?\")",
            "jsonPath(\"$.age\").value(Integer.MIN_VALUE)",
        ],
    );
    // What it says is to fail.
    list("mvc.perform(get(\"/api/owners/notFound\"));", &[]);
    list(
        "var r = mvc.perform(get(\"/api/owners/1\")).andReturn(); assertEquals(404, r.getResponse().getStatus());",
        &[],
    );
    // The first sets up what the second is about; a header that a constant names may be any.
    let named = "header().string(\"X-Made\", \"yes\")";
    let put = "mvc.perform(put(\"/api/owners\"))";
    let told = |body: &str| listed(body).0.iter().filter(|e| *e == named).count();
    assert_eq!(told(&format!("{put};")), 1);
    assert_eq!(told(&format!("{put}; {put};")), 1);
    let by_name = "HttpHeaders.LOCATION";
    assert_eq!(
        told(&format!("{put}.andExpect(header().string(\"A\", \"b\"));")),
        1
    );
    assert_eq!(
        told(&format!(
            "{put}.andExpect(header().string({by_name}, \"b\"));"
        )),
        0
    );
    // A mock that answers with an object in which there is nothing.
    let told = |dto: &str| {
        format!(
            "String sent = Dto.builder().name(\"x\").toString(); when(store.found()).thenReturn({dto}); \
             mvc.perform(get(\"/api/found\").content(sent)).andExpect(status().isOk());"
        )
    };
    list(
        &told("Dto.of(3)"),
        &["jsonPath(\"$.name\").value(\"what should it be?\")"],
    );
    list(&told("new Dto()"), &[]);
    let taken = "var r = mvc.perform(get(\"/owners/new\")).andExpect(status().isOk()).andReturn();";
    list(
        &format!("{taken} assertEquals(1, r.getModelAndView().getViewName());"),
        &[],
    );
    // Whoever takes the answer may look at its headers.
    list(
        "var r = mvc.perform(put(\"/api/owners\")).andExpect(content().json(x)).andReturn().getResponse(); assertEquals(1, r.getHeader(\"X-Made\"));",
        &[],
    );
    // Whether a list has any, a mock is told.
    let all = "mvc.perform(get(\"/api/all\")).andExpect(status().isOk());";
    list(all, &[]);
    assert!(
        listed(&format!(
            "when(store.found()).thenReturn(new Dto(\"x\", 1, 2)); {all}"
        ))
        .0
        .iter()
        .any(|e| e.contains("$[0]"))
    );
    // What a mock is not told to answer has no fields.
    for path in ["found", "wrapped"] {
        let body = format!("mvc.perform(get(\"/api/{path}\")).andExpect(status().isOk());");
        list(&body, &[]);
    }
    list(
        "given(store.found()).willReturn(Dto.builder().name(\"x\").build()); mvc.perform(get(\"/api/found\")).andExpect(status().isOk());",
        &["jsonPath(\"$.name\").value(\"what should it be?\")"],
    );
    list(
        "given(store.found()).willReturn(new Dto(\"x\", 1, 2)); mvc.perform(get(\"/api/found\")).andExpect(status().is(HttpStatus.OK.value()));",
        &[
            "jsonPath(\"$.name\").value(\"what should it be?\")",
            "jsonPath(\"$.age\").value(Integer.MIN_VALUE)",
        ],
    );
}

#[test]
fn a_request_that_nobody_is_known_to_answer_says_why() {
    let hidden = |body: &str| listed(body).1;
    assert_eq!(
        hidden("mvc.perform(get(\"/nowhere\")).andExpect(status().isOk());"),
        ["no method is known that answers GET /nowhere"]
    );
    assert_eq!(
        hidden("mvc.perform(get(path()));"),
        ["its path is put together elsewhere"]
    );
    // That nobody does is what the test says.
    assert!(hidden("mvc.perform(get(\"/nowhere\")).andExpect(status().isNotFound());").is_empty());
    assert!(hidden("mvc.perform(get(\"/owners/new\"));").is_empty());
}

/// The file after the first action of a test with this body.
#[track_caller]
fn inserted(body: &str, siblings: &str) -> (String, String) {
    let text =
        format!("{siblings}    @Test void t$0() throws Exception {{\n        {body}\n    }}");
    let found = actions_at_cursor(&tests(&text));
    let (title, after) = found.into_iter().next().unwrap_or_default();
    let after = after.unwrap_or_default();
    let imports: Vec<&str> = after
        .lines()
        .filter(|l| l.contains("MockMvcResultMatchers."))
        .collect();
    let start = after.find("void t()").unwrap_or(0);
    let end = after[start..]
        .find("    }\n")
        .map_or(after.len(), |e| start + e);
    (
        title,
        format!("{}\n{}", imports.join("\n"), &after[start..end]),
    )
}

#[test]
fn an_expectation_stands_behind_the_others_as_they_are_written() {
    let (title, after) = inserted(
        "mvc.perform(get(\"/owners/new\"))\n            .andExpect(status().isOk());",
        SIBLINGS,
    );
    assert_eq!(title, "Assert view().name(\"owners/form\")");
    assert_eq!(
        after,
        "import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.view;
void t() throws Exception {
        mvc.perform(get(\"/owners/new\"))
            .andExpect(status().isOk())
            .andExpect(view().name(\"owners/form\"));
"
    );
    let one_line = "mvc.perform(get(\"/owners/new\")).andExpect(status().isOk()).andDo(print());";
    let (_, after) = inserted(one_line, SIBLINGS);
    assert!(
        after.contains(
            ".andExpect(status().isOk()).andExpect(view().name(\"owners/form\")).andDo(print());"
        ),
        "{after}"
    );
    let (_, after) = inserted("mvc.perform(get(\"/owners/new\"));", "");
    assert!(
        after
            .contains("mvc.perform(get(\"/owners/new\")).andExpect(view().name(\"owners/form\"));"),
        "{after}"
    );
    let (_, after) = inserted(
        "mvc.perform(get(\"/owners/new\"))\n            .andExpect(MockMvcResultMatchers.status().isOk());",
        SIBLINGS,
    );
    assert!(
        after.contains("\n            .andExpect(MockMvcResultMatchers.view().name("),
        "{after}"
    );
}

//! Which lines are checked where a library stands between the code and what a test looks at: messages of exceptions, trees and
//! texts in JSON, answers to requests.

use super::checked::{check, with};

/// A box that gives its name as JSON, and by getters.
const JSON: &str = "    private String name = \"a\";
    private int uses;
    public String json() {
        uses++; //-
        String quoted = '\"' + name + '\"'; //+
        return \"{\\\"name\\\": \" + quoted + \"}\"; //+
    }";

#[test]
fn the_message_of_an_exception_is_checked_where_a_link_asks_it() {
    let members = "    private int left = 3;
    private int asked;
    public void take(int n) {
        asked++; //-
        if (n > left) { //+
            String why = \"only \" + left; //+
            throw new IllegalStateException(why); //+
        }
        left -= n; //0
    }";
    for test in [
        "assertThatThrownBy(() -> new Box().take(9)).hasMessage(\"only 3\");",
        "assertThatThrownBy(() -> new Box().take(9)).isInstanceOf(IllegalStateException.class).hasMessageContaining(\"3\");",
        "assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> new Box().take(9)).withMessage(\"only 3\");",
        "assertThatIllegalStateException().isThrownBy(() -> new Box().take(9)).withMessage(\"only %d\", 3);",
        "Throwable thrown = catchThrowable(() -> new Box().take(9)); assertThat(thrown).hasMessage(\"only 3\");",
        "IllegalStateException e = assertThrows(IllegalStateException.class, () -> new Box().take(9)); assertEquals(\"only 3\", e.getMessage());",
    ] {
        check(&with(members, test));
    }
}

#[test]
fn a_tree_of_json_is_what_it_was_read_from() {
    for test in [
        "JsonNode node = new ObjectMapper().readTree(new Box().json()); assertEquals(\"a\", node.get(\"name\").asText());",
        "JsonNode node = new ObjectMapper().readTree(new Box().json()); assertThat(node.at(\"/name\").textValue()).isEqualTo(\"a\");",
        "assertEquals(\"a\", new JSONObject(new Box().json()).getString(\"name\"));",
        "assertEquals(\"a\", JsonPath.read(new Box().json(), \"$.name\"));",
    ] {
        check(&with(JSON, test));
    }
}

/// What fields of an object hold, by their type arguments and elements, a library that is given the object finds as well.
#[test]
fn what_lists_and_arrays_of_an_object_hold_is_in_its_json() {
    for (held, add) in [
        (
            "java.util.List<Part> parts = new java.util.ArrayList<>()",
            "parts.add(part)",
        ),
        (
            "java.util.Map<String, java.util.List<Part>> parts = new java.util.HashMap<>()",
            "parts.put(\"p\", java.util.List.of(part))",
        ),
        ("Part[] parts = new Part[1]", "parts[0] = part"),
    ] {
        let members = format!(
            "    static class Part {{ private String name; private int n; }}
    private final {held};
    public Box fill(int n) {{
        Part part = new Part();
        part.name = \"a\"; //+
        {add};
        return this;
    }}"
        );
        check(&with(
            &members,
            "assertEquals(\"{}\", new ObjectMapper().writeValueAsString(new Box().fill(2)));",
        ));
    }
}

#[test]
fn json_that_a_library_compares_is_checked() {
    for test in [
        "JSONAssert.assertEquals(\"{name: 'a'}\", new Box().json(), true);",
        "JSONAssert.assertEquals(\"{name: 'a'}\", new Box().json(), JSONCompareMode.LENIENT);",
        "assertThatJson(new Box().json()).isEqualTo(\"{name: 'a'}\");",
        "assertThat(new Box().json(), hasJsonPath(\"$.name\", equalTo(\"a\")));",
    ] {
        check(&with(JSON, test));
    }
}

#[test]
fn what_a_mapper_may_read_of_an_object_is_checked() {
    // By getters, or by fields: which of both only its annotations and its settings say.
    let members = "    private String name = \"a\";
    private int uses;
    private static int all;
    public void use() {
        all++; //-
        uses++; //+
        name = name + \"b\"; //+
    }
    public String getName() {
        return name; //+
    }";
    check(&with(
        members,
        "Box box = new Box(); box.use(); JsonNode node = new ObjectMapper().valueToTree(box); \
         assertEquals(\"ab\", node.get(\"name\").asText());",
    ));
}

#[test]
fn what_a_request_is_answered_with_is_checked() {
    let text = "//- /src/main/java/own/Owner.java
package own;
public class Owner {
    private final String name;
    public Owner(String name) {
        this.name = name; //+
    }
    public String getName() {
        return name; //+
    }
}
//- /src/main/java/own/Owners.java
package own;
import org.springframework.web.bind.annotation.*;
@RestController
public class Owners {
    private int asked;
    @GetMapping(\"/owners/{id}\")
    public Owner show(@PathVariable int id) {
        asked++; //-
        String name = \"owner \" + id; //+
        return new Owner(name); //+
    }
}
//- /src/test/java/own/OwnersTest.java
package own;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.*;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.servlet.MockMvc;
@WebMvcTest(Owners.class)
class OwnersTest {
    @Autowired MockMvc mockMvc;
    @Test void shows() throws Exception {
        mockMvc.perform(get(\"/owners/3\")).andExpect(jsonPath(\"$.name\").value(\"owner 3\"));
    }
}
";
    check(text);
}

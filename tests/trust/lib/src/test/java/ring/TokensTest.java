package ring;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TokensTest {
    @Test
    void readsWords() {
//       ^^^^^^^^^^ next: tokens.line()
        Tokens tokens = new Tokens("one two");
        assertEquals("one", tokens.next());
        assertEquals("two", tokens.next());
    }

    @Test
    void countsLines() {
//       ^^^^^^^^^^^ next: tokens.line()
        Tokens tokens = new Tokens("one\ntwo");
        tokens.next();
        assertEquals("two", tokens.next());
    }

    @Test
    void knowsNumbers() {
        // Nothing: to ask for the next token is to move on.
        Tokens tokens = new Tokens("");
        assertThat(tokens.kind("12"), is(Tokens.Kind.NUMBER));
    }

    @Test
    void knowsSigns() {
//       ^^^^^^^^^^ next: plus
        Tokens tokens = new Tokens("");
        Tokens.Kind minus = tokens.kind("-");
        Tokens.Kind plus = tokens.kind("+");
        assertEquals(Tokens.Kind.MINUS, minus);
    }

    @Test
    void readsTheFirstOnly() {
        Tokens tokens = new Tokens("one two");
        String first = tokens.next();
        assertThat(first, is("one"));
        assertThat(tokens.line(), is(1));
    }
}

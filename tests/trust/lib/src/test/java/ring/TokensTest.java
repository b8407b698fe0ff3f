package ring;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TokensTest {
    @Test
    void readsWords() {
        // Nothing: the tokens are what it is about.
        Tokens tokens = new Tokens("one two");
        assertEquals("one", tokens.next());
        assertEquals("two", tokens.next());
    }

    @Test
    void countsLines() {
        // FIXME: quiet, though it could say `tokens.line()`, after which it is named.
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
        // FIXME: quiet, though it could say `plus`, which it keeps and never reads.
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

    @Test
    void knowsComments() {
//       ^^^^^^^^^^^^^ next: tokens.kind("# milk")
        Tokens tokens = new Tokens("");
        tokens.kind("# milk");
    }

    @Test
    void doesNotFailOnSpace() {
        // Nothing: it is content with that.
        Tokens tokens = new Tokens("");
        tokens.kind(" ");
    }

    @Test
    void knowsMoreSigns() {
        // Nothing: it has checked one, and then it closes.
        Tokens tokens = new Tokens("");
        assertThat(tokens.kind("+"), is(Tokens.Kind.PLUS));
        tokens.kind("-");
    }

    @Test
    void isFast() {
        // Nothing: it measures.
        Tokens tokens = new Tokens("");
        long start = System.nanoTime();
        tokens.kind("word");
        System.out.println(System.nanoTime() - start);
    }
}

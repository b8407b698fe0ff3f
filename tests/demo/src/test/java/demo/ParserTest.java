package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParserTest {
    @ParameterizedTest
    @CsvSource({"1 + 2 * 3, 7", "(1 + 2) * 3, 9", "-4 / 2, -2", "8 - 3 - 2, 3"})
    void evaluates(String text, double expected) {
        double value = Parser.parse(text).evaluate(Map.of());
        assertEquals(expected, value);
    }

    @Test
    void readsVariables() {
        Expression expression = Parser.parse("2 * x + y");
        double value = expression.evaluate(Map.of("x", 3.0, "y", 1.0));
        assertEquals(7.0, value);
    }

    @Test
    void saysWhereTheTextIsWrong() {
        ParseException e = assertThrows(ParseException.class, () -> Parser.parse("1 + * 2"));
        assertEquals(4, e.position());
    }

    /** Weak: any list at all would do. */
    @Test
    void tokens() {
        List<Token> tokens = Lexer.tokens("price*(1+rate)");
        assertNotNull(tokens);
    }
}

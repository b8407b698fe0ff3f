package demo;

import java.util.ArrayList;
import java.util.List;

/** Cuts the text of an expression into tokens. */
public final class Lexer {
    private final String text;
    private int position;

    public Lexer(String text) {
        this.text = text;
    }

    public static List<Token> tokens(String text) {
        Lexer lexer = new Lexer(text);
        List<Token> tokens = new ArrayList<>();
        Token token;
        do {
            token = lexer.next();
            tokens.add(token);
        } while (!token.is(Token.Kind.END));
        return tokens;
    }

    Token next() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
        if (position == text.length()) {
            return new Token(Token.Kind.END, "", position);
        }
        int start = position;
        char first = text.charAt(position++);
        if (Character.isDigit(first)) {
            while (position < text.length() && isNumberPart(text.charAt(position))) {
                position++;
            }
            return new Token(Token.Kind.NUMBER, text.substring(start, position), start);
        }
        if (Character.isLetter(first)) {
            while (position < text.length() && Character.isLetterOrDigit(text.charAt(position))) {
                position++;
            }
            return new Token(Token.Kind.NAME, text.substring(start, position), start);
        }
        Token.Kind kind = switch (first) {
            case '+' -> Token.Kind.PLUS;
            case '-' -> Token.Kind.MINUS;
            case '*' -> Token.Kind.TIMES;
            case '/' -> Token.Kind.DIVIDE;
            case '(' -> Token.Kind.OPEN;
            case ')' -> Token.Kind.CLOSE;
            default -> throw new ParseException("unexpected '" + first + "'", start);
        };
        return new Token(kind, String.valueOf(first), start);
    }

    private static boolean isNumberPart(char c) {
        return Character.isDigit(c) || c == '.';
    }
}

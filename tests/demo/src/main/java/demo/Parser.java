package demo;

import java.util.List;

/** A recursive-descent parser for sums, products, negation and parentheses. */
public final class Parser {
    private final List<Token> tokens;
    private int index;

    private Parser(List<Token> tokens) {
        this.tokens = tokens;
    }

    public static Expression parse(String text) {
        Parser parser = new Parser(Lexer.tokens(text));
        Expression expression = parser.sum();
        parser.expect(Token.Kind.END);
        return expression;
    }

    private Expression sum() {
        Expression left = product();
        while (peek().is(Token.Kind.PLUS) || peek().is(Token.Kind.MINUS)) {
            Token.Kind operator = advance().kind();
            Expression right = product();
            left = new Expression.Binary(operator, left, right);
        }
        return left;
    }

    private Expression product() {
        Expression left = factor();
        while (peek().is(Token.Kind.TIMES) || peek().is(Token.Kind.DIVIDE)) {
            Token.Kind operator = advance().kind();
            Expression right = factor();
            left = new Expression.Binary(operator, left, right);
        }
        return left;
    }

    private Expression factor() {
        Token token = advance();
        switch (token.kind()) {
            case NUMBER:
                return new Expression.Number(Double.parseDouble(token.text()));
            case NAME:
                return new Expression.Name(token.text());
            case MINUS:
                return new Expression.Negation(factor());
            case OPEN:
                Expression inner = sum();
                expect(Token.Kind.CLOSE);
                return inner;
            default:
                throw new ParseException("expected a value", token.position());
        }
    }

    private Token peek() {
        return tokens.get(index);
    }

    private Token advance() {
        Token token = tokens.get(index);
        if (!token.is(Token.Kind.END)) {
            index++;
        }
        return token;
    }

    private void expect(Token.Kind kind) {
        Token token = advance();
        if (!token.is(kind)) {
            throw new ParseException("expected " + kind, token.position());
        }
    }
}

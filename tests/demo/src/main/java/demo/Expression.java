package demo;

import java.util.Map;

/** An arithmetic expression over numbers and named variables. */
public sealed interface Expression {
    record Number(double value) implements Expression {
    }

    record Name(String name) implements Expression {
    }

    record Negation(Expression operand) implements Expression {
    }

    record Binary(Token.Kind operator, Expression left, Expression right) implements Expression {
    }

    /** The value under {@code variables}; a name without a value counts as zero. */
    default double evaluate(Map<String, Double> variables) {
        if (this instanceof Number number) {
            return number.value();
        }
        if (this instanceof Name name) {
            return variables.getOrDefault(name.name(), 0.0);
        }
        if (this instanceof Negation negation) {
            return -negation.operand().evaluate(variables);
        }
        Binary binary = (Binary) this;
        double left = binary.left().evaluate(variables);
        double right = binary.right().evaluate(variables);
        return switch (binary.operator()) {
            case PLUS -> left + right;
            case MINUS -> left - right;
            case TIMES -> left * right;
            case DIVIDE -> left / right;
            default -> throw new IllegalStateException("no operator: " + binary.operator());
        };
    }
}

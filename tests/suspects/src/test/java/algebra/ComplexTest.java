package algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ComplexTest {
    @Test
    void addsPartByPart() {
        for (int real = -4; real <= 4; real++) {
            Complex sum = new Complex(real, 2).add(new Complex(1, -5));
            assertEquals(real + 1, sum.getReal());
            assertEquals(-3, sum.getImaginary());
        }
    }

    @Test
    void multiplies() {
        Complex product = new Complex(1, 2).multiply(new Complex(3, 4));
        assertEquals(-5, product.getReal());
        assertEquals(10, product.getImaginary());
    }

    @Test
    void conjugatesAbove() {
        for (int imaginary = 1; imaginary <= 20; imaginary++) {
            Complex conjugate = new Complex(3, imaginary % 3 + 1).conjugate();
            assertEquals(3, conjugate.getReal());
            assertEquals(-(imaginary % 3 + 1), conjugate.getImaginary());
        }
    }

    @Test
    void conjugatesBelow() {
        for (int imaginary = 1; imaginary <= 20; imaginary++) {
            Complex conjugate = new Complex(imaginary, -(imaginary % 3 + 1)).conjugate();
            assertEquals(imaginary % 3 + 1, conjugate.getImaginary());
        }
    }

    @Test
    void conjugateOfConjugate() {
        Complex number = new Complex(5, 2);
        assertEquals(number, number.conjugate().conjugate());
        assertNotEquals(number, number.conjugate());
    }

    @Test
    void equalsByValue() {
        assertTrue(new Complex(1, 2).equals(new Complex(1, 2)));
        assertFalse(new Complex(1, 2).equals(new Complex(2, 1)));
        assertFalse(new Complex(1, 2).equals("1 + 2i"));
        assertEquals(new Complex(1, 2).hashCode(), new Complex(1, 2).hashCode());
    }

    @Test
    void absoluteValue() {
        assertEquals(5, new Complex(3, -4).abs());
        assertEquals(13, new Complex(5, 12).abs());
    }
}

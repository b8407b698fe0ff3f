package algebra;

/** A complex number. */
public final class Complex {
    private final double real;
    private final double imaginary;

    public Complex(double real, double imaginary) {
        this.real = real;
        this.imaginary = imaginary;
    }

    public double getReal() {
        return real;
    }

    public double getImaginary() {
        return imaginary;
    }

    public Complex add(Complex other) {
        return new Complex(real + other.real, imaginary + other.imaginary);
    }

    public Complex multiply(Complex other) {
        return new Complex(
                real * other.real - imaginary * other.imaginary,
                real * other.imaginary + imaginary * other.real);
    }

    public Complex conjugate() {
        return new Complex(real, -imaginary);
    }

    public double abs() {
        return Math.hypot(real, imaginary);
    }

    // The fault: 0.0 and -0.0 are equal numbers and differ in their bits.
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Complex)) {
            return false;
        }
        Complex that = (Complex) other;
        return Double.doubleToLongBits(real) == Double.doubleToLongBits(that.real)
                && Double.doubleToLongBits(imaginary) == Double.doubleToLongBits(that.imaginary);
    }

    @Override
    public int hashCode() {
        return 31 * Double.hashCode(real + 0.0) + Double.hashCode(imaginary + 0.0);
    }
}

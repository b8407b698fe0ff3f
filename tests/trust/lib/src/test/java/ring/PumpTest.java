package ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PumpTest {
    @Test
    void starts() {
        // Who starts it does not doubt that it runs.
        Pump pump = new Pump();
        pump.start();
        assertEquals(1, pump.turns());
    }
}

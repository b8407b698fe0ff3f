package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class InventoryTest {
    private final Inventory inventory = new Inventory(5);

    @Test
    void reservesWhatIsFree() {
        inventory.receive("bolt", 10);
        assertTrue(inventory.reserve("bolt", 7));
        assertFalse(inventory.reserve("bolt", 4));
        assertEquals(3, inventory.available("bolt"));
        assertTrue(inventory.needsReorder("bolt"));
    }

    /** Weak: what {@code ship} returns is dropped. */
    @Test
    void shipsWhatWasReserved() {
        inventory.receive("nut", 20);
        inventory.reserve("nut", 6);
        inventory.ship("nut", 6);
        assertEquals(2, inventory.movements());
    }

    @Test
    void shipsNothingElse() {
        inventory.receive("nut", 20);
        assertThrows(IllegalStateException.class, () -> inventory.ship("nut", 1));
    }
}

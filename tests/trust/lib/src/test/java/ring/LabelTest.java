package ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class LabelTest {
    @Test
    void reads() {
        // FIXME: quiet, though it could say `label.text()`; of what is asserted to be there half was worth more.
        Label label = new Label();
        label.read(" Milk ");
        assertNotNull(label.text());
    }

    @Test
    void tellsApart() {
        // Nothing: who tells two apart has chosen what to look at.
        Label label = new Label();
        label.read("Milk");
        assertNotEquals("cheese", label.text());
    }

    @Test
    void traces() {
        // Nobody foresees an identity.
        Label label = new Label();
        label.read("Milk");
        assertEquals("milk", label.text());
        assertEquals(List.of("milk"), label.words());
        assertNotNull(label.traceId());
    }
}

package ring;

import java.util.ArrayList;
import java.util.List;

/** A text, with a mark that is not read: {@code "Milk #cold"}. */
public class Label {
    private final List<String> words = new ArrayList<>();
    private String text;
    private String traceId;

    public void read(String source) {
        String small = source.trim().toLowerCase();
        int at = small.indexOf('#');
        text = at < 0 ? small : small.substring(0, at);
        traceId = small.length() + "-" + small.hashCode();
        for (String word : text.split(" ")) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
    }

    public String text() {
        return text;
    }

    public String traceId() {
        return traceId;
    }

    public List<String> words() {
        return words;
    }
}

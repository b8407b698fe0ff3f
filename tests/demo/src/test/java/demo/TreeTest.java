package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TreeTest {
    private static Tree<Integer> treeOf(int... values) {
        Tree<Integer> tree = new Tree<>();
        for (int value : values) {
            tree.add(value);
        }
        return tree;
    }

    @Test
    void keepsOrder() {
        Tree<Integer> tree = treeOf(5, 2, 8, 1, 9);
        assertEquals(List.of(1, 2, 5, 8, 9), tree.toList());
        assertTrue(tree.contains(8));
        assertFalse(tree.contains(7));
    }

    @Test
    void refusesDuplicates() {
        Tree<Integer> tree = treeOf(1);
        boolean added = tree.add(1);
        assertFalse(added);
    }

    /** Weak: says that something was removed, not that the rest is still a search tree. */
    @Test
    void removesANodeWithTwoChildren() {
        Tree<Integer> tree = treeOf(5, 2, 8, 6, 9);
        assertTrue(tree.remove(5));
    }
}

package demo;

import java.util.ArrayList;
import java.util.List;

/** A binary search tree without duplicates and without balancing. */
public class Tree<T extends Comparable<T>> {
    private static final class Node<T> {
        T value;
        Node<T> left;
        Node<T> right;

        Node(T value) {
            this.value = value;
        }
    }

    private Node<T> root;
    private int size;

    public boolean add(T value) {
        Node<T> parent = null;
        Node<T> node = root;
        int order = 0;
        while (node != null) {
            parent = node;
            order = value.compareTo(node.value);
            if (order == 0) {
                return false;
            }
            node = order < 0 ? node.left : node.right;
        }
        Node<T> added = new Node<>(value);
        if (parent == null) {
            root = added;
        } else if (order < 0) {
            parent.left = added;
        } else {
            parent.right = added;
        }
        size++;
        return true;
    }

    public boolean contains(T value) {
        Node<T> node = root;
        while (node != null) {
            int order = value.compareTo(node.value);
            if (order == 0) {
                return true;
            }
            node = order < 0 ? node.left : node.right;
        }
        return false;
    }

    public boolean remove(T value) {
        int before = size;
        root = remove(root, value);
        return size < before;
    }

    private Node<T> remove(Node<T> node, T value) {
        if (node == null) {
            return null;
        }
        int order = value.compareTo(node.value);
        if (order < 0) {
            node.left = remove(node.left, value);
        } else if (order > 0) {
            node.right = remove(node.right, value);
        } else if (node.left == null || node.right == null) {
            size--;
            return node.left == null ? node.right : node.left;
        } else {
            Node<T> next = node.right;
            while (next.left != null) {
                next = next.left;
            }
            node.value = next.value;
            node.right = remove(node.right, next.value);
        }
        return node;
    }

    public int size() {
        return size;
    }

    public int height() {
        return height(root);
    }

    private int height(Node<T> node) {
        if (node == null) {
            return 0;
        }
        int left = height(node.left);
        int right = height(node.right);
        return 1 + Math.max(left, right);
    }

    public List<T> toList() {
        List<T> values = new ArrayList<>(size);
        collect(root, values);
        return values;
    }

    private void collect(Node<T> node, List<T> values) {
        if (node != null) {
            collect(node.left, values);
            values.add(node.value);
            collect(node.right, values);
        }
    }

    /** The representation invariant: values in order, and as many of them as {@code size} says. */
    public boolean repOK() {
        List<T> values = toList();
        for (int i = 1; i < values.size(); i++) {
            if (values.get(i - 1).compareTo(values.get(i)) >= 0) {
                return false;
            }
        }
        return values.size() == size;
    }
}

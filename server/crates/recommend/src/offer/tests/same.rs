//! What means one value stands once in a list.

use super::*;

const SHOP: &str = "
package p;
import java.util.*;
public class Shop {
    private final List<String> names = new ArrayList<>();
    private String owner;
    public void add(String name) { names.add(name + names.size()); owner = name + 1; }
    public List<String> getNames() { return names; }
    public String getOwner() { return owner; }
    public String owner() { return owner; }
}
";

/// What is listed of a test of this body, in order.
fn listed(body: &str) -> Vec<String> {
    let test = format!(
        "package p; import java.util.*; import org.junit.jupiter.api.Test;\n\
         class ShopTest {{ @Test void works() {{ {body} }} }}"
    );
    listed_of(100, &of_files(SHOP, &test))
}

fn listed_of(top: usize, case: &Case) -> Vec<String> {
    let offer = case.offer_of(top, &Switches::default());
    let text = |r: &Ranked| offer.observations[&r.vertex].expression.to_string();
    offer.shown().map(text).collect()
}

fn count(all: &[String], of: &[&str]) -> usize {
    all.iter().filter(|a| of.contains(&a.as_str())).count()
}

#[test]
fn a_getter_and_an_accessor_of_one_name_are_one_value() {
    let all = listed("Shop shop = new Shop(); shop.add(\"a\");");
    assert_eq!(
        count(&all, &["shop.getOwner()", "shop.owner()"]),
        1,
        "{all:?}"
    );
}

#[test]
fn a_local_and_the_call_that_gave_it_are_one_value() {
    let body = "Shop shop = new Shop(); shop.add(\"a\"); List<String> names = shop.getNames();";
    let all = listed(body);
    let same = ["names.size()", "shop.getNames().size()"];
    assert_eq!(count(&all, &same), 1, "{all:?}");
    assert_eq!(count(&all, &["names.isEmpty()"]), 0, "{all:?}");
    // Behind another act it is another value.
    let all = listed(&format!("{body} shop.add(\"b\");"));
    assert!(count(&all, &same) >= 1, "{all:?}");
}

#[test]
fn what_is_left_out_takes_no_place() {
    let body = "Shop shop = new Shop(); shop.add(\"a\"); List<String> names = shop.getNames(); \
        Shop other = new Shop(); other.add(\"b\"); List<String> more = other.getNames(); \
        assertEquals(1, names.size()); String owner = other.getOwner();";
    let test = format!(
        "package p; import java.util.*; import org.junit.jupiter.api.Test;\n\
         class ShopTest {{ @Test void works() {{ {body} }} }}"
    );
    let case = of_files(SHOP, &test);
    let all = listed_of(100, &case);
    assert!(all.len() > 2, "{all:?}");
    for top in 1..all.len() {
        assert_eq!(listed_of(top, &case), all[..top], "{top}");
    }
}

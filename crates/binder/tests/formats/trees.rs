use binder::read::Problem;

use super::*;

#[test]
fn paths_in_a_product_taxonomy() {
    let text = "# Taxonomy 2021\nAnimals\nAnimals > Pets\nAnimals > Pets > Dogs\n";
    let tree = read("taxonomy.txt", text);
    assert_eq!(pairs(&tree), [("Dogs", "Pets"), ("Pets", "Animals")]);
    assert!(said(&tree).starts_with("paths: child = a part of a path, parent = the part before"));
}

#[test]
fn paths_with_ids() {
    let tree = read("taxonomy.txt", "1 - Animals\n3237 - Animals > Pets & Co.\n");
    assert_eq!(pairs(&tree), [("3237", "1")]);
    assert_eq!(label(&tree, "3237"), Some("Pets & Co."));
    let tree = read("taxonomy.txt", "gid://x/T/ap   : Animals\ngid://x/T/ap-1 : Animals > Pets\n");
    assert_eq!(pairs(&tree), [("gid://x/T/ap-1", "gid://x/T/ap")]);
}

#[test]
fn paths_of_files() {
    let tree = read("files", "src/lib.rs\nsrc/read/mod.rs\nsrc/train/mod.rs\n");
    let expected = [
        ("lib.rs", "src"),
        ("read", "src"),
        ("src/read/mod.rs", "read"),
        ("src/train/mod.rs", "train"),
        ("train", "src"),
    ];
    assert_eq!(pairs(&tree), expected);
}

#[test]
fn paths_with_pipes() {
    assert_eq!(pairs(&read("a", "a\na|b\na|b|c\n")), [("b", "a"), ("c", "b")]);
}

#[test]
fn path_without_the_id_that_others_have() {
    let error = refused_with("a.txt", "1 - Animals\nAnimals > Pets\n", |o| {
        o.format = Some("paths".parse().unwrap());
    });
    assert!(syntax(&error).starts_with("no id before the path"), "{error}");
    assert_eq!(place(&error), (2, None));
}

#[test]
fn path_without_a_part() {
    let error = refused("a.paths", "a/b\n///\n");
    assert!(matches!(error.problem, Problem::EmptyName), "{error:?}");
    assert_eq!(place(&error), (2, None));
}

#[test]
fn text_without_any_path() {
    assert!(syntax(&refused("a.paths", "a\nb\n")).starts_with("no line has a path"));
}

#[test]
fn outline_of_spaces_and_of_tabs() {
    for indent in ["  ", "\t", "    "] {
        let text = format!("animal\n{indent}dog\n{indent}{indent}puppy\n{indent}cat\nplant\n");
        let tree = read("a.txt", text);
        assert_eq!(pairs(&tree), [("cat", "animal"), ("dog", "animal"), ("puppy", "dog")]);
        assert_eq!(tree.len(), 5);
    }
}

#[test]
fn outline_of_markdown() {
    let text = "# Pets\n\n- animal\n  * dog\n    1. puppy\n  * cat\n\n# More\n- plant\n";
    let tree = read("a.md", text);
    assert_eq!(pairs(&tree), [("cat", "animal"), ("dog", "animal"), ("puppy", "dog")]);
    assert!(
        said(&tree).ends_with("puppy is-a dog; 2 headings left out")
            || said(&tree).ends_with("dog is-a animal; 2 headings left out")
    );
}

#[test]
fn outline_with_tabs_and_spaces() {
    let error = refused("a.md", "- a\n  - b\n\t- c\n");
    assert_eq!(syntax(&error), "lines are indented with tabs and with spaces");
    assert_eq!(place(&error), (3, Some(1)));
}

#[test]
fn outline_that_comes_back_to_nowhere() {
    let error = refused("a.md", "- a\n    - b\n  - c\n");
    assert_eq!(syntax(&error), "indented differently from every line above it");
    assert_eq!(place(&error), (3, Some(3)));
}

#[test]
fn outline_with_a_bullet_alone() {
    let error = refused("a.md", "- a\n  -\n");
    assert!(matches!(error.problem, Problem::EmptyName), "{error:?}");
    assert_eq!(place(&error), (2, Some(3)));
}

//! JSON, GraphML, DOT, Newick.

use binder::read::{Format, Problem};

use super::*;

#[test]
fn json_tree_of_objects() {
    let text = r#"{"name":"animal","children":[{"name":"dog","definition":"barks",
        "synonyms":["hound"],"children":[{"name":"puppy"}]},{"name":"cat","children":[]}]}"#;
    let tree = read("a.json", text);
    assert_eq!(pairs(&tree), [("cat", "animal"), ("dog", "animal"), ("puppy", "dog")]);
    assert_eq!((definition(&tree, "dog"), synonyms(&tree, "dog")), (Some("barks"), vec!["hound"]));
    assert!(said(&tree).starts_with("json: child = an object among the children, parent = the"));
}

#[test]
fn json_tree_with_ids() {
    let text = r#"[{"id":1,"label":"animal","children":[{"id":2,"label":"dog"}]},
        {"id":3,"label":"pet","children":[{"id":2,"label":"dog"}]}]"#;
    let tree = read("a.json", text);
    assert_eq!(pairs(&tree), [("2", "1"), ("2", "3")]);
    assert_eq!(label(&tree, "2"), Some("dog"));
}

#[test]
fn json_nested_objects_and_arrays() {
    let tree = read("a.json", r#"{"animal":{"dog":{"puppy":{}},"cat":null}}"#);
    assert_eq!(pairs(&tree), [("cat", "animal"), ("dog", "animal"), ("puppy", "dog")]);
    let tree = read("a.json", r#"{"animal":["dog","cat"],"plant":["rose"]}"#);
    assert_eq!(pairs(&tree), [("cat", "animal"), ("dog", "animal"), ("rose", "plant")]);
    assert!(said(&tree).contains("child = what stands below a key, parent = the key"));
    let turned = read_with("a.json", r#"{"dog":["animal","pet"]}"#, |o| o.reversed = true);
    assert_eq!(pairs(&turned), [("dog", "animal"), ("dog", "pet")]);
}

#[test]
fn json_same_name_at_two_places() {
    let tree = read("a.json", r#"{"cars":{"accessories":{}},"cameras":{"accessories":{}}}"#);
    assert_eq!(
        pairs(&tree),
        [("cameras > accessories", "cameras"), ("cars > accessories", "cars")]
    );
}

#[test]
fn json_map_of_names() {
    let pets = read("a.json", r#"{"dog":"animal","cat":"animal"}"#);
    assert_eq!(pairs(&pets), [("cat", "animal"), ("dog", "animal")]);
}

#[test]
fn json_records_and_pairs() {
    for text in [
        r#"[{"child":"dog","parent":"animal"},{"child":"cat","parent":"animal"}]"#,
        r#"[{"source":"dog","target":"animal"},{"source":"cat","target":"animal"}]"#,
        r#"[{"from":"dog","to":"animal"},{"from":"cat","to":"animal"}]"#,
        r#"[{"id":"dog","parents":["animal"]},{"id":"cat","parents":["animal"]}]"#,
        r#"[["dog","animal"],["cat","animal"]]"#,
        r#"{"edges":[{"source":"dog","target":"animal"},{"source":"cat","target":"animal"}]}"#,
    ] {
        assert_eq!(pairs(&read("a.json", text)), [("cat", "animal"), ("dog", "animal")], "{text}");
    }
}

#[test]
fn json_lists_of_parents_keep_their_names_as_they_are() {
    let records = "[{\"id\":\"top\"},{\"id\":\"x \",\"parents\":[\"top\"]},\
        {\"id\":\"k\",\"parents\":[\"x \",\"u\\u001fv\",\"1:a\"]}]";
    let expected = [("k", "1:a"), ("k", "u\u{1f}v"), ("k", "x "), ("x ", "top")];
    let lines = records.trim_matches(['[', ']']).replace("},{", "}\n{");
    assert_eq!(pairs(&read("a.json", records)), expected);
    assert_eq!(pairs(&read("a.jsonl", &lines)), expected);
    // A separator is for texts, not for lists.
    let commas = r#"[{"id":"k","parents":["a, b","c"]}]"#;
    let separated = read_with("a.json", commas, |o| o.cell_separator = Some(",".to_owned()));
    assert_eq!(pairs(&separated), [("k", "a, b"), ("k", "c")]);
}

#[test]
fn json_nodes_and_links() {
    let text = r#"{"directed":true,"nodes":[{"id":1,"name":"animal"},{"id":2,"name":"dog"}],
        "links":[{"source":2,"target":1}]}"#;
    let graph = read("a.json", text);
    assert_eq!((pairs(&graph), label(&graph, "2")), (vec![("2", "1")], Some("dog")));
    let text = r#"{"nodes":[{"name":"animal"},{"name":"dog"}],"links":[{"source":1,"target":0}]}"#;
    assert_eq!(pairs(&read("a.json", text)), [("dog", "animal")]);
    let text = r#"{"elements":{"nodes":[{"data":{"id":"a"}},{"data":{"id":"b"}}],
        "edges":[{"data":{"source":"a","target":"b"}}]}}"#;
    assert_eq!(pairs(&read("a.json", text)), [("a", "b")]);
}

#[test]
fn json_lines() {
    let text = "{\"id\":\"dog\",\"parent\":\"animal\",\"name\":\"the dog\"}\n\n\
        {\"id\":\"animal\",\"parent\":null}\n";
    for name in ["a.jsonl", "a"] {
        let pets = read(name, text);
        assert_eq!((pairs(&pets), label(&pets, "dog")), (vec![("dog", "animal")], Some("the dog")));
    }
    assert_eq!(pairs(&read("a.jsonl", "[\"dog\",\"animal\"]\n[\"cat\",\"animal\"]\n")).len(), 2);
}

#[test]
fn json_in_one_long_line() {
    let items: Vec<String> = (0..600_000)
        .map(|i| format!("{{\"child\":\"concept ä {i}\",\"parent\":\"top\"}}"))
        .collect();
    let tree = read("a.json", format!("[{}]", items.join(",")));
    assert_eq!(tree.direct(), 600_000);
}

#[test]
fn json_that_is_cut_off() {
    let error = refused("a.json", "{\"animal\":\n  {\"dog\":");
    assert!(syntax(&error).starts_with("EOF while parsing"), "{error}");
    assert_eq!(place(&error).0, 2);
}

#[test]
fn json_with_a_comma_too_many() {
    let error = refused("a.json", "{\"animal\": [\"dog\",]}");
    assert_eq!((syntax(&error), place(&error)), ("trailing comma", (1, Some(19))));
}

#[test]
fn json_too_deep() {
    let error = refused("a.json", "[".repeat(100_000));
    assert_eq!(syntax(&error), "recursion limit exceeded");
}

#[test]
fn json_record_without_a_child() {
    let error = refused("a.json", r#"[{"child":"a","parent":"b"},{"parent":"b"}]"#);
    assert!(matches!(error.problem, Problem::InRecord { number: 2, .. }), "{error:?}");
}

#[test]
fn json_link_without_ends() {
    let error = refused("a.json", r#"{"links":[{"source":"a"}]}"#);
    assert!(error.to_string().contains("record 1: not valid json: a link without"), "{error}");
}

#[test]
fn json_graph_without_direction() {
    let error =
        refused("a.json", r#"{"directed":false,"nodes":[],"links":[{"source":1,"target":2}]}"#);
    assert!(syntax(&error).contains("no direction"));
}

#[test]
fn json_line_that_is_no_record() {
    let error = refused("a.jsonl", "{\"child\":\"a\",\"parent\":\"b\"}\n17\n");
    assert_eq!((syntax(&error), place(&error)), ("not an object, as a record is", (2, None)));
    let error = refused("a.jsonl", "{\"child\":\"a\",\"parent\":\"b\"}\n{\"child\"\n");
    assert_eq!(place(&error).0, 2);
}

#[test]
fn json_called_csv_is_read_as_what_it_is() {
    let pets = read("a.csv", r#"{"dog":"animal"}"#);
    assert_eq!(pairs(&pets), [("dog", "animal")]);
    let error = refused_with("a", r#"{"dog":"animal"}"#, |o| o.format = Some(Format::Csv));
    assert_eq!(error.to_string(), "a: this looks like json, not csv");
}

const GRAPHML: &str = r#"<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="label" attr.type="string"/>
<key id="d1" for="node" attr.name="weight" attr.type="int"/>
<graph edgedefault="directed">
<node id="dog"><data key="d0">the &amp; dog</data><data key="d1">3</data></node>
<node id="animal"/>
<edge source="dog" target="animal"/>
</graph>
</graphml>
"#;

#[test]
fn graphml() {
    for name in ["a.graphml", "a.xml", "a"] {
        let graph = read(name, GRAPHML);
        assert_eq!(pairs(&graph), [("dog", "animal")]);
        assert_eq!(label(&graph, "dog"), Some("the & dog"));
    }
    assert_eq!(pairs(&read_with("a.graphml", GRAPHML, |o| o.reversed = true)), [("animal", "dog")]);
}

#[test]
fn graphml_damages() {
    let cut = refused("a.graphml", &GRAPHML[..GRAPHML.len() - 12]);
    assert_eq!(syntax(&cut), "the file ends before its tags are closed");
    let undirected = GRAPHML.replace("\"directed\"", "\"undirected\"");
    assert!(syntax(&refused("a.graphml", undirected)).contains("no direction"));
    let no_target = GRAPHML.replace(" target=\"animal\"", "");
    let error = refused("a.graphml", no_target);
    assert_eq!(syntax(&error), "<edge> without the attribute target");
    assert_eq!(place(&error), (8, None));
    let crossed = GRAPHML.replace("</graph>", "</node>");
    assert_eq!(place(&refused("a.graphml", crossed)).0, 9);
    let entity = GRAPHML.replace("&amp;", "&nothing;");
    assert_eq!(place(&refused("a.graphml", entity)).0, 6);
}

#[test]
fn dot() {
    let text = "/* pets */ strict digraph \"G\" {\n\tgraph [rankdir=BT];\n\tnode [label=\"\\N\"];\n\
        # a comment\n\tdog\t[label=\"the dog\", height=0.5];\n\tdog -> animal [color=red];\n\
        // more\n  puppy:n -> dog -> pet; {cat; \"house cat\"} -> animal\n  x = 3\n\
        subgraph s { -1.5 }\n}\n";
    for name in ["a.dot", "a.gv", "a"] {
        let graph = read(name, text);
        let expected = [
            ("cat", "animal"),
            ("dog", "animal"),
            ("dog", "pet"),
            ("house cat", "animal"),
            ("puppy", "dog"),
        ];
        assert_eq!(pairs(&graph), expected);
        assert_eq!((label(&graph, "dog"), graph.len()), (Some("the dog"), 7));
    }
}

#[test]
fn dot_backslashes() {
    let text = r#"digraph { "a\b" [label="two\\three\nfour \"five\""]; "a\b" -> "c\"d\\e" }"#;
    let graph = read("a.dot", text);
    assert_eq!(pairs(&graph), [(r"a\b", r#"c"d\\e"#)]);
    assert_eq!(label(&graph, r"a\b"), Some(r#"two\three four "five""#));
}

#[test]
fn dot_damages() {
    for (text, message, at) in [
        ("digraph { a -> }", "an arrow that leads nowhere", (1, Some(15))),
        ("digraph {\n a -> b\n", "the file ends before its brackets are closed", (0, None)),
        ("digraph { a [label=\"b }", "a quote is not closed", (0, None)),
        ("graph { a -- b }", "a graph without arrows has no child and parent", (1, Some(6))),
        ("digraph { a -- b }", "a line without direction", (1, Some(12))),
        ("digraph { } }", "more after the end of the graph", (1, Some(12))),
        ("digraph { a [label] }", "']' in square brackets", (1, Some(19))),
        ("digraph { a -> ! }", "\"!\" where a name was expected", (1, Some(15))),
    ] {
        let error = refused("a.dot", text);
        assert_eq!((syntax(&error), place(&error)), (message, at), "{text}");
    }
}

#[test]
fn newick() {
    let text = "[trees]\n((dog:0.1,'house ''cat''':2e-3)Carnivora:1[&x],(cow,\npig)0.98,whale_shark)\
        Animal;\n";
    for name in ["a.nwk", "a"] {
        let tree = read(name, text);
        let expected = [
            ("Carnivora", "Animal"),
            ("cow", "cow+pig"),
            ("cow+pig", "Animal"),
            ("dog", "Carnivora"),
            ("house 'cat'", "Carnivora"),
            ("pig", "cow+pig"),
            ("whale shark", "Animal"),
        ];
        if name == "a.nwk" {
            assert_eq!(pairs(&tree), expected);
            assert!(said(&tree).ends_with("1 groups without a name, called after their leaves"));
        }
    }
}

#[test]
fn newick_damages() {
    for (text, message) in [
        ("(a,b;", "the tree ends before its brackets are closed"),
        ("(a,b)", "no semicolon at the end"),
        ("(a,b", "the file ends before its brackets are closed"),
        ("(a,b));", "a bracket closes that was not opened"),
        ("(a b,'c)d;", "a quote is not closed"),
        ("(a:x,b)c;", "a length that is no number"),
        ("(a:,b)c;", "a colon without a length after it"),
        ("(a,b)c[;", "a comment is not closed"),
        ("(a,b)(c);", "a bracket opens where a comma was expected"),
    ] {
        assert_eq!(syntax(&refused("a.nwk", text)), message, "{text}");
    }
    let error = refused("a.nwk", "(a,\n,b)c;");
    assert!(matches!(error.problem, Problem::EmptyName), "{error:?}");
    assert_eq!(place(&error).0, 2);
}

/// As the export to JSON writes them.
#[test]
fn json_records_with_alternative_ids() {
    let text =
        r#"[{"id": "a"}, {"id": "b", "parents": ["a"], "alternative_ids": ["old", "older"]}]"#;
    let graph = read("a.json", text);
    assert_eq!(graph.aliases().concept("older"), graph.id("b"));
    assert_eq!(graph.aliases().len(), 2);
}

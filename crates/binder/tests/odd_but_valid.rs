//! Input that is unusual but valid: it must be read, and what is left out must be counted.
//!
//! Input that is refused is in `malformed/`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{self, Read};

use binder::Hierarchy;
use binder::hierarchy::{Cycles, Dropped};
use binder::read::{Format, ReadOptions, read_from};

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Hierarchy {
    read_with(name, bytes, &ReadOptions::default())
}

fn read_with(name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> Hierarchy {
    read_from(bytes.as_ref(), name, options, &()).unwrap_or_else(|error| panic!("{error}"))
}

/// The default options after `change`.
fn with(change: impl FnOnce(&mut ReadOptions)) -> ReadOptions {
    let mut options = ReadOptions::default();
    change(&mut options);
    options
}

/// The direct pairs by name, sorted.
fn pairs(hierarchy: &Hierarchy) -> Vec<(&str, &str)> {
    let name = |id| hierarchy.name(id);
    let mut pairs: Vec<_> =
        hierarchy.pairs().map(|(child, parent)| (name(child), name(parent))).collect();
    pairs.sort_unstable();
    pairs
}

fn label<'h>(hierarchy: &'h Hierarchy, name: &str) -> Option<&'h str> {
    hierarchy.label(hierarchy.id(name).unwrap())
}

fn by(child: &str, parent: &str) -> ReadOptions {
    with(|o| o.columns = Some((child.into(), parent.into())))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut packer = flate2::read::GzEncoder::new(bytes, flate2::Compression::default());
    io::copy(&mut packer, &mut packed).unwrap();
    packed
}

mod edges {
    use super::*;

    #[test]
    fn byte_order_mark_is_not_part_of_a_name() {
        assert_eq!(pairs(&read("a.tsv", "\u{feff}cat\tpet\n")), [("cat", "pet")]);
    }

    #[test]
    fn carriage_returns_are_not_part_of_a_name() {
        assert_eq!(
            pairs(&read("a.tsv", "cat\tpet\r\ndog\tpet\r")),
            [("cat", "pet"), ("dog", "pet")]
        );
        assert_eq!(pairs(&read("a.csv", "cat,\"pet\"\r\n")), [("cat", "pet")]);
    }

    #[test]
    fn last_line_without_a_line_end() {
        assert_eq!(pairs(&read("a.tsv", "cat\tpet\ndog\tpet")), [("cat", "pet"), ("dog", "pet")]);
    }

    #[test]
    fn blank_lines_are_skipped() {
        assert_eq!(pairs(&read("a.tsv", "\n\ncat\tpet\n  \n\r\n")), [("cat", "pet")]);
    }

    #[test]
    fn empty_files_are_the_empty_hierarchy() {
        for name in ["a", "a.tsv", "a.csv", "a.obo", "a.ttl", "a.nt", "a.rdf"] {
            for text in ["", "\n", "\u{feff}", " \n\n"] {
                assert!(read(name, text).is_empty(), "{name} of {text:?}");
            }
        }
        assert!(read("a.tsv.gz", gzip(b"")).is_empty());
    }

    #[test]
    fn spaces_within_names_stay_in_tsv() {
        assert_eq!(pairs(&read("a.tsv", " cat \thouse pet\n")), [(" cat ", "house pet")]);
    }

    #[test]
    fn runs_of_spaces_and_tabs_separate() {
        let options = with(|o| o.format = Some(Format::Spaces));
        assert_eq!(pairs(&read_with("a", "  cat \t pet \n", &options)), [("cat", "pet")]);
    }

    #[test]
    fn duplicate_reflexive_and_implied_pairs_are_counted() {
        let text = "puppy\tdog\ndog\tpet\npuppy\tpet\ndog\tpet\ndog\tpet\ndog\tdog\n";
        let hierarchy = read("a.tsv", text);
        assert_eq!(pairs(&hierarchy), [("dog", "pet"), ("puppy", "dog")]);
        let expected = Dropped { duplicate: 2, reflexive: 1, implied: 1, ..Default::default() };
        assert_eq!(*hierarchy.dropped(), expected);
    }

    #[test]
    fn concept_only_in_a_reflexive_pair_stays() {
        let hierarchy = read("a.tsv", "dog\tdog\n");
        assert_eq!((hierarchy.len(), hierarchy.direct()), (1, 0));
    }

    /// The work must not grow with the square of the number of parents.
    #[test]
    fn one_child_of_very_many_parents() {
        let mut text: String =
            (0..200_000).map(|parent| format!("child\tparent{parent}\n")).collect();
        text += "parent7\tgrandparent\nchild\tgrandparent\n";
        let hierarchy = read("a.tsv", text);
        assert_eq!((hierarchy.direct(), hierarchy.dropped().implied), (200_001, 1));
    }

    #[test]
    fn csv_quotes() {
        let text = "\"cat, tame\",\"the \"\"pet\"\"\"\n\"\"\"\",a\"b\n";
        assert_eq!(pairs(&read("a.csv", text)), [("\"", "a\"b"), ("cat, tame", "the \"pet\"")]);
    }

    #[test]
    fn columns_by_name() {
        let text = "parent,note,child\npet,tame,cat\n";
        assert_eq!(pairs(&read_with("a.csv", text, &by("child", "parent"))), [("cat", "pet")]);
    }

    #[test]
    fn columns_by_number() {
        let text = "pet\ttame\tcat\n";
        assert_eq!(pairs(&read_with("a.tsv", text, &by("3", "1"))), [("cat", "pet")]);
    }

    #[test]
    fn columns_by_number_below_a_header() {
        let options = with(|o| {
            *o = by("3", "1");
            o.header = Some(true);
        });
        let text = "parent\tnote\tchild\npet\ttame\tcat\n";
        assert_eq!(pairs(&read_with("a.tsv", text, &options)), [("cat", "pet")]);
    }

    #[test]
    fn empty_field_beside_the_chosen_columns() {
        assert_eq!(pairs(&read_with("a.tsv", "pet\t\tcat\n", &by("3", "1"))), [("cat", "pet")]);
    }

    #[test]
    fn parent_first() {
        let options = with(|o| o.reversed = true);
        assert_eq!(pairs(&read_with("a.tsv", "pet\tcat\n", &options)), [("cat", "pet")]);
    }

    #[test]
    fn comment_lines() {
        let options = with(|o| o.comment = Some("//".to_owned()));
        let text = "// who\tis\twhat\ncat\tpet\n//\n#1\tpet\n";
        assert_eq!(pairs(&read_with("a.tsv", text, &options)), [("#1", "pet"), ("cat", "pet")]);
    }

    #[test]
    fn merged_cycles_keep_every_name() {
        let options = with(|o| o.cycles = Cycles::Merge);
        let hierarchy =
            read_with("a.tsv", "puppy\tdog\ndog\thound\nhound\tdog\nhound\tpet\n", &options);
        assert_eq!(pairs(&hierarchy), [("dog", "pet"), ("puppy", "dog")]);
        assert_eq!((hierarchy.merged_cycles(), hierarchy.dropped().in_cycle), (1, 2));
        assert_eq!(hierarchy.id("hound"), hierarchy.id("dog"));
        assert_eq!(
            hierarchy.aliases().iter().map(|(alias, _)| alias).collect::<Vec<_>>(),
            ["hound"]
        );
    }
}

mod packed {
    use super::*;

    #[test]
    fn gzip_of_several_members() {
        let packed = [gzip(b"cat\tpet\nd"), gzip(b""), gzip(b"og\tpet\n")].concat();
        assert_eq!(pairs(&read("a.tsv.gz", packed)), [("cat", "pet"), ("dog", "pet")]);
    }

    #[test]
    fn zstd_of_several_frames() {
        let frame = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
        let packed = [frame(b"cat\tpet\nd"), frame(b"og\tpet\n")].concat();
        assert_eq!(pairs(&read("a.tsv.zst", packed)), [("cat", "pet"), ("dog", "pet")]);
    }

    #[test]
    fn compression_is_detected_by_the_bytes_and_not_by_the_name() {
        assert_eq!(pairs(&read("a.tsv", gzip(b"cat\tpet\n"))), [("cat", "pet")]);
        assert_eq!(pairs(&read("a.tsv.gz", b"cat\tpet\n")), [("cat", "pet")]);
    }

    /// Returns one byte per read, like a slow pipe.
    struct Drops(Vec<u8>, usize);

    impl Read for Drops {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let read = (&self.0[self.1..]).read(&mut out[..1])?;
            self.1 += read;
            Ok(read)
        }
    }

    /// The first byte alone does not distinguish gzip from text.
    #[test]
    fn compressed_bytes_that_come_one_by_one() {
        for packed in [gzip(b"cat\tpet\n"), zstd::encode_all(&b"cat\tpet\n"[..], 3).unwrap()] {
            let read = read_from(Drops(packed, 0), "a.tsv", &ReadOptions::default(), &()).unwrap();
            assert_eq!(pairs(&read), [("cat", "pet")]);
        }
    }
}

mod obo {
    use super::*;

    const PETS: &str = "format-version: 1.2\n\n[Term]\nid: P:1\nname: pet\nalt_id: P:9\n\
        alt_id: P:2\n\n\
        [Term]\nid: P:2\nname: dog\nname: hound\nis_a: P:1 ! pet\nrelationship: part_of P:3\n\n\
        [Term]\nid: P:3\n\n[Term]\nid: P:4\nis_a: P:1\nis_obsolete: true\n\n[Term]\nid: P:5\n\
        is_a: P:4\n\n\
        [Typedef]\nid: part_of\nname: part of\n\n[Instance]\nid: P:7\ninstance_of: P:1\n";

    #[test]
    fn terms_are_concepts_and_is_a_are_pairs() {
        let hierarchy = read("a.obo", PETS);
        assert_eq!(pairs(&hierarchy), [("P:2", "P:1")]);
        assert_eq!(hierarchy.len(), 4);
        assert_eq!((label(&hierarchy, "P:2"), label(&hierarchy, "P:3")), (Some("dog"), None));
    }

    #[test]
    fn alternative_ids_are_aliases_unless_a_term_has_them() {
        let hierarchy = read("a.obo", PETS);
        assert_eq!(hierarchy.id("P:9"), hierarchy.id("P:1"));
        assert_ne!(hierarchy.id("P:2"), hierarchy.id("P:1"));
        assert_eq!(hierarchy.aliases().len(), 1);
    }

    #[test]
    fn obsolete_terms_and_their_pairs_are_counted() {
        let hierarchy = read("a.obo", PETS);
        assert_eq!(
            *hierarchy.dropped(),
            Dropped { obsolete: 1, with_obsolete: 2, aliases: 1, ..Default::default() }
        );
        assert_eq!((hierarchy.id("P:4"), hierarchy.id("P:5").is_some()), (None, true));
    }

    #[test]
    fn relations_on_request() {
        let options = with(|o| o.relations = vec!["part_of".to_owned()]);
        assert_eq!(pairs(&read_with("a.obo", PETS, &options)), [("P:2", "P:1"), ("P:2", "P:3")]);
    }

    #[test]
    fn content_tells_the_format() {
        assert_eq!(pairs(&read("a", PETS)), [("P:2", "P:1")]);
    }

    /// The parser panics on these; see `fuzz/seeds/obo`.
    #[test]
    fn comment_lines_in_frames() {
        let text = "! one\nformat-version: 1.2\n! two\n\n[Term]\n! three\nid: P:1\n  ! four\n\
            is_a: P:2\n!five";
        assert_eq!(pairs(&read("a.obo", text)), [("P:1", "P:2")]);
    }

    /// The parser panics on this too.
    #[test]
    fn date_with_a_comma() {
        let text = "[Term]\nid: P:1\ncreation_date: 2020-01-02T10:11:12,5Z\nis_a: P:2\n";
        assert_eq!(pairs(&read("a.obo", text)), [("P:1", "P:2")]);
    }

    #[test]
    fn carriage_returns_byte_order_mark_and_no_last_line_end() {
        let text = format!("\u{feff}{}", PETS.trim_end().replace('\n', "\r\n"));
        assert_eq!(read("a.obo", text), read("a.obo", PETS));
    }
}

mod rdf {
    use super::*;

    const PREFIXES: &str = "@prefix : <http://example.org/> .\n\
        @prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
        @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n";

    fn turtle(text: &str) -> Hierarchy {
        turtle_with(text, &ReadOptions::default())
    }

    fn turtle_with(text: &str, options: &ReadOptions) -> Hierarchy {
        read_with("a.ttl", format!("{PREFIXES}{text}"), options)
    }

    fn short_pairs(hierarchy: &Hierarchy) -> Vec<(&str, &str)> {
        let short = |iri: &'_ str| iri.len() - iri.trim_start_matches("http://example.org/").len();
        pairs(hierarchy)
            .into_iter()
            .map(|(child, parent)| (&child[short(child)..], &parent[short(parent)..]))
            .collect()
    }

    #[test]
    fn subclass_broader_and_narrower() {
        let hierarchy =
            turtle(":a rdfs:subClassOf :b . :b skos:broader :c . :d skos:narrower :c .");
        assert_eq!(short_pairs(&hierarchy), [("a", "b"), ("b", "c"), ("c", "d")]);
    }

    #[test]
    fn classes_and_concepts_without_pairs() {
        let hierarchy = turtle(":a a owl:Class . :b a skos:Concept . :c a rdfs:Class . :d a :e .");
        assert_eq!((hierarchy.len(), hierarchy.direct()), (3, 0));
    }

    #[test]
    fn superclass_without_a_name_is_counted() {
        let hierarchy = turtle(":a rdfs:subClassOf :b, [ a owl:Restriction ] .");
        assert_eq!((short_pairs(&hierarchy), hierarchy.dropped().blank), (vec![("a", "b")], 1));
    }

    #[test]
    fn deprecated_classes_and_their_pairs_are_counted() {
        let text = ":a rdfs:subClassOf :b .\n:c rdfs:subClassOf :b ; owl:deprecated true .\n\
            :d owl:deprecated false .";
        let hierarchy = turtle(text);
        assert_eq!(short_pairs(&hierarchy), [("a", "b")]);
        assert_eq!(
            *hierarchy.dropped(),
            Dropped { obsolete: 1, with_obsolete: 1, ..Default::default() }
        );
    }

    const LABELS: &str = ":a a owl:Class ; rdfs:label \"Hund\"@de, \"Hunderl\"@de-AT,\n\
        \"dog\"@en-GB, \"plain\" .\n\
        :b a owl:Class ; rdfs:label \"chat\"@fr, \"gatto\"@it .\n\
        :c a owl:Class ; rdfs:label \"x\"@fr, \"y\" .";

    fn labels(language: Option<&str>) -> [Option<String>; 3] {
        let options = with(|o| o.language = language.map(str::to_owned));
        let hierarchy = turtle_with(LABELS, &options);
        ["a", "b", "c"]
            .map(|name| label(&hierarchy, &format!("http://example.org/{name}")).map(str::to_owned))
    }

    #[test]
    fn labels_are_english_by_default_then_without_language_then_the_first() {
        assert_eq!(labels(None), ["dog", "chat", "y"].map(|label| Some(label.to_owned())));
    }

    #[test]
    fn labels_in_the_chosen_language() {
        assert_eq!(labels(Some("de")), ["Hund", "chat", "y"].map(|label| Some(label.to_owned())));
        assert_eq!(labels(Some("it")), ["plain", "gatto", "y"].map(|label| Some(label.to_owned())));
    }

    #[test]
    fn language_in_any_case() {
        assert_eq!(labels(Some("DE-AT"))[0].as_deref(), Some("Hunderl"));
        assert_eq!(labels(Some("De"))[0].as_deref(), Some("Hund"));
    }

    /// Labels come from a hash map; which of them is kept must not depend on its order.
    #[test]
    fn merged_cycle_keeps_the_label_of_the_name_seen_first() {
        let options = with(|o| o.cycles = Cycles::Merge);
        for _ in 0..20 {
            let text = ":a rdfs:subClassOf :b . :b rdfs:subClassOf :c . :c rdfs:subClassOf :a .\n\
                :c rdfs:label \"c\" . :b rdfs:label \"b\" . :a rdfs:label \"a\" .";
            let hierarchy = turtle_with(text, &options);
            assert_eq!((hierarchy.len(), hierarchy.aliases().len()), (1, 2));
            assert_eq!(label(&hierarchy, "http://example.org/c"), Some("a"));
        }
    }

    #[test]
    fn ntriples_with_comments_and_blank_lines() {
        let text =
            "# pets\n\n<a:a> <http://www.w3.org/2004/02/skos/core#broader> <a:b> . # tame\r\n";
        assert_eq!(pairs(&read("a.nt", text)), [("a:a", "a:b")]);
        assert_eq!(pairs(&read("a", text.replace("# tame", ""))), [("a:a", "a:b")]);
    }

    #[test]
    fn xml_with_entities_that_stay_short() {
        let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE rdf:RDF [\n\
            <!ENTITY ex\n  \"http://example.org/\">\n\
            <!ENTITY dog \"&ex;dog\"> <!ENTITY rdfs \"http://www.w3.org/2000/01/rdf-schema#\">]>\n\
            <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n\
            xmlns:rdfs=\"&rdfs;\">\n\
            <rdf:Description rdf:about=\"&dog;\">\n\
            <rdfs:subClassOf rdf:resource=\"&ex;pet\"/></rdf:Description>\n\
            </rdf:RDF>\n<!-- the end -->\n";
        assert_eq!(short_pairs(&read("a.rdf", text)), [("dog", "pet")]);
        assert_eq!(short_pairs(&read("a.owl", text)), [("dog", "pet")]);
    }

    #[test]
    fn xml_of_one_empty_tag() {
        let text = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/>";
        assert!(read("a.rdf", text).is_empty());
    }
}

mod wordnet {
    use super::*;

    fn tiny(options: &ReadOptions) -> Hierarchy {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/wordnet-tiny");
        binder::read(folder, options, &()).unwrap()
    }

    #[test]
    fn nouns_are_named_as_nltk_does() {
        let hierarchy = tiny(&ReadOptions::default());
        let expected = [
            ("animal.n.01", "thing.n.01"),
            ("dog.n.01", "animal.n.01"),
            ("dog.n.02", "person.n.01"),
            ("person.n.01", "animal.n.01"),
            ("rex.n.01", "dog.n.01"),
        ];
        assert_eq!(pairs(&hierarchy), expected);
        assert_eq!(label(&hierarchy, "dog.n.01"), Some("dog, domestic dog"));
    }

    #[test]
    fn verbs_on_request_and_their_cycle_merged() {
        let options = with(|o| {
            o.verbs = true;
            o.cycles = Cycles::Merge;
        });
        let hierarchy = tiny(&options);
        assert_eq!(pairs(&hierarchy), [("inhibit.v.01", "act.v.01")]);
        assert_eq!(hierarchy.id("restrain.v.01"), hierarchy.id("inhibit.v.01"));
    }

    #[test]
    fn path_to_a_data_file_means_it_and_its_index() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/wordnet-tiny/data.noun");
        let options = with(|o| o.format = Some(Format::WordNet));
        assert_eq!(binder::read(file, &options, &()).unwrap(), tiny(&ReadOptions::default()));
    }
}

mod model {
    use super::*;
    use binder::{Codes, Model};

    /// A note that looks like the checksum must not be confused with it.
    #[test]
    fn note_that_looks_like_the_checksum() {
        let pets = read("a.tsv", "cat\tpet\n");
        let model = Model::new(pets, Codes::zeros(2, 1).unwrap())
            .unwrap()
            .with_note("a\"checksum", "crc32:not really");
        let opened = Model::from_bytes(&model.to_bytes()).unwrap();
        assert_eq!(opened.notes()["a\"checksum"], "crc32:not really");
        assert_eq!(opened.to_bytes(), model.to_bytes());
    }
}

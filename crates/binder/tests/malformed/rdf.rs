//! RDF as Turtle, N-Triples and XML.

use binder::hierarchy::CycleError;
use binder::read::{Format, Problem};

use crate::{at, refused, syntax};

const START: &str = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
                     xmlns:rdfs=\"http://www.w3.org/2000/01/rdf-schema#\">\n";

#[test]
fn turtle_prefix_that_was_not_declared() {
    let error = refused("a.ttl", "@prefix : <http://example.org/> .\n:a :b ex:c .\n");
    assert!(syntax(&error, Format::Turtle).contains("ex:"), "{error}");
    assert_eq!(error.position, at(2, 7));
}

#[test]
fn turtle_string_that_is_not_closed() {
    let error = refused("a.ttl", "@prefix : <http://example.org/> .\n:a :b \"c .\n");
    syntax(&error, Format::Turtle);
    assert_eq!(error.position, at(2, 7));
}

#[test]
fn turtle_relative_iri_without_a_base() {
    let error = refused("a.ttl", "\n<dog> <b:b> <c:c> .\n");
    syntax(&error, Format::Turtle);
    assert_eq!(error.position, at(2, 1));
}

#[test]
fn turtle_literal_as_a_subject() {
    let error = refused("a.ttl", "\"dog\" <b:b> <c:c> .\n");
    syntax(&error, Format::Turtle);
    assert_eq!(error.position, at(1, 1));
}

#[test]
fn turtle_column_counts_characters() {
    let error = refused("a.ttl", "@prefix : <http://example.org/> .\n:ä :ö ex:ü .\n");
    assert_eq!(error.position, at(2, 7));
}

#[test]
fn turtle_truncated() {
    let error = refused("a.ttl", "@prefix : <http://example.org/> .\n:a :b :c ;\n  :d ");
    syntax(&error, Format::Turtle);
    assert_eq!(error.position.map(|position| position.line), Some(3));
}

#[test]
fn ntriples_without_a_full_stop() {
    let error = refused("a.nt", "<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:c>\n<a:d> <a:e> <a:f> .\n");
    syntax(&error, Format::NTriples);
    assert_eq!(error.position, at(3, 1));
}

#[test]
fn ntriples_with_a_relative_iri() {
    let error = refused("a.nt", "<a:a> <a:b> <c> .\n");
    syntax(&error, Format::NTriples);
    assert_eq!(error.position, at(1, 13));
}

#[test]
fn ntriples_with_a_literal_as_a_predicate() {
    let error = refused("a.nt", "<a:a> \"b\" <a:c> .\n");
    syntax(&error, Format::NTriples);
    assert_eq!(error.position, at(1, 7));
}

#[test]
fn ntriples_truncated() {
    let error = refused("a.nt", "<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:");
    syntax(&error, Format::NTriples);
    assert_eq!(error.position.map(|position| position.line), Some(2));
}

#[test]
fn xml_tag_that_is_closed_by_another() {
    let error = refused("a.rdf", format!("{START}<rdf:Description>\n</rdf:RDF>\n"));
    syntax(&error, Format::RdfXml);
    assert_eq!(error.position, at(3, None));
}

#[test]
fn xml_prefix_that_was_not_declared() {
    let error = refused("a.rdf", format!("{START}\n<owl:Class/>\n</rdf:RDF>\n"));
    syntax(&error, Format::RdfXml);
    assert_eq!(error.position, at(3, None));
}

#[test]
fn xml_entity_that_was_not_declared() {
    let error =
        refused("a.rdf", format!("{START}<rdf:Description rdf:about=\"&ex;a\"/>\n</rdf:RDF>\n"));
    syntax(&error, Format::RdfXml);
    assert_eq!(error.position, at(2, None));
}

#[test]
fn xml_relative_iri_without_a_base() {
    let error =
        refused("a.rdf", format!("{START}<rdf:Description rdf:about=\"dog\"/>\n</rdf:RDF>\n"));
    syntax(&error, Format::RdfXml);
    assert_eq!(error.position, at(2, None));
}

#[test]
fn xml_truncated_in_a_tag() {
    let error = refused("a.rdf", format!("{START}<rdf:Descrip"));
    syntax(&error, Format::RdfXml);
    assert_eq!(error.position, at(2, None));
}

#[test]
fn xml_truncated_before_the_last_tag() {
    for rest in
        ["", "<rdf:Description/>\n", "<!-- more -->\n", "<rdf:Description>\n</rdf:Description>"]
    {
        let text = format!("{START}{rest}");
        let error = refused("a.rdf", &text);
        assert_eq!(syntax(&error, Format::RdfXml), "the file ends before its tags are closed");
        assert_eq!(error.position, at(text.lines().count() as u64, None));
    }
}

#[test]
fn xml_truncated_in_a_comment() {
    let error = refused("a.rdf", format!("{START}<!-- more"));
    syntax(&error, Format::RdfXml);
    assert_eq!(error.position, at(2, None));
}

#[test]
fn xml_that_continues_after_the_last_tag() {
    let error = refused("a.rdf", format!("{START}</rdf:RDF>\n</rdf:RDF>\n"));
    syntax(&error, Format::RdfXml);
    assert_eq!(error.position, at(3, None));
}

/// Ten levels of ten: three kilobytes that the XML parser alone would expand to ten gigabytes.
#[test]
fn xml_entities_that_multiply() {
    let mut text = "<!DOCTYPE rdf:RDF [\n<!ENTITY e0 \"http://example.org/\">\n".to_owned();
    for level in 1..10 {
        let below = format!("&e{};", level - 1).repeat(10);
        text += &format!("<!ENTITY e{level}\n\"{below}\">\n");
    }
    let error = refused("a.rdf", text + "]>\n" + START + "</rdf:RDF>\n");
    assert_eq!(
        syntax(&error, Format::RdfXml),
        "an XML entity that stands for more than 1024 bytes"
    );
    assert_eq!(error.position, at(6, None));
}

#[test]
fn xml_entity_that_is_too_long() {
    let long = "a".repeat(2000);
    let error = refused("a.rdf", format!("<!DOCTYPE x [ <!ENTITY a \"{long}\"> ]>\n{START}"));
    assert_eq!(
        syntax(&error, Format::RdfXml),
        "an XML entity that stands for more than 1024 bytes"
    );
    assert_eq!(error.position, at(1, None));
}

#[test]
fn xml_entity_that_does_not_end() {
    let lines = "a a a a a a a a\n".repeat(200);
    let error = refused("a.rdf", format!("<!DOCTYPE x [ <!ENTITY a \"{lines}\n"));
    assert_eq!(
        syntax(&error, Format::RdfXml),
        "an XML entity that stands for more than 1024 bytes"
    );
    assert_eq!(error.position, at(128, None));
}

#[test]
fn cycle_lists_all_its_names() {
    let narrower = "<http://www.w3.org/2004/02/skos/core#narrower>";
    let error = refused("a.nt", format!("<a:a> {narrower} <a:b> .\n<a:b> {narrower} <a:a> .\n"));
    let Problem::Cycle(CycleError { names }) = &error.problem else { panic!("{error:?}") };
    assert_eq!(names, &["a:b", "a:a"]);
    assert_eq!(error.position, None);
}

/// The reader adds a closing tag of its own after the text. A file with the same tag inside must
/// not hide the text after it.
#[test]
fn xml_with_the_closing_tag_of_the_reader_inside() {
    let file = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n</rdf:RDF>\n\
        </binder-end-of-file>\n<<<< more\n";
    let error = refused("a.rdf", file);
    assert!(matches!(error.problem, Problem::Syntax { .. }), "{error:?}");
    let error = refused("a.rdf", &file[..file.len() - "<<<< more\n".len()]);
    assert!(matches!(error.problem, Problem::Syntax { .. }), "{error:?}");
}

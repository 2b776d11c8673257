//! RDF in all its syntaxes, OWL, OBO, OBO graphs, WN-LMF.

use binder::hierarchy::Scope;
use binder::read::Problem;

use super::*;

const SUB: &str = "http://www.w3.org/2000/01/rdf-schema#subClassOf";

#[test]
fn every_syntax_of_rdf() {
    let turtle = format!("@prefix : <a:> . :dog <{SUB}> :animal .");
    let samples = [
        ("a.ttl", turtle.clone()),
        ("a.n3", turtle.clone()),
        ("a.trig", format!("@prefix : <a:> . :g {{ :dog <{SUB}> :animal }}")),
        ("a.nt", format!("<a:dog> <{SUB}> <a:animal> .\n")),
        ("a.nq", format!("<a:dog> <{SUB}> <a:animal> <a:g> .\n")),
        ("a", format!("<a:dog> <{SUB}> <a:animal> <a:g> .\n")),
        ("a.jsonld", format!(r#"{{"@id":"a:dog","{SUB}":{{"@id":"a:animal"}}}}"#)),
        ("a.json", format!(r#"{{"@id":"a:dog","{SUB}":{{"@id":"a:animal"}}}}"#)),
    ];
    for (name, text) in samples {
        assert_eq!(pairs(&read(name, text)), [("a:dog", "a:animal")], "{name}");
    }
}

#[test]
fn rdf_damages() {
    for (name, text) in [
        ("a.nq", "<a:a> <a:b> <a:c> <a:d> <a:e> .\n"),
        ("a.nq", "<a:a> <a:b> <a:"),
        ("a.trig", "@prefix : <a:> . :g { :a :b :c "),
        ("a.n3", "@prefix : <a:> . :a :b "),
        ("a.jsonld", "{\"@id\":\"a:a\","),
        ("a.jsonld", "{\"@context\":\"https://example.org/context\",\"@id\":\"a\"}"),
    ] {
        let error = refused(name, text);
        assert!(matches!(error.problem, Problem::Syntax { .. }), "{name}: {error:?}");
    }
}

const TEXTS: &str = "@prefix : <a:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix o: <http://www.geneontology.org/formats/oboInOwl#> .
:dog rdfs:subClassOf :animal ; rdfs:label \"dog\"@en, \"Hund\"@de ; rdfs:comment \"Barks.\" ;
  skos:altLabel \"hound\"@en, \"Köter\"@de ; o:hasNarrowSynonym \"puppy\" .\n";

#[test]
fn rdf_texts() {
    let pets = read("a.ttl", TEXTS);
    assert_eq!((label(&pets, "a:dog"), definition(&pets, "a:dog")), (Some("dog"), Some("Barks.")));
    let id = pets.id("a:dog").unwrap();
    let all: Vec<_> = pets.synonyms(id).map(|s| (s.text, s.scope)).collect();
    assert_eq!(all, [("hound", Scope::Exact), ("puppy", Scope::Narrow)]);
    let german = read_with("a.ttl", TEXTS, |o| o.language = Some("de".to_owned()));
    assert_eq!(label(&german, "a:dog"), Some("Hund"));
    assert_eq!(synonyms(&german, "a:dog"), ["Köter", "puppy"]);
}

const WIKIDATA: &str = "@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> . @prefix s: <http://schema.org/> .
wd:Q144 wdt:P279 wd:Q39201 ; s:name \"dog\"@en ; s:description \"pet\"@en .
wd:Q39201 wdt:P31 wd:Q1 ; s:name \"pet\"@en .\n";

#[test]
fn any_vocabulary() {
    for relation in ["wdt:P279", "http://www.wikidata.org/prop/direct/P279"] {
        let pets = read_with("a.ttl", WIKIDATA, |o| {
            o.relations = vec![relation.to_owned()];
            o.label = Some("s:name".into());
            o.definition = Some("s:description".into());
        });
        let dog = "http://www.wikidata.org/entity/Q144";
        assert_eq!(pairs(&pets), [(dog, "http://www.wikidata.org/entity/Q39201")]);
        assert_eq!((label(&pets, dog), definition(&pets, dog)), (Some("dog"), Some("pet")));
    }
}

#[test]
fn relation_the_other_way_round() {
    let text = "@prefix x: <http://x/> . x:animal x:has x:dog .";
    let turned = read_with("a.ttl", text, |o| o.relations = vec!["^x:has".to_owned()]);
    assert_eq!(pairs(&turned), [("http://x/dog", "http://x/animal")]);
}

#[test]
fn rdf_without_a_known_relation_lists_the_properties() {
    let error = refused("a.ttl", WIKIDATA);
    assert_eq!(
        error.problem.to_string(),
        "no property says what is above what; there are http://schema.org/name (2), \
         http://schema.org/description (1), http://www.wikidata.org/prop/direct/P279 (1), \
         http://www.wikidata.org/prop/direct/P31 (1)"
    );
}

#[test]
fn rdf_relation_that_is_not_there() {
    let error = refused_with("a.ttl", WIKIDATA, |o| o.relations = vec!["wdt:P171".to_owned()]);
    assert!(error.to_string().contains("no relation \"wdt:P171\"; there are http://schema"));
}

const OWL: &str = "@prefix : <a:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:guide a owl:Class ; rdfs:subClassOf [ owl:intersectionOf ( :dog :helper [ a owl:Restriction ] ) ] .
:pup owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( :dog [ a owl:Restriction ] ) ] .
:dog rdfs:subClassOf :animal, [ a owl:Restriction ] .\n";

#[test]
fn named_classes_of_intersections() {
    let pets = read("a.ttl", OWL);
    let expected =
        [("a:dog", "a:animal"), ("a:guide", "a:dog"), ("a:guide", "a:helper"), ("a:pup", "a:dog")];
    assert_eq!(pairs(&pets), expected);
    assert_eq!(pets.dropped().blank, 2);
}

#[test]
fn list_that_bites_its_tail() {
    let text = "@prefix : <a:> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:a rdfs:subClassOf _:x . _:x owl:intersectionOf _:l . _:l rdf:first :b ; rdf:rest _:l .
_:l rdf:first _:x .";
    assert!(read("a.ttl", text).direct() <= 1);
}

const FUNCTIONAL: &str = "Prefix(:=<a:>)\nPrefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)\n\
Ontology(<http://x/pets> <http://x/pets/1>\n# pets\nAnnotation(rdfs:label \"pets\")\n\
Declaration(Class(:cat))\n\
SubClassOf(Annotation(rdfs:comment \"sure\") :dog ObjectIntersectionOf(:animal <a:pet> \
ObjectSomeValuesFrom(:has :tail)))\n\
SubClassOf(:dog ObjectMinCardinality(2 :has :ear))\n\
EquivalentClasses(:pup ObjectIntersectionOf(:dog ObjectSomeValuesFrom(:is :young)))\n\
AnnotationAssertion(rdfs:label :dog \"the \\\"dog\\\"\"@en)\n\
AnnotationAssertion(rdfs:comment :dog \"barks\"^^<http://www.w3.org/2001/XMLSchema#string>)\n\
AnnotationAssertion(<http://www.w3.org/2002/07/owl#deprecated> :old \"true\"^^xsd:boolean)\n\
SubClassOf(:old :animal)\n)\n";

const OWL_XML: &str = r##"<?xml version="1.0"?>
<!DOCTYPE Ontology [ <!ENTITY a "a:"> ]>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="a:x" ontologyIRI="a:x">
<Prefix name="" IRI="a:"/><Prefix name="rdfs" IRI="http://www.w3.org/2000/01/rdf-schema#"/>
<Declaration><Class abbreviatedIRI=":cat"/></Declaration>
<SubClassOf><Annotation><AnnotationProperty abbreviatedIRI="rdfs:comment"/><Literal>sure</Literal></Annotation>
<Class IRI="&a;dog"/><ObjectIntersectionOf><Class IRI="a:animal"/><Class IRI="a:pet"/>
<ObjectSomeValuesFrom><ObjectProperty IRI="a:has"/><Class IRI="a:tail"/></ObjectSomeValuesFrom>
</ObjectIntersectionOf></SubClassOf>
<SubClassOf><Class IRI="a:dog"/><ObjectMinCardinality cardinality="2"><ObjectProperty IRI="a:has"/></ObjectMinCardinality></SubClassOf>
<EquivalentClasses><Class IRI="a:pup"/><ObjectIntersectionOf><Class IRI="a:dog"/><ObjectSomeValuesFrom><ObjectProperty IRI="a:is"/><Class IRI="a:young"/></ObjectSomeValuesFrom></ObjectIntersectionOf></EquivalentClasses>
<AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/><IRI>a:dog</IRI><Literal xml:lang="en">the "dog"</Literal></AnnotationAssertion>
<AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:comment"/><IRI>a:dog</IRI><Literal>barks</Literal></AnnotationAssertion>
<AnnotationAssertion><AnnotationProperty abbreviatedIRI="owl:deprecated"/><AbbreviatedIRI>:old</AbbreviatedIRI><Literal>true</Literal></AnnotationAssertion>
<SubClassOf><Class IRI="a:old"/><Class IRI="a:animal"/></SubClassOf>
</Ontology>
"##;

#[test]
fn owl_in_its_two_other_syntaxes() {
    for (name, text) in
        [("a.ofn", FUNCTIONAL), ("a.owl", FUNCTIONAL), ("a.owx", OWL_XML), ("a.owl", OWL_XML)]
    {
        let pets = read(name, text);
        let expected = [("a:dog", "a:animal"), ("a:dog", "a:pet"), ("a:pup", "a:dog")];
        assert_eq!(pairs(&pets), expected, "{name}");
        assert_eq!(pets.len(), 5, "{name}");
        assert_eq!(label(&pets, "a:dog"), Some("the \"dog\""));
        assert_eq!(definition(&pets, "a:dog"), Some("barks"));
        assert_eq!((pets.dropped().blank, pets.dropped().obsolete), (2, 1), "{name}");
    }
}

#[test]
fn functional_damages() {
    for (text, message, line) in [
        ("Ontology(\nSubClassOf(:a :b))", "the prefix \"\" was not declared", 2),
        ("Ontology(SubClassOf(<a:a> <a:b>)", "the file ends before its ontology is closed", 0),
        ("Ontology()\n)", "more after the end of the ontology", 2),
        ("Ontology(SubClassOf(<a:a", "an IRI is not closed on its line", 1),
        ("Ontology(X(\"a))", "a quote is not closed", 0),
        ("Ontology(())", "a bracket without a name before it", 1),
        ("Nonsense(a)", "\"Nonsense\" where Prefix or Ontology was expected", 1),
        ("Ontology(X(dog))", "\"dog\" is neither an IRI nor a prefixed name", 1),
    ] {
        let error = refused("a.ofn", text);
        assert_eq!((syntax(&error), place(&error).0), (message, line), "{text}");
    }
    let deep = format!("Ontology({}", "A(".repeat(100_000));
    assert_eq!(syntax(&refused("a.ofn", deep)), "too many expressions within one another");
}

#[test]
fn owl_xml_damages() {
    let cut = refused("a.owx", &OWL_XML[..OWL_XML.len() - 12]);
    assert_eq!(syntax(&cut), "the file ends before its tags are closed");
    let prefix = refused("a.owx", OWL_XML.replace("\":cat\"", "\"z:cat\""));
    assert_eq!(syntax(&prefix), "the prefix of \"z:cat\" was not declared");
    assert_eq!(place(&prefix), (5, None));
    let root = refused("a.owx", "<?xml version=\"1.0\"?>\n<Thing></Thing>\n");
    assert_eq!(syntax(&root), "<Thing> where <Ontology> was expected");
}

const OBO: &str = "format-version: 1.2\n\n[Term]\nid: A:1\nname: dog\n\
    def: \"Barks, \\\"loudly\\\".\" [x:1]\n\
    synonym: \"hound\" EXACT []\nsynonym: \"pup\" NARROW [x:2]\nis_a: A:2\n\
    relationship: part_of A:3\n\n[Term]\nid: A:2\n\n[Term]\nid: A:3\n";

#[test]
fn obo_synonyms_and_definitions() {
    let pets = read("a.obo", OBO);
    let id = pets.id("A:1").unwrap();
    let all: Vec<_> = pets.synonyms(id).map(|s| (s.text, s.scope)).collect();
    assert_eq!(all, [("hound", Scope::Exact), ("pup", Scope::Narrow)]);
    assert_eq!(pets.definition(id), Some("Barks, \"loudly\"."));
    assert_eq!(
        said(&pets),
        "obo: child = the term, parent = what its is_a names; A:1 (dog) is-a A:2"
    );
}

#[test]
fn obo_relation_that_no_term_has() {
    let error = refused_with("a.obo", OBO, |o| o.relations = vec!["has_part".to_owned()]);
    assert_eq!(error.to_string(), "a.obo: no relation \"has_part\"; there are part_of");
}

#[test]
fn obo_bad_lines_leniently() {
    let text = OBO.replace("name: dog\n", "name: dog\nnickname: rex\nis_a A:9\n");
    assert_eq!(place(&refused("a.obo", &text)), (6, Some(1)));
    let pets = read_with("a.obo", text, |o| o.lenient = true);
    assert_eq!((pairs(&pets), label(&pets, "A:1")), (vec![("A:1", "A:2")], Some("dog")));
    assert!(said(&pets).ends_with("2 lines that are not valid OBO left out"), "{}", said(&pets));
}

const OBOGRAPH: &str = r#"{"graphs":[{"id":"x","nodes":[
    {"id":"x/A_1","lbl":"dog","type":"CLASS","meta":{"definition":{"val":"Barks."},
     "synonyms":[{"pred":"hasExactSynonym","val":"hound"}],
     "basicPropertyValues":[{"pred":"oio#hasAlternativeId","val":"A:9"}]}},
    {"id":"x/A_2","lbl":"animal","type":"CLASS"},
    {"id":"x/A_3","type":"CLASS","meta":{"deprecated":true}},
    {"id":"x/BFO_50","lbl":"part of","type":"PROPERTY"}],
    "edges":[{"sub":"x/A_1","pred":"is_a","obj":"x/A_2"},
     {"sub":"x/A_2","pred":"x/BFO_50","obj":"x/A_4"}]}]}"#;

#[test]
fn obo_graph() {
    let pets = read("a.json", OBOGRAPH);
    assert_eq!((pairs(&pets), pets.len()), (vec![("x/A_1", "x/A_2")], 2));
    assert_eq!((label(&pets, "A:9"), definition(&pets, "x/A_1")), (Some("dog"), Some("Barks.")));
    assert_eq!(synonyms(&pets, "x/A_1"), ["hound"]);
    for relation in ["part_of", "x/BFO_50", "BFO_50"] {
        let parts = read_with("a.json", OBOGRAPH, |o| o.relations = vec![relation.to_owned()]);
        assert_eq!(parts.direct(), 2, "{relation}");
    }
}

#[test]
fn obo_graph_damages() {
    let relation = refused_with("a.json", OBOGRAPH, |o| o.relations = vec!["of".to_owned()]);
    assert!(relation.to_string().contains("no relation \"of\"; there are x/BFO_50"), "{relation}");
    let edge = OBOGRAPH.replace("\"obj\":\"x/A_2\"", "\"to\":\"x/A_2\"");
    assert!(refused("a.json", edge).to_string().contains("record 1: not valid obograph: an edge"));
    let node = OBOGRAPH.replace("\"id\":\"x/A_2\",", "");
    assert_eq!(syntax(&refused("a.json", node)), "a node without an id");
    let list = r#"{"graphs":{"a":1}}"#;
    assert_eq!(syntax(&refused("a.json", list)), "no list of \"graphs\"");
}

const LMF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">
<LexicalResource xmlns:dc="http://purl.org/dc/elements/1.1/">
<Lexicon id="x" label="X" language="en">
<LexicalEntry id="x-dog-n"><Lemma writtenForm="dog" partOfSpeech="n"/><Sense id="x-dog-1" synset="x-1-n"/></LexicalEntry>
<LexicalEntry id="x-hound-n"><Lemma writtenForm="hound" partOfSpeech="n"/><Sense id="x-hound-1" synset="x-1-n"/></LexicalEntry>
<Synset id="x-1-n" ili="i1" partOfSpeech="n" members="x-hound-1 x-dog-1"><Definition>barks</Definition><SynsetRelation relType="hypernym" target="x-2-n"/></Synset>
<Synset id="x-2-n" ili="i2" partOfSpeech="n"><Definition>moves</Definition></Synset>
<Synset id="x-3-v" ili="i3" partOfSpeech="v"><Definition>to bark</Definition></Synset>
</Lexicon>
</LexicalResource>
"#;

#[test]
fn lmf() {
    let pets = read("a.xml", LMF);
    assert_eq!((pairs(&pets), pets.len()), (vec![("x-1-n", "x-2-n")], 2));
    assert_eq!(
        (label(&pets, "x-1-n"), definition(&pets, "x-1-n")),
        (Some("hound, dog"), Some("barks"))
    );
    assert_eq!(synonyms(&pets, "x-1-n"), ["hound", "dog"]);
    assert!(said(&pets).ends_with("1 synsets of other parts of speech left out"));
    assert_eq!(read_with("a.xml", LMF, |o| o.verbs = true).len(), 1);
}

#[test]
fn lmf_damages() {
    let cut = refused("a.xml", &LMF[..LMF.len() - 19]);
    assert_eq!(syntax(&cut), "the file ends before its tags are closed");
    let error = refused("a.xml", LMF.replace(" synset=\"x-1-n\"", ""));
    assert_eq!(syntax(&error), "<Sense> without the attribute synset");
    assert_eq!(place(&error), (5, None));
}

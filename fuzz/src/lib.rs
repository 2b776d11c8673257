//! The fuzz targets as plain functions.
//!
//! They are here and not in the targets so that `tests/seeds.rs` can run them on stable Rust. A
//! target fails if it panics, either in the code under test or because a law about the result does
//! not hold.
//!
//! ```text
//! cargo +nightly fuzz run edges fuzz/corpus/edges fuzz/seeds/edges
//! cargo test --manifest-path fuzz/Cargo.toml
//! ```

use std::fs;
use std::io::{self, Read, Write};

use binder::hierarchy::Cycles;
use binder::place::Placer;
use binder::read::{Column, Format, ReadError, ReadOptions, read_from};
use binder::{Checkpoint, Hierarchy, Model};
use binder_baselines::{Baseline, BaselineCheckpoint};
use tempfile::TempDir;

/// The separator between index and data in an input for [`wordnet`].
pub const WORDNET_PARTS: &[u8] = b"----\n";

/// A target by its name.
pub type Target = fn(&[u8]);

/// All targets; each has a folder of seeds under its name.
pub const TARGETS: [(&str, Target); 29] = [
    ("edges", edges),
    ("wordnet", wordnet),
    ("obo", obo),
    ("turtle", turtle),
    ("ntriples", ntriples),
    ("rdfxml", rdfxml),
    ("paths", paths),
    ("outline", outline),
    ("json", json),
    ("jsonl", jsonl),
    ("graphml", graphml),
    ("dot", dot),
    ("newick", newick),
    ("lmf", lmf),
    ("obograph", obograph),
    ("functional", functional),
    ("owlxml", owlxml),
    ("nquads", nquads),
    ("trig", trig),
    ("n3", n3),
    ("jsonld", jsonld),
    ("columns", columns),
    ("packed", packed),
    ("detect", detect),
    ("model", model),
    ("checkpoint", checkpoint),
    ("placer", placer),
    ("baseline", baseline),
    ("baseline_checkpoint", baseline_checkpoint),
];

/// An edge list, in each of its formats and with every option.
pub fn edges(data: &[u8]) {
    let columns = |child: &str, parent: &str| Some((Column::from(child), Column::from(parent)));
    let options = [
        ReadOptions::default(),
        with(|o| {
            o.header = Some(true);
            o.cycles = Cycles::Merge;
        }),
        with(|o| o.columns = columns("child", "parent")),
        with(|o| {
            o.columns = columns("3", "1");
            o.comment = Some("#".to_owned());
        }),
        with(|o| {
            o.reversed = true;
            o.cycles = Cycles::Merge;
        }),
    ];
    for format in [Format::Tsv, Format::Csv, Format::Spaces] {
        for options in &options {
            read_as(data, format, options);
        }
    }
}

/// The nouns and the verbs of a WordNet folder; the input is an index, [`WORDNET_PARTS`] and the
/// data.
pub fn wordnet(data: &[u8]) {
    thread_local! {
        static FOLDER: TempDir = tempfile::tempdir().expect("a temporary folder");
    }
    let cut = data.windows(WORDNET_PARTS.len()).position(|part| part == WORDNET_PARTS);
    let (index, data) =
        cut.map_or((data, &[][..]), |at| (&data[..at], &data[at + WORDNET_PARTS.len()..]));
    FOLDER.with(|folder| {
        let write = |name: &str, bytes: &[u8]| {
            fs::write(folder.path().join(name), bytes).expect("a file in the temporary folder");
        };
        write("index.noun", index);
        write("data.noun", data);
        let options = with(|o| o.cycles = Cycles::Merge);
        let path = folder.path().to_str().expect("a temporary folder has a plain name");
        check(binder::read(path, &options, &()));
    });
}

/// An OBO file, with and without a relation that counts as is-a.
pub fn obo(data: &[u8]) {
    read_as(data, Format::Obo, &ReadOptions::default());
    let relations = vec!["part_of".to_owned()];
    read_as(
        data,
        Format::Obo,
        &with(|o| {
            o.relations = relations;
            o.cycles = Cycles::Merge;
        }),
    );
}

/// RDF as Turtle.
pub fn turtle(data: &[u8]) {
    rdf(data, Format::Turtle);
}

/// RDF as N-Triples.
pub fn ntriples(data: &[u8]) {
    rdf(data, Format::NTriples);
}

/// RDF as XML.
pub fn rdfxml(data: &[u8]) {
    rdf(data, Format::RdfXml);
}

fn rdf(data: &[u8], format: Format) {
    read_as(data, format, &ReadOptions::default());
    let language = Some("de-AT".to_owned());
    read_as(
        data,
        format,
        &with(|o| {
            o.language = language;
            o.cycles = Cycles::Merge;
        }),
    );
}

/// Path lines.
pub fn paths(data: &[u8]) {
    read_both_ways(data, Format::Paths);
}

/// An outline.
pub fn outline(data: &[u8]) {
    read_both_ways(data, Format::Outline);
}

/// JSON of any structure.
pub fn json(data: &[u8]) {
    read_both_ways(data, Format::Json);
}

/// JSON lines.
pub fn jsonl(data: &[u8]) {
    read_both_ways(data, Format::JsonLines);
}

/// GraphML.
pub fn graphml(data: &[u8]) {
    read_both_ways(data, Format::GraphMl);
}

/// Graphviz's DOT.
pub fn dot(data: &[u8]) {
    read_both_ways(data, Format::Dot);
}

/// Trees in Newick form.
pub fn newick(data: &[u8]) {
    read_both_ways(data, Format::Newick);
}

/// A wordnet as WN-LMF.
pub fn lmf(data: &[u8]) {
    read_both_ways(data, Format::Lmf);
}

/// An OBO graph as JSON.
pub fn obograph(data: &[u8]) {
    read_both_ways(data, Format::ObographJson);
}

/// OWL in its functional syntax.
pub fn functional(data: &[u8]) {
    read_both_ways(data, Format::Functional);
}

/// OWL as XML.
pub fn owlxml(data: &[u8]) {
    read_both_ways(data, Format::OwlXml);
}

/// RDF as N-Quads.
pub fn nquads(data: &[u8]) {
    rdf(data, Format::NQuads);
}

/// RDF as TriG.
pub fn trig(data: &[u8]) {
    rdf(data, Format::TriG);
}

/// RDF as N3.
pub fn n3(data: &[u8]) {
    rdf(data, Format::N3);
}

/// RDF as JSON-LD.
pub fn jsonld(data: &[u8]) {
    rdf(data, Format::JsonLd);
}

/// A Parquet or Arrow file, or anything else that is told by its first bytes.
pub fn columns(data: &[u8]) {
    check(read_from(data, "input", &ReadOptions::default(), &()));
    check(read_from(
        data,
        "input",
        &with(|o| o.columns = Some((Column::Number(1), Column::Number(2)))),
        &(),
    ));
}

/// A compressed file or an archive.
pub fn packed(data: &[u8]) {
    let options = with(|o| {
        o.max_bytes = Some(1 << 20);
        o.cycles = Cycles::Merge;
    });
    check(read_from(data, "input.tsv", &options, &()));
}

/// Reads a format as it is and, if it has a direction that can be turned, the other way round.
fn read_both_ways(data: &[u8], format: Format) {
    read_as(data, format, &ReadOptions::default());
    read_as(data, format, &with(|o| o.cycles = Cycles::Merge));
    read_as(
        data,
        format,
        &with(|o| {
            o.reversed = true;
            o.cycles = Cycles::Merge;
        }),
    );
}

/// Any bytes: read whole, byte by byte, and compressed, they must give the same result.
pub fn detect(data: &[u8]) {
    let options = with(|o| o.cycles = Cycles::Merge);
    let read = |source: &mut dyn Read| {
        read_from(source, "input", &options, &()).map_err(|error| error.to_string())
    };
    let plain = read(&mut &data[..]);
    assert_eq!(read(&mut Drops(data)), plain, "read a byte at a time");
    if !is_packed(data) {
        assert_eq!(read(&mut &gzip(data)[..]), plain, "packed by gzip");
        assert_eq!(read(&mut &zstd(data)[..]), plain, "packed by zstd");
    }
    check(read_from(data, "input", &options, &()));
}

/// Reads one byte at a time, like a slow pipe.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let at_most = out.len().min(1);
        self.0.read(&mut out[..at_most])
    }
}

/// Whether the bytes are compressed already. Compressing them again does not give the same text.
fn is_packed(data: &[u8]) -> bool {
    let marks: [&[u8]; 5] =
        [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd], b"BZh", b"\xfd7zXZ\0", b"PK"];
    marks.iter().any(|mark| data.starts_with(mark))
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(data).expect("writing to memory does not fail");
    packer.finish().expect("writing to memory does not fail")
}

fn zstd(data: &[u8]) -> Vec<u8> {
    zstd::encode_all(data, 1).expect("writing to memory does not fail")
}

/// A model file, unchanged and with a corrected checksum. Random bytes never pass the checksum, and
/// the checks after it must not rely on that.
///
/// An accepted file need not be written back with the same bytes: its JSON may have other spaces or
/// another order. The contents must be the same, and writing them twice must give the same bytes.
pub fn model(data: &[u8]) {
    for data in [data.to_vec(), with_checksum(data)] {
        match Model::from_bytes(&data) {
            Ok(model) => check_model(&model),
            Err(problem) => drop(problem.to_string()),
        }
    }
}

fn check_model(model: &Model) {
    check_hierarchy(model.hierarchy());
    let written = model.to_bytes();
    let reopened = Model::from_bytes(&written).expect("what was just written opens");
    assert!(reopened == *model, "a model changes when written");
    assert_eq!(reopened.to_bytes(), written);
}

/// A checkpoint, unchanged and with a corrected checksum.
pub fn checkpoint(data: &[u8]) {
    writes_what_it_reads(data, Checkpoint::from_bytes, Checkpoint::to_bytes);
}

/// A placer, unchanged and with a corrected checksum. An accepted one answers any question.
pub fn placer(data: &[u8]) {
    writes_what_it_reads(data, Placer::from_bytes, |placer| {
        for (name, definition) in [("", ""), ("puppy", "a young dog"), ("\u{0}é", "")] {
            let places = placer.place(name, definition).places;
            assert!(places.iter().all(|place| (0.0..=1.0).contains(&place.p)), "no probability");
        }
        placer.to_bytes()
    });
}

/// A trained baseline, unchanged and with a corrected checksum. An accepted one scores every pair.
pub fn baseline(data: &[u8]) {
    writes_what_it_reads(data, Baseline::from_bytes, |model| {
        let hierarchy = model.hierarchy();
        for (child, parent) in hierarchy.pairs().take(4) {
            let answer = model.is_a(hierarchy.name(child), hierarchy.name(parent));
            assert!(answer.is_some(), "a concept of the model is unknown to it");
        }
        model.to_bytes()
    });
}

/// The checkpoint of a baseline, unchanged and with a corrected checksum.
pub fn baseline_checkpoint(data: &[u8]) {
    writes_what_it_reads(data, BaselineCheckpoint::from_bytes, BaselineCheckpoint::to_bytes);
}

/// Reads a file of ours, unchanged and with a corrected checksum. Writing an accepted one twice
/// must give the same bytes.
fn writes_what_it_reads<T, E: ToString>(
    data: &[u8],
    read: impl Fn(&[u8]) -> Result<T, E>,
    write: impl Fn(&T) -> Vec<u8>,
) {
    for data in [data.to_vec(), with_checksum(data)] {
        match read(&data) {
            Ok(accepted) => {
                let written = write(&accepted);
                let Ok(reopened) = read(&written) else { panic!("what was just written opens") };
                assert_eq!(write(&reopened), written);
            }
            Err(problem) => drop(problem.to_string()),
        }
    }
}

/// The file with a correct checksum, if it has a place for one.
fn with_checksum(file: &[u8]) -> Vec<u8> {
    const KEY: &[u8] = b"\"checksum\":\"crc32:";
    let mut file = file.to_vec();
    let Some(at) = file.windows(KEY.len()).position(|part| part == KEY) else { return file };
    let digits = at + KEY.len()..at + KEY.len() + 8;
    if at < 8 || digits.end > file.len() {
        return file;
    }
    file[digits.clone()].copy_from_slice(b"00000000");
    let sum = crc32fast::hash(&file[8..]);
    file[digits].copy_from_slice(format!("{sum:08x}").as_bytes());
    file
}

/// The default options with a change.
fn with(change: impl FnOnce(&mut ReadOptions)) -> ReadOptions {
    let mut options = ReadOptions::default();
    change(&mut options);
    options
}

fn read_as(data: &[u8], format: Format, options: &ReadOptions) {
    let options = with(|o| {
        *o = options.clone();
        o.format = Some(format);
    });
    check(read_from(data, "input", &options, &()));
}

/// An error must have a message; a hierarchy must satisfy the laws.
fn check(read: Result<Hierarchy, ReadError>) {
    match read {
        Ok(hierarchy) => check_hierarchy(&hierarchy),
        Err(error) => drop(error.to_string()),
    }
}

/// Parents come first, and the direct pairs are complete: building the hierarchy from them again
/// gives the same pairs.
fn check_hierarchy(hierarchy: &Hierarchy) {
    assert!(hierarchy.pairs().all(|(child, parent)| parent < child), "a parent after its child");
    let names =
        hierarchy.pairs().map(|(child, parent)| (hierarchy.name(child), hierarchy.name(parent)));
    let again = Hierarchy::from_pairs(names).expect("a hierarchy has no cycle");
    assert_eq!(again.direct(), hierarchy.direct());
    assert_eq!(again.closure_len(), hierarchy.closure_len());
    assert_eq!(again.depth(), hierarchy.depth());
    assert_eq!(*again.dropped(), Default::default());
}

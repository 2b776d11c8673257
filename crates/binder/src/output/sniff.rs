use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How much of a file is looked at.
const HEAD: u64 = 1 << 16;

/// How files begin that Binder writes: exports, patches, logs and drawings. Tables and lists of
/// pairs, and JSON, look like anybody's and are not among them.
const BEGINNINGS: [&[u8]; 7] = [
    b"\x93NUMPY",
    b"PAR1",
    b"id\tname\tlabel\taliases\tbits\n",
    b"concept\told code\tnew code\n",
    b"format-version: 1.2\nauto-generated-by: binder export\n",
    b"digraph {\n  // Made by `binder export`.\n",
    b"{\"epoch\":",
];

/// Whether a file is one that Binder writes, or empty: one that may be overwritten without asking.
///
/// Models, checkpoints, baselines and placers are told by their header, exports and the like by how
/// they begin.
///
/// # Errors
///
/// When the file cannot be read.
pub fn is_ours(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head.is_empty() || is_container(&head) || is_export(&head))
}

/// A safetensors file whose metadata says that it is of Binder.
fn is_container(head: &[u8]) -> bool {
    let found = |text: &[u8]| memchr::memmem::find(head, text).is_some();
    head.get(8) == Some(&b'{')
        && [
            &b"\"format\":\"binder\""[..],
            b"\"format\":\"binder-checkpoint\"",
            b"\"format\":\"binder-baseline\"",
            b"\"format\":\"binder-baseline-checkpoint\"",
            b"\"format\":\"binder-placer\"",
        ]
        .into_iter()
        .any(found)
}

fn is_export(head: &[u8]) -> bool {
    BEGINNINGS.iter().any(|beginning| head.starts_with(beginning))
        || is_sql(head)
        || is_picture(head)
        || is_turtle(head)
        || is_graphml(head)
        || is_word2vec(head)
}

/// The first line says who made the file.
fn is_sql(head: &[u8]) -> bool {
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let makers: [&[u8]; 2] = [b"made by `binder export`.", b"made by `binder update`."];
    first.starts_with(b"-- ") && makers.iter().any(|maker| first.ends_with(maker))
}

/// The first line is that of `query picture`: its order, and the font.
fn is_picture(head: &[u8]) -> bool {
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    first.starts_with(b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        && first.ends_with(b" font-family=\"ui-monospace, monospace\" font-size=\"13\">")
}

/// The line after the prefixes says who made the file.
fn is_turtle(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| *byte == b'\n');
    let after = lines.find(|line| !line.starts_with(b"@prefix "));
    head.starts_with(b"@prefix ") && after == Some(&b"# Made by `binder export`."[..])
}

/// The line after that of the format says who made the file.
fn is_graphml(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| *byte == b'\n');
    lines.next() == Some(br#"<?xml version="1.0" encoding="UTF-8"?>"#)
        && lines.next() == Some(br#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">"#)
        && lines.next() == Some(b"  <!-- Made by `binder export`. -->")
}

/// The first line has two numbers, how many vectors there are and how long they are; the second has
/// a name and so many values. Lengths of 1 do not count: pairs of numbers look the same.
fn is_word2vec(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    let Some((count, length)) = first.split_once(' ') else { return false };
    let (Ok(_), Ok(length)) = (count.parse::<u64>(), length.parse::<usize>()) else { return false };
    length > 1 && second.split(' ').count() == length + 1
}

#[cfg(test)]
mod tests {
    use super::is_export;

    #[test]
    fn exports_are_ours_and_the_files_of_users_are_not() {
        for ours in [
            "-- 15 concepts with 8 bits each, made by `binder export`.\n",
            "2 3\ncat 0 1 1\ndog 1 0 1\n",
            "id\tname\tlabel\taliases\tbits\n",
            "concept\told code\tnew code\n",
            "-- Codes of a new version, from 8 to 8 bits; made by `binder update`.\n",
        ] {
            assert!(is_export(ours.as_bytes()), "{ours}");
        }
        for others in [
            "1 2\n2 3\n",
            "12 1\n3 1\n",
            "# Notes\n",
            "child\tparent\ncat\tanimal\n",
            "id,label,parent,synonym,definition\n",
            "[\n{\"id\":\"cat\",\"parents\":[\"animal\"]}\n]\n",
            "format-version: 1.2\n\n[Term]\nid: cat\n",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\n",
            "digraph {\n  \"cat\" -> \"animal\";\n}\n",
            "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n",
            "-- my own statements\n",
            "CREATE TABLE x;\n",
        ] {
            assert!(!is_export(others.as_bytes()), "{others}");
        }
    }
}

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How much of a file is looked at.
const HEAD: u64 = 1 << 16;

/// How files begin that Binder writes: exports, logs, reports and drawings.
const BEGINNINGS: [&[u8]; 9] = [
    b"\x93NUMPY",
    b"PAR1",
    b"id\tname\tlabel\taliases\tbits\n",
    b"-- Concepts with",
    b"{\"epoch\":",
    b"<svg xmlns=\"http://www.w3.org/2000/svg\"",
    b"set,",
    b"# ",
    b"child\tparent\n",
];

/// Whether a file is one that Binder writes, or empty: one that may be overwritten without asking.
///
/// Models and checkpoints are told by their header, exports and the like by how they begin.
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
        && (found(b"\"format\":\"binder\"") || found(b"\"format\":\"binder-checkpoint\""))
}

fn is_export(head: &[u8]) -> bool {
    BEGINNINGS.iter().any(|beginning| head.starts_with(beginning)) || is_word2vec(head)
}

/// The first line has two numbers: how many vectors there are, and how long they are.
fn is_word2vec(head: &[u8]) -> bool {
    let Some(end) = memchr::memchr(b'\n', head) else { return false };
    let Ok(line) = std::str::from_utf8(&head[..end]) else { return false };
    line.split_once(' ').is_some_and(|(n, d)| n.parse::<u64>().is_ok() && d.parse::<u64>().is_ok())
}

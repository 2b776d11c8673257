use std::io::{self, Write};

use super::concepts::bits;
use super::escape::escaped;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;

/// The data of the array starts at a multiple of this, as NumPy's format requires.
const ALIGNMENT: usize = 64;

/// The codes as they are: u64 [n, words].
pub(super) fn packed(codes: &Codes, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&header("<u8", [codes.len(), codes.words_per_row()]))?;
    codes.words().iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

/// A byte per bit: u8 [n, bits], each 0 or 1.
pub(super) fn unpacked(codes: &Codes, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&header("|u1", [codes.len(), codes.bits()]))?;
    let mut row = Vec::with_capacity(codes.bits());
    for code in codes.rows() {
        row.clear();
        row.extend(bits(code, codes.bits()).map(u8::from));
        out.write_all(&row)?;
    }
    Ok(())
}

/// The names in the order of the rows, one per line. A line break inside a name is written as `\n`.
pub(super) fn names(concepts: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    concepts.names().texts().iter().try_for_each(|name| {
        escaped(out, name, None)?;
        out.write_all(b"\n")
    })
}

/// The header of NumPy's format 1.0: a magic word, a length, and a Python literal padded with
/// spaces.
fn header(kind: &str, [rows, columns]: [usize; 2]) -> Vec<u8> {
    let literal =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    let length =
        (header.len() + 2 + literal.len() + 1).next_multiple_of(ALIGNMENT) - header.len() - 2;
    let length = u16::try_from(length).expect("two numbers have fewer than 65,536 digits");
    header.extend(length.to_le_bytes());
    header.extend(literal.as_bytes());
    header.resize((header.len() + 1).next_multiple_of(ALIGNMENT) - 1, b' ');
    header.push(b'\n');
    header
}

use std::io::{self, Write};

use super::concepts::{Concept, Concepts, bits};
use super::escape::escaped;
use crate::model::Model;

/// Separates aliases in one cell. Inside an alias, it has a backslash before it.
const SEPARATOR: u8 = b'|';

/// Represents an empty alias, to distinguish it from no alias.
const EMPTY_ALIAS: &[u8] = b"\\e";

/// Writes a header and one line per concept: id, name, label, aliases and bits, separated by tabs.
///
/// Every concept is exactly one line: [`escaped`] keeps names in their cells, and nothing is
/// quoted. An empty label means no label. The first bit is bit 0.
pub(super) fn write(model: &Model, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"id\tname\tlabel\taliases\tbits\n")?;
    Concepts::of(model).iter().try_for_each(|concept| line(&concept, model.codes().bits(), out))
}

fn line(concept: &Concept<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}\t", concept.id)?;
    escaped(out, concept.name, None)?;
    out.write_all(b"\t")?;
    escaped(out, concept.label.unwrap_or_default(), None)?;
    out.write_all(b"\t")?;
    for (place, alias) in concept.aliases().enumerate() {
        if place > 0 {
            out.write_all(&[SEPARATOR])?;
        }
        match alias {
            "" => out.write_all(EMPTY_ALIAS)?,
            alias => escaped(out, alias, Some(SEPARATOR))?,
        }
    }
    let digits: Vec<u8> = bits(concept.code, width).map(|bit| b'0' + u8::from(bit)).collect();
    out.write_all(b"\t")?;
    out.write_all(&digits)?;
    out.write_all(b"\n")
}

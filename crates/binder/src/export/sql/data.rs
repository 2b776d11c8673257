use std::io::{self, Write};

use super::{Dialect, Script, identifier, literal};
use crate::export::concepts::{Concept, Concepts, bits};
use crate::export::escape::escaped;

/// The number of rows in one INSERT.
const ROWS: usize = 1000;

impl Script {
    /// Writes the data after COPY statements. psql sends them on unchanged.
    pub(super) fn copy(
        &self,
        concepts: &Concepts<'_>,
        width: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "COPY {} FROM stdin;", identifier(&self.table))?;
        concepts.iter().try_for_each(|concept| self.copy_line(&concept, width, out))?;
        writeln!(out, "\\.\n\nCOPY {} FROM stdin;", self.aliases())?;
        for concept in concepts.iter() {
            for alias in concept.aliases() {
                escaped(out, alias, None)?;
                writeln!(out, "\t{}", concept.id)?;
            }
        }
        writeln!(out, "\\.\n\nCOPY {} FROM stdin;", self.ranges())?;
        for (concept, low, high) in concepts.ranges() {
            writeln!(out, "{concept}\t{low}\t{high}")?;
        }
        out.write_all(b"\\.\n\n")
    }

    fn copy_line(
        &self,
        concept: &Concept<'_>,
        width: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(out, "{}\t", concept.id)?;
        escaped(out, concept.name, None)?;
        out.write_all(b"\t")?;
        match concept.label {
            Some(label) => escaped(out, label, None)?,
            None => out.write_all(b"\\N")?,
        }
        self.code(concept.code, width).try_for_each(|part| write!(out, "\t{part}"))?;
        writeln!(out, "\t{}", concept.rank)
    }

    /// Writes the data as INSERT statements of many rows each.
    pub(super) fn insert(
        &self,
        concepts: &Concepts<'_>,
        width: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let rows = concepts.iter().map(|concept| {
            let label = concept.label.map_or_else(|| "NULL".to_owned(), literal);
            let code: Vec<_> = self.code(concept.code, width).collect();
            let (id, name, rank) = (concept.id, literal(concept.name), concept.rank);
            format!("({id}, {name}, {label}, {}, {rank})", code.join(", "))
        });
        insert_rows(&identifier(&self.table), rows, out)?;
        let aliases = concepts.iter().flat_map(|concept| {
            concept.aliases().map(move |alias| format!("({}, {})", literal(alias), concept.id))
        });
        insert_rows(&self.aliases(), aliases, out)?;
        let ranges = concepts.ranges().into_iter();
        let rows = ranges.map(|(concept, low, high)| format!("({concept}, {low}, {high})"));
        insert_rows(&self.ranges(), rows, out)
    }

    /// The columns of a code: its words as signed numbers, or one string of bits.
    fn code<'a>(&self, code: &'a [u64], width: usize) -> Box<dyn Iterator<Item = String> + 'a> {
        match self.dialect {
            Dialect::Postgres { bit_string: true } => {
                let digits = bits(code, width).map(|bit| if bit { '1' } else { '0' }).collect();
                Box::new(std::iter::once(digits))
            }
            _ => Box::new(code.iter().map(|word| word.cast_signed().to_string())),
        }
    }
}

pub(in crate::export) fn insert_rows(
    table: &str,
    rows: impl Iterator<Item = String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut place = 0;
    for row in rows {
        match place % ROWS {
            0 if place > 0 => write!(out, ";\nINSERT INTO {table} VALUES\n{row}")?,
            0 => write!(out, "INSERT INTO {table} VALUES\n{row}")?,
            _ => write!(out, ",\n{row}")?,
        }
        place += 1;
    }
    if place > 0 { out.write_all(b";\n\n") } else { Ok(()) }
}

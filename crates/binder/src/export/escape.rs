use std::io::{self, Write};

/// Writes a text so that it stays in its line and column. Backslash, tab, line feed, carriage
/// return and NUL become `\\`, `\t`, `\n`, `\r` and `\0`. The character `extra` gets a backslash
/// before it too.
///
/// PostgreSQL's COPY, MySQL's LOAD DATA and ClickHouse's TSV read the same escapes, except for NUL.
pub(super) fn escaped(out: &mut dyn Write, text: &str, extra: Option<u8>) -> io::Result<()> {
    let bytes = text.as_bytes();
    let mut plain = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let stands_for = match byte {
            b'\\' => b'\\',
            b'\t' => b't',
            b'\n' => b'n',
            b'\r' => b'r',
            0 => b'0',
            other if Some(other) == extra => other,
            _ => continue,
        };
        out.write_all(&bytes[plain..at])?;
        out.write_all(&[b'\\', stands_for])?;
        plain = at + 1;
    }
    out.write_all(&bytes[plain..])
}

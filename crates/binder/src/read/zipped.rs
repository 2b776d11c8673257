use std::io::{self, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::Problem;
use super::error::io_problem;

/// The bytes of one member of a zip archive: the one of that name, or the only one.
///
/// The directory of an archive stands at its end, so the whole archive is read first. What system
/// files such as `__MACOSX/` hold does not count.
pub(super) fn member(
    raw: impl Read,
    wanted: Option<&str>,
    max_bytes: u64,
) -> Result<Vec<u8>, Problem> {
    let archive = up_to(raw, max_bytes)?.map_err(io_problem)?;
    let mut archive = ZipArchive::new(io::Cursor::new(archive)).map_err(problem)?;
    let names: Vec<String> = archive
        .file_names()
        .filter_map(|name| name.ok().map(std::borrow::Cow::into_owned))
        .filter(|name| !name.ends_with('/') && !name.starts_with("__MACOSX/"))
        .collect();
    if names.iter().any(|name| name == "[Content_Types].xml") {
        return Err(Problem::other_kind("an Office document, such as an Excel workbook"));
    }
    let name = match (wanted, names.as_slice()) {
        (Some(wanted), _) => names.iter().find(|name| *name == wanted),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some(name) = name else {
        return Err(Problem::Members { wanted: wanted.map(str::to_owned), names });
    };
    let file = archive.by_name(name).map_err(problem)?;
    up_to(file, max_bytes)?.map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Problem::Truncated,
        _ => Problem::Damaged(error.to_string()),
    })
}

/// All bytes, if they are not more than so many.
fn up_to(source: impl Read, max_bytes: u64) -> Result<io::Result<Vec<u8>>, Problem> {
    let mut bytes = Vec::new();
    let read = source.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes);
    if bytes.len() as u64 > max_bytes {
        return Err(Problem::TooLong { limit: max_bytes });
    }
    Ok(read.map(|_| bytes))
}

fn problem(error: ZipError) -> Problem {
    match error {
        ZipError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => Problem::Truncated,
        // The directory is at the end: without it the archive was cut off.
        ZipError::InvalidArchive(what) if what.contains("end of central directory") => {
            Problem::Truncated
        }
        other => Problem::Damaged(other.to_string()),
    }
}

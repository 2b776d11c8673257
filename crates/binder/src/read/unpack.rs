use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::error::io_problem;
use super::kind::Kind;
use super::{Problem, ReadError, ReadOptions};
use crate::progress::{Cancelled, Progress};

/// How many bytes are read at a time.
pub(super) const CHUNK: usize = 1 << 18;

/// The bytes of a source, unpacked.
pub(crate) struct Unpacked<'a> {
    /// The unpacked bytes, from the first one.
    source: Box<dyn Read + 'a>,
    /// The compression, which decides what an error of `source` means.
    compression: Compression,
    /// The name of the source in errors.
    file: String,
    /// What the source is, if it is no text.
    kind: Option<Kind>,
    max_bytes: u64,
}

impl<'a> Unpacked<'a> {
    /// Opens a file, or standard input for `-`, or a member of a zip archive as
    /// `archive.zip/member`. Compression is recognised by the first bytes.
    pub(crate) fn open(
        path: &Path,
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self, ReadError> {
        if path == Path::new("-") {
            progress.start("reading", None);
            return Self::new(io::stdin().lock(), "standard input", options, progress);
        }
        let shown = path.display().to_string();
        let (archive, member) = member_of(path)
            .map_or((path.to_owned(), None), |(archive, name)| (archive, Some(name)));
        let opened =
            File::open(&archive).map_err(|error| ReadError::of(&shown, Problem::Io(error)))?;
        progress.start("reading", opened.metadata().ok().map(|data| data.len()));
        Self::with_member(opened, &shown, member.as_deref(), options, progress)
    }

    /// Any bytes; `file` is their name in errors.
    pub(crate) fn new(
        source: impl Read + 'a,
        file: &str,
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self, ReadError> {
        Self::with_member(source, file, None, options, progress)
    }

    fn with_member(
        source: impl Read + 'a,
        file: &str,
        member: Option<&str>,
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self, ReadError> {
        let max_bytes = options.max_bytes();
        let mut raw = BufReader::with_capacity(CHUNK, Counted { source, progress });
        let start =
            first_bytes(&mut raw, 6).map_err(|error| ReadError::of(file, io_problem(error)))?;
        if start.is_empty() && is_called_compressed(file) {
            return Err(ReadError::of(file, Problem::EmptyCompressed));
        }
        let compression = Compression::of(&start);
        let raw = io::Cursor::new(start).chain(raw);
        let source = compression.reader(raw, file, member, max_bytes)?;
        let mut unpacked =
            Self { source, compression, file: file.to_owned(), kind: None, max_bytes };
        unpacked.look()?;
        Ok(unpacked)
    }

    /// Looks at the first bytes for what the source is.
    fn look(&mut self) -> Result<(), ReadError> {
        let start = first_bytes(&mut self.source, Kind::BYTES as u64)
            .map_err(|error| ReadError::of(&self.file, self.compression.problem(error)))?;
        self.kind = Kind::of(&start);
        let rest = std::mem::replace(&mut self.source, Box::new(io::empty()));
        self.source = Box::new(io::Cursor::new(start).chain(rest));
        Ok(())
    }

    /// The name of this source in errors.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// What the source is, if it is no text.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.kind
    }

    pub(super) fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Appends up to a chunk to the buffer. Returns how many bytes.
    pub(super) fn read_chunk(&mut self, buffer: &mut Vec<u8>) -> Result<usize, ReadError> {
        Read::take(&mut self.source, CHUNK as u64)
            .read_to_end(buffer)
            .map_err(|error| ReadError::of(&self.file, self.compression.problem(error)))
    }

    /// All bytes, if they are not too many.
    #[cfg(feature = "parquet")]
    pub(super) fn into_bytes(mut self) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        while self.read_chunk(&mut bytes)? > 0 {
            if bytes.len() as u64 > self.max_bytes {
                return Err(ReadError::of(&self.file, Problem::TooLong { limit: self.max_bytes }));
            }
        }
        Ok(bytes)
    }
}

/// The archive and the member of a path such as `words.zip/nouns.csv`.
pub(super) fn member_of(path: &Path) -> Option<(PathBuf, String)> {
    if path.exists() {
        return None;
    }
    let archive = path.ancestors().skip(1).find(|above| above.is_file())?;
    let member = path.strip_prefix(archive).ok()?;
    let parts: Option<Vec<&str>> = member.iter().map(|part| part.to_str()).collect();
    Some((archive.to_owned(), parts?.join("/")))
}

/// A reader that reports every byte as progress and checks for cancellation.
struct Counted<'a, R> {
    source: R,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.progress.go_on().map_err(io::Error::other)?;
        let read = self.source.read(out)?;
        self.progress.advance(read as u64);
        Ok(read)
    }
}

/// The compression of a source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
}

/// The endings of compressed files.
pub(super) const ENDINGS: [&str; 5] = ["gz", "zst", "bz2", "xz", "zip"];

/// Whether a file's name says that it is compressed.
fn is_called_compressed(file: &str) -> bool {
    let ending = Path::new(file).extension();
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// The first bytes, or fewer if the source is shorter. One read from a pipe may return fewer than
/// that.
fn first_bytes(source: &mut (impl Read + ?Sized), count: u64) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    source.take(count).read_to_end(&mut start)?;
    Ok(start)
}

impl Compression {
    fn of(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Self::Zip,
            _ => Self::None,
        }
    }

    fn reader<'a>(
        self,
        raw: impl BufRead + 'a,
        file: &str,
        member: Option<&str>,
        max_bytes: u64,
    ) -> Result<Box<dyn Read + 'a>, ReadError> {
        if member.is_some() && self != Self::Zip {
            let problem = Problem::Unsuitable("only a zip archive has members".to_owned());
            return Err(ReadError::of(file, problem));
        }
        #[cfg(not(feature = "compression"))]
        let _ = max_bytes;
        Ok(match self {
            Self::None => Box::new(raw),
            #[cfg(not(feature = "compression"))]
            _ => return Err(ReadError::of(file, Problem::Compressed)),
            #[cfg(feature = "compression")]
            Self::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(raw)),
            #[cfg(feature = "compression")]
            Self::Zstd => Box::new(
                zstd::Decoder::with_buffer(raw)
                    .map_err(|error| ReadError::of(file, Problem::Io(error)))?,
            ),
            #[cfg(feature = "compression")]
            Self::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(raw)),
            #[cfg(feature = "compression")]
            Self::Xz => {
                // The dictionary is what an xz file can ask for most.
                let limit = u32::try_from(max_bytes >> 10).unwrap_or(u32::MAX);
                Box::new(lzma_rust2::XzReader::new_mem_limit(raw, true, limit))
            }
            #[cfg(feature = "compression")]
            Self::Zip => Box::new(io::Cursor::new(
                super::zipped::member(raw, member, max_bytes)
                    .map_err(|problem| ReadError::of(file, problem))?,
            )),
        })
    }

    /// The problem that a read error stands for. Decoders report incomplete data as an unexpected
    /// end, and damaged data as invalid input or as any other error.
    fn problem(self, error: io::Error) -> Problem {
        let error = match error.downcast::<Cancelled>() {
            Ok(cancelled) => return cancelled.into(),
            Err(error) => error,
        };
        match error.kind() {
            _ if self == Self::None || error.raw_os_error().is_some() => Problem::Io(error),
            io::ErrorKind::UnexpectedEof => Problem::Truncated,
            io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
            | io::ErrorKind::Unsupported
            | io::ErrorKind::OutOfMemory
            | io::ErrorKind::Other => Problem::Damaged(error.to_string()),
            _ => Problem::Io(error),
        }
    }
}

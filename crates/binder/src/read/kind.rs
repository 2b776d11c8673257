use std::fmt;

/// What a file is by its first bytes, where these tell. Texts have no such mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Parquet,
    Arrow,
    ArrowStream,
    Model,
    Checkpoint,
    Safetensors,
    Pdf,
    Sqlite,
    Hdf5,
    NumPy,
    Pickle,
    OldExcel,
    SevenZip,
    Rar,
    Tar,
    Image,
}

impl Kind {
    /// How many bytes are enough to tell.
    pub(crate) const BYTES: usize = 4096;

    /// What a file is whose first bytes these are.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        let marks: [(&[u8], Self); 14] = [
            (b"PAR1", Self::Parquet),
            (b"ARROW1\0\0", Self::Arrow),
            (b"\xff\xff\xff\xff", Self::ArrowStream),
            (b"%PDF-", Self::Pdf),
            (b"SQLite format 3\0", Self::Sqlite),
            (b"\x89HDF\r\n\x1a\n", Self::Hdf5),
            (b"\x93NUMPY", Self::NumPy),
            (b"\x80\x04\x95", Self::Pickle),
            (b"\x80\x05\x95", Self::Pickle),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Self::OldExcel),
            (b"7z\xbc\xaf\x27\x1c", Self::SevenZip),
            (b"Rar!\x1a\x07", Self::Rar),
            (b"\x89PNG\r\n\x1a\n", Self::Image),
            (b"\xff\xd8\xff", Self::Image),
        ];
        let marked = marks.into_iter().find(|(mark, _)| start.starts_with(mark));
        if let Some((_, kind)) = marked {
            return Some(kind);
        }
        if start.get(257..262) == Some(b"ustar") {
            return Some(Self::Tar);
        }
        Self::safetensors(start)
    }

    /// A safetensors file begins with the length of its header, which is JSON.
    fn safetensors(start: &[u8]) -> Option<Self> {
        let (length, header) = start.split_first_chunk::<8>()?;
        // The library that writes them allows no longer header.
        if u64::from_le_bytes(*length) > 100_000_000 || !header.starts_with(b"{\"") {
            return None;
        }
        let has = |text: &str| memchr::memmem::find(header, text.as_bytes()).is_some();
        Some(if has("\"format\":\"binder-checkpoint\"") {
            Self::Checkpoint
        } else if has("\"format\":\"binder") {
            Self::Model
        } else {
            Self::Safetensors
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parquet => "a Parquet file",
            Self::Arrow | Self::ArrowStream => "an Arrow file",
            Self::Model => "a Binder model",
            Self::Checkpoint => "a checkpoint of a training run",
            Self::Safetensors => "a safetensors file",
            Self::Pdf => "a PDF document",
            Self::Sqlite => "an SQLite database",
            Self::Hdf5 => "an HDF5 file",
            Self::NumPy => "a NumPy array",
            Self::Pickle => "a Python pickle",
            Self::OldExcel => "an Excel or Word document",
            Self::SevenZip => "a 7z archive",
            Self::Rar => "a RAR archive",
            Self::Tar => "a tar archive",
            Self::Image => "an image",
        })
    }
}

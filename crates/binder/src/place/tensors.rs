//! Vectors in a safetensors file: a matrix with a row for each name, and the names.
//!
//! ```text
//! vectors       F32, F16 or BF16 [rows, numbers]  or embeddings, or the only tensor of 2 dimensions
//! names         U8 [bytes]                        or words, or vocab: a line for each row
//! name_offsets  U64 [rows + 1]                    if it is there, names have no ends of lines, as
//!                                                 in a model: each begins where the last one ends
//! ```
//!
//! Instead of `names`, a text file beside `FILE.safetensors` may have a line for each row:
//! `FILE.vocab.txt`, or else `vocab.txt`; `FILE.txt` may be the same vectors as text. Rows are never
//! taken to be in the order of the concepts: a file that was made from another version of the data
//! would go unnoticed.

use std::io;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use super::floats::{READ, floats};
use super::vectors::{Vectors, VectorsError};

/// What the tensors may be called.
const MATRICES: [&str; 2] = ["vectors", "embeddings"];
const NAMES: [&str; 3] = ["names", "words", "vocab"];
const OFFSETS: &str = "name_offsets";

/// The file beside that has the names of several files.
const VOCABULARY: &str = "vocab.txt";

/// What is wrong with a safetensors file of vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorsProblem {
    /// It is not a safetensors file.
    #[error("not a safetensors file, or cut off: {0}")]
    NotSafetensors(String),
    /// No tensor, or more than one, may be the matrix.
    #[error(
        "no tensor called vectors, and {} of 2 dimensions; it has {}", count(*.matrices),
        if .tensors.is_empty() { "none" } else { .tensors }
    )]
    NoMatrix {
        /// How many have two dimensions.
        matrices: usize,
        /// The names of all tensors.
        tensors: String,
    },
    /// The matrix has another shape or type.
    #[error("the tensor {name} is {found}, not a matrix of {READ}")]
    Matrix {
        /// The tensor.
        name: String,
        /// Its type and shape.
        found: String,
    },
    /// There are no names.
    #[error(
        "no names for the rows; add a tensor called names, U8 with a line for each row, or a file \
         {beside} with such lines"
    )]
    NoNames {
        /// The file that could have them.
        beside: String,
    },
    /// The names cannot be read.
    #[error("{name}: {problem}")]
    Names {
        /// The tensor or file.
        name: String,
        /// What is wrong.
        problem: &'static str,
    },
}

fn count(matrices: usize) -> String {
    if matrices == 0 { "none".to_owned() } else { matrices.to_string() }
}

/// Whether a file begins as a safetensors file does: with the length of a header, which is JSON.
pub(super) fn is_safetensors(path: &Path, start: &[u8]) -> bool {
    let named = path.extension().is_some_and(|extension| extension == "safetensors");
    // The length has eight bytes; no header has more than 100 MB.
    named || start.len() > 8 && start[8] == b'{' && start[4..8] == [0; 4]
}

/// Reads the bytes of such a file; names may be beside it.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Vectors, VectorsError> {
    let file = || path.display().to_string();
    let wrong = |problem: TensorsProblem| VectorsError::Tensors { file: file(), problem };
    let tensors = SafeTensors::deserialize(bytes)
        .map_err(|error| wrong(TensorsProblem::NotSafetensors(error.to_string())))?;
    let (name, matrix) = matrix(&tensors).map_err(wrong)?;
    let values = match (matrix.shape(), floats(&matrix)) {
        (&[_, width], Some(values)) if width > 0 => values,
        _ => {
            let found = format!("{:?} {:?}", matrix.dtype(), matrix.shape());
            return Err(wrong(TensorsProblem::Matrix { name, found }));
        }
    };
    let names = match names_inside(&tensors).map_err(wrong)? {
        Some(names) => names,
        None => names_beside(path)?,
    };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Vectors::from_rows(&file(), &names, &values, matrix.shape()[1])
}

fn matrix<'a>(tensors: &SafeTensors<'a>) -> Result<(String, TensorView<'a>), TensorsProblem> {
    let mut all = tensors.tensors();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    if let Some(at) = all.iter().position(|(name, _)| MATRICES.contains(&name.as_str())) {
        return Ok(all.swap_remove(at));
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let tensors = names.join(", ");
    all.retain(|(_, tensor)| tensor.shape().len() == 2);
    match (all.len(), all.pop()) {
        (1, Some(only)) => Ok(only),
        (matrices, _) => Err(TensorsProblem::NoMatrix { matrices, tensors }),
    }
}

/// The names that the file itself has.
fn names_inside(tensors: &SafeTensors<'_>) -> Result<Option<Vec<String>>, TensorsProblem> {
    let found = NAMES.iter().find_map(|&name| Some((name, tensors.tensor(name).ok()?)));
    let Some((name, tensor)) = found else { return Ok(None) };
    let wrong = |problem: &'static str| TensorsProblem::Names {
        name: format!("the tensor {name}"),
        problem,
    };
    if tensor.dtype() != Dtype::U8 {
        return Err(wrong("is not bytes (U8)"));
    }
    let text = std::str::from_utf8(tensor.data()).map_err(|_| wrong("is not UTF-8"))?;
    match tensors.tensor(OFFSETS) {
        Ok(offsets) => {
            let pieces = pieces(text, &offsets);
            pieces.map(Some).ok_or_else(|| wrong("does not fit name_offsets (U64, ascending)"))
        }
        Err(_) => Ok(Some(lines(text))),
    }
}

/// A text cut at offsets, which run from 0 to its end.
fn pieces(text: &str, offsets: &TensorView<'_>) -> Option<Vec<String>> {
    let (words, _) = offsets.data().as_chunks::<8>();
    let starts = words.iter().map(|&word| usize::try_from(u64::from_le_bytes(word)).ok());
    let starts = starts.collect::<Option<Vec<usize>>>()?;
    let whole = starts.first() == Some(&0) && starts.last() == Some(&text.len());
    let piece = |bounds: &[usize]| text.get(bounds[0]..bounds[1]).map(str::to_owned);
    let fits = offsets.dtype() == Dtype::U64 && whole;
    if fits { starts.windows(2).map(piece).collect() } else { None }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The lines of the text file beside a file of vectors.
fn names_beside(path: &Path) -> Result<Vec<String>, VectorsError> {
    let own = path.with_extension("vocab.txt");
    let shared = path.with_file_name(VOCABULARY);
    for beside in [&own, &shared] {
        match std::fs::read(beside) {
            Ok(bytes) => return text_lines(beside, bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(VectorsError::Read { file: shown(beside), error }),
        }
    }
    let problem = TensorsProblem::NoNames { beside: shown(&own) };
    Err(VectorsError::Tensors { file: shown(path), problem })
}

fn text_lines(file: &Path, bytes: Vec<u8>) -> Result<Vec<String>, VectorsError> {
    let names = |text: String| lines(text.strip_prefix('\u{feff}').unwrap_or(&text));
    String::from_utf8(bytes).map(names).map_err(|_| VectorsError::Tensors {
        file: shown(file),
        problem: TensorsProblem::Names { name: "the names".to_owned(), problem: "are not UTF-8" },
    })
}

fn shown(path: impl Into<PathBuf>) -> String {
    path.into().display().to_string()
}

//! Vectors that others have learnt: of words, as GloVe and word2vec write them, or of concepts, from
//! any encoder of sentences.
//!
//! ```text
//! 3 4                          how many, and of how many numbers; word2vec has this line
//! dog 0.1 0.3 -0.2 0.7         a word and its numbers
//! animal.n.01⇥0.2 0.1 0.1 0.5  with a tab after it, a name may have spaces
//! ```
//!
//! `tensors.rs` reads the same from safetensors files.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use hashbrown::HashMap;

use super::tensors::{TensorsProblem, is_safetensors, read as read_tensors};
use crate::hierarchy::Hierarchy;

/// A line is not longer than this.
const LONGEST_LINE: u64 = 1 << 20;

/// Why a file of vectors cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorsError {
    /// The file cannot be read.
    #[error("{file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// The reason.
        error: std::io::Error,
    },
    /// A line is not a word and its numbers.
    #[error("{file}:{line}: {problem}; a line is a word and its numbers, with spaces between them")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The file has no vectors.
    #[error("{file}: no vectors; a line is a word and its numbers, with spaces between them")]
    Empty {
        /// The file.
        file: String,
    },
    /// A safetensors file does not have vectors and their names.
    #[error("{file}: {problem}")]
    Tensors {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: TensorsProblem,
    },
    /// Rows of numbers cannot be taken as vectors.
    #[error("{file}: {problem}")]
    Rows {
        /// Where they are from.
        file: String,
        /// What is wrong with them.
        problem: RowsProblem,
    },
    /// None of the vectors is that of a concept.
    #[error("none of the {count} vectors has the name of a concept; the first is called {first:?}")]
    Strangers {
        /// How many there are.
        count: usize,
        /// The name of the first.
        first: String,
    },
    /// A vector is not numbers.
    #[error("the embedding is not numbers: {0}")]
    Numbers(String),
    /// A vector has another length than those that the placer was fitted with.
    #[error("the embedding has {found} numbers; the placer was fitted with {wanted}")]
    Length {
        /// How many it has.
        found: usize,
        /// How many it should have.
        wanted: usize,
    },
}

/// Why rows of numbers cannot be taken as vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsProblem {
    /// There are none.
    #[error("no vectors")]
    Empty,
    /// There are more rows than names, or more names than rows.
    #[error("{rows} rows, but {names} names; each row needs one")]
    Count {
        /// How many rows there are.
        rows: usize,
        /// How many names.
        names: usize,
    },
    /// A name is empty or has two lines.
    #[error("the name of row {row} (from 0) is empty or has an end of line in it")]
    Name {
        /// The row, from 0.
        row: usize,
    },
    /// Two rows have the same name.
    #[error("rows {first} and {second} (from 0) are both called {name:?}; a name has one row")]
    Twice {
        /// The name.
        name: String,
        /// The first row that has it, from 0.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A number is infinite, or none.
    #[error("row {row} (from 0), {name:?}, has a number that is infinite or not a number")]
    NotFinite {
        /// The row, from 0.
        row: usize,
        /// Its name.
        name: String,
    },
}

/// Vectors by word or by concept. Only their directions are kept, a byte for each number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vectors {
    dimension: usize,
    /// The number of each key.
    numbers: HashMap<String, u32>,
    /// `dimension` for each key, by its number.
    values: Vec<i8>,
}

impl Vectors {
    /// Reads the text form of GloVe and word2vec, or a safetensors file with a matrix of F32, F16 or
    /// BF16 and the names of its rows. In a text, where a key occurs twice, the first counts.
    ///
    /// A safetensors file has the matrix as `vectors`, or as its only tensor of two dimensions. It
    /// has the names as `names`, bytes with a line for each row (or without line ends, if
    /// `name_offsets` says where each begins), or a file of lines beside it has them:
    /// `FILE.vocab.txt` or `vocab.txt`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, has a line that is no vector, or tensors that do not fit.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, VectorsError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let wrong = |error| VectorsError::Read { file: file.clone(), error };
        let mut open = BufReader::new(File::open(path).map_err(wrong)?);
        if is_safetensors(path, open.fill_buf().map_err(wrong)?) {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut open, &mut bytes).map_err(wrong)?;
            return read_tensors(path, &bytes);
        }
        Self::read_from(open, &file)
    }

    /// Vectors from rows of `dimension` numbers, one after another, each with its name. `file` says
    /// in errors where they are from.
    ///
    /// # Errors
    ///
    /// When there is not one name for each row, when a name occurs twice, is empty or has two
    /// lines, and when a number is not finite.
    ///
    /// # Examples
    ///
    /// ```
    /// use binder::place::Vectors;
    /// let vectors = Vectors::from_rows("mine", &["dog", "cat"], &[1.0, 0.0, 0.6, 0.8], 2)?;
    /// assert_eq!((vectors.len(), vectors.dimension()), (2, 2));
    /// assert!(Vectors::from_rows("mine", &["dog", "dog"], &[1.0, 0.0, 0.6, 0.8], 2).is_err());
    /// # Ok::<(), binder::place::VectorsError>(())
    /// ```
    pub fn from_rows(
        file: &str,
        names: &[&str],
        numbers: &[f32],
        dimension: usize,
    ) -> Result<Self, VectorsError> {
        let wrong = |problem| VectorsError::Rows { file: file.to_owned(), problem };
        if numbers.is_empty() || dimension == 0 {
            return Err(wrong(RowsProblem::Empty));
        }
        let (rows, names_given) = (numbers.len().div_ceil(dimension), names.len());
        if rows != names_given || !numbers.len().is_multiple_of(dimension) {
            return Err(wrong(RowsProblem::Count { rows, names: names_given }));
        }
        let mut vectors = Self { dimension, ..Self::default() };
        for (row, (&name, numbers)) in names.iter().zip(numbers.chunks_exact(dimension)).enumerate()
        {
            vectors.add_row(row, name, numbers).map_err(wrong)?;
        }
        Ok(vectors)
    }

    fn add_row(&mut self, row: usize, name: &str, numbers: &[f32]) -> Result<(), RowsProblem> {
        if name.is_empty() || name.contains('\n') {
            return Err(RowsProblem::Name { row });
        }
        if let Some(&first) = self.numbers.get(name) {
            let (name, first) = (name.to_owned(), first as usize);
            return Err(RowsProblem::Twice { name, first, second: row });
        }
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(RowsProblem::NotFinite { row, name: name.to_owned() });
        }
        self.add(name, numbers);
        Ok(())
    }

    /// Reads the text form from anywhere; `file` is its name in errors.
    ///
    /// # Errors
    ///
    /// When a line is no vector.
    pub fn read_from(mut from: impl BufRead, file: &str) -> Result<Self, VectorsError> {
        let mut vectors = Self::default();
        let (mut bytes, mut line) = (Vec::new(), 0);
        loop {
            bytes.clear();
            line += 1;
            let wrong =
                |problem: String| VectorsError::Line { file: file.to_owned(), line, problem };
            let mut limited = std::io::Read::take(&mut from, LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut bytes);
            match read.map_err(|error| VectorsError::Read { file: file.to_owned(), error })? {
                0 => break,
                length if length as u64 == LONGEST_LINE => {
                    return Err(wrong("a line of more than a megabyte".to_owned()));
                }
                _ => {}
            }
            let text = std::str::from_utf8(&bytes).map_err(|_| wrong("not UTF-8".to_owned()))?;
            let text = text.trim_end();
            if text.is_empty() || line == 1 && is_header(text) {
                continue;
            }
            vectors.add_line(text).map_err(wrong)?;
        }
        match vectors.numbers.is_empty() {
            true => Err(VectorsError::Empty { file: file.to_owned() }),
            false => Ok(vectors),
        }
    }

    fn add_line(&mut self, text: &str) -> Result<(), String> {
        let split = text.split_once('\t').or_else(|| text.split_once(' '));
        let (key, numbers) = split.ok_or("no numbers after the word")?;
        let numbers = numbers_of(numbers)?;
        if self.dimension == 0 {
            self.dimension = numbers.len();
        }
        if numbers.len() != self.dimension || numbers.is_empty() {
            return Err(format!("{} numbers instead of {}", numbers.len(), self.dimension));
        }
        self.add(key, &numbers);
        Ok(())
    }

    /// No vectors yet.
    pub(super) fn of_length(dimension: usize) -> Self {
        Self { dimension, ..Self::default() }
    }

    /// Adds a vector of the right length, unless its key has one.
    pub(super) fn add(&mut self, key: &str, numbers: &[f32]) {
        let number = super::number(self.numbers.len());
        if let hashbrown::hash_map::Entry::Vacant(entry) = self.numbers.entry(key.to_owned()) {
            entry.insert(number);
            let most = numbers.iter().fold(0.0f32, |most, number| most.max(number.abs()));
            #[expect(clippy::cast_possible_truncation, reason = "between -127 and 127")]
            let byte = |number: &f32| (number / most.max(f32::MIN_POSITIVE) * 127.0).round() as i8;
            self.values.extend(numbers.iter().map(byte));
        }
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// How many numbers a vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vector of a key, of length 1.
    pub(super) fn get(&self, key: &str) -> Option<Vec<f32>> {
        let at = *self.numbers.get(key)? as usize * self.dimension;
        let values = &self.values[at..at + self.dimension];
        unit(values.iter().map(|&value| f32::from(value)).collect())
    }

    /// The same vectors by other keys; those without one are left out, and the first one counts.
    pub(super) fn renamed(&self, name: impl Fn(&str) -> Option<String>) -> Self {
        let mut keys = self.keys();
        keys.retain(|key| !key.is_empty());
        let mut renamed = Self { dimension: self.dimension, ..Self::default() };
        for key in keys {
            if let Some(name) = name(key) {
                let at = self.numbers[key] as usize * self.dimension;
                let next = super::number(renamed.numbers.len());
                if let hashbrown::hash_map::Entry::Vacant(entry) = renamed.numbers.entry(name) {
                    entry.insert(next);
                    renamed.values.extend_from_slice(&self.values[at..at + self.dimension]);
                }
            }
        }
        renamed
    }

    /// All keys, by their numbers.
    pub(super) fn keys(&self) -> Vec<&str> {
        let mut keys = vec![""; self.numbers.len()];
        for (key, &number) in &self.numbers {
            keys[number as usize] = key;
        }
        keys
    }

    pub(super) fn values(&self) -> &[i8] {
        &self.values
    }

    /// Checks that at least one is that of a concept.
    pub(super) fn check_known(&self, hierarchy: &Hierarchy) -> Result<(), VectorsError> {
        let keys = self.keys();
        match keys.iter().any(|key| hierarchy.id(key).is_some()) {
            true => Ok(()),
            false => {
                let first = keys.first().map_or("", |first| first).to_owned();
                Err(VectorsError::Strangers { count: keys.len(), first })
            }
        }
    }

    /// Vectors from what a file keeps; `None` if that does not fit together.
    pub(super) fn from_parts(keys: &str, values: Vec<i8>) -> Option<Self> {
        let numbers: HashMap<String, u32> = keys.split('\n').map(str::to_owned).zip(0..).collect();
        let count = keys.split('\n').count();
        let whole = numbers.len() == count && count > 0 && values.len().is_multiple_of(count);
        let dimension = values.len() / count.max(1);
        (whole && dimension > 0).then_some(Self { dimension, numbers, values })
    }
}

/// The numbers in a text, with spaces, tabs or commas between them.
fn numbers_of(text: &str) -> Result<Vec<f32>, String> {
    let number = |field: &str| match field.parse::<f32>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("{field:?} is not a number")),
    };
    text.split([' ', '\t', ',']).filter(|field| !field.is_empty()).map(number).collect()
}

/// A vector from its text: numbers with spaces, tabs or commas between them.
///
/// # Errors
///
/// When one of them is not a number.
pub fn vector(text: &str) -> Result<Vec<f32>, VectorsError> {
    numbers_of(text.trim()).map_err(VectorsError::Numbers)
}

/// Whether a first line says how many vectors follow, and how long they are.
fn is_header(text: &str) -> bool {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    fields.len() == 2 && fields.iter().all(|field| field.parse::<u64>().is_ok())
}

/// A vector of length 1 in the same direction; `None` if it has none.
pub(super) fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    let sound = length > 0.0 && length.is_finite();
    vector.iter_mut().for_each(|number| *number /= length);
    sound.then_some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vectors, String> {
        Vectors::read_from(text.as_bytes(), "v.txt").map_err(|error| error.to_string())
    }

    #[test]
    fn both_forms_are_read() {
        let glove = read("dog 1 0 0\ncat 0 0.5 0\n\ndog 9 9 9\n").unwrap();
        let word2vec = read("2 3\ndog 1 0 0 \ncat 0 2 0 \n").unwrap();
        assert_eq!(glove, word2vec, "only directions count, and the first of a key");
        assert_eq!((glove.dimension(), glove.get("dog")), (3, Some(vec![1.0, 0.0, 0.0])));
        assert_eq!(glove.get("cow"), None);
        let named = read("guide dog\t1,0\nseeing eye dog\t0,1\n").unwrap();
        assert_eq!(named.get("guide dog"), Some(vec![1.0, 0.0]));
    }

    #[test]
    fn a_line_that_is_no_vector_is_refused_with_its_number() {
        let error = |text: &str| read(text).unwrap_err();
        assert!(error("dog 1 0\ncat 1\n").starts_with("v.txt:2: 1 numbers instead of 2"));
        assert!(error("dog 1 x\n").starts_with("v.txt:1: \"x\" is not a number"));
        assert!(error("dog 1 inf\n").starts_with("v.txt:1: \"inf\" is not a number"));
        assert!(error("dog\n").starts_with("v.txt:1: no numbers after the word"));
        assert!(error("2 3\n").starts_with("v.txt: no vectors"));
        let bytes: &[u8] = b"dog 1 0\n\xff 1 0\n";
        let error = Vectors::read_from(bytes, "v.txt").unwrap_err();
        assert!(matches!(error, VectorsError::Line { line: 2, .. }), "{error}");
        let missing = Vectors::read("no/such/file").unwrap_err();
        assert!(matches!(missing, VectorsError::Read { .. }), "{missing}");
    }

    #[test]
    fn they_come_back_from_their_parts() {
        let vectors = read("dog\t1 0 0.5\nguide dog\t0 1 0\n").unwrap();
        let parts = (vectors.keys().join("\n"), vectors.values().to_vec());
        assert_eq!(Vectors::from_parts(&parts.0, parts.1.clone()), Some(vectors));
        assert_eq!(Vectors::from_parts("dog\ndog", parts.1), None);
        assert_eq!(Vectors::from_parts("", Vec::new()), None);
    }
}

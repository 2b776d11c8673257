//! The tensors of an encoder, checked one by one.

use std::path::Path;

use safetensors::tensor::{SafeTensors, TensorView};

use super::EncoderError;
use crate::place::floats::{READ, floats};

/// What stands before the names of tensors in some files.
const PREFIX: &str = "bert.";

/// The tensors of a file, and a checksum of those that have been read.
pub(super) struct Weights<'a> {
    file: &'a Path,
    tensors: SafeTensors<'a>,
    checksum: crc32fast::Hasher,
}

impl<'a> Weights<'a> {
    pub(super) fn new(file: &'a Path, bytes: &'a [u8]) -> Result<Self, EncoderError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| {
            let problem = error.to_string();
            EncoderError::NotSafetensors { file: file.to_owned(), problem }
        })?;
        Ok(Self { file, tensors, checksum: crc32fast::Hasher::new() })
    }

    /// The numbers of a tensor of this shape.
    pub(super) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError> {
        let tensor = self.find(name).ok_or_else(|| self.wrong(name, "is missing".to_owned()))?;
        let numbers = floats(&tensor).filter(|_| tensor.shape() == shape);
        let Some(numbers) = numbers else {
            let (found, dtype) = (tensor.shape(), tensor.dtype());
            let problem = format!("is {dtype:?} {found:?}, not {shape:?} of {READ}");
            return Err(self.wrong(name, problem));
        };
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(self.wrong(name, "has a number that is infinite or not one".to_owned()));
        }
        self.checksum.update(tensor.data());
        Ok(numbers)
    }

    fn find(&self, name: &str) -> Option<TensorView<'a>> {
        let prefixed = || self.tensors.tensor(&format!("{PREFIX}{name}"));
        self.tensors.tensor(name).or_else(|_| prefixed()).ok()
    }

    fn wrong(&self, name: &str, problem: String) -> EncoderError {
        EncoderError::Tensor { file: self.file.to_owned(), tensor: name.to_owned(), problem }
    }

    /// The checksum of everything that was taken, in that order.
    pub(super) fn checksum(self) -> u32 {
        self.checksum.finalize()
    }
}

//! The forward pass: tokens become rows of numbers, and layers of attention change these rows.
//!
//! The rows of several texts lie one below the other. Only attention asks which rows are of the same
//! text; for everything else a row is a row, and no text is filled up to the length of another.

use super::EncoderError;
use super::config::Config;
use super::linear::Linear;
use super::normal::{Norm, attend, gelu};
use super::weights::Weights;

/// A BERT without its last, pooling layer.
#[derive(Debug)]
pub(super) struct Bert {
    width: usize,
    heads: usize,
    /// A row for each token of the vocabulary.
    words: Vec<f32>,
    /// A row for each place in a text, with what is added for texts of the first kind.
    places: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Queries, keys and values, one after another.
    asked: Linear,
    joined: Linear,
    joined_norm: Norm,
    wide: Linear,
    narrow: Linear,
    narrow_norm: Norm,
}

impl Bert {
    pub(super) fn read(
        config: &Config,
        tokens: usize,
        weights: &mut Weights<'_>,
    ) -> Result<Self, EncoderError> {
        let width = config.hidden_size;
        let words = weights.take("embeddings.word_embeddings.weight", &[tokens, width])?;
        let places = config.max_position_embeddings;
        let mut places = weights.take("embeddings.position_embeddings.weight", &[places, width])?;
        let kinds = weights.take("embeddings.token_type_embeddings.weight", &[2, width])?;
        for row in places.chunks_exact_mut(width) {
            row.iter_mut().zip(&kinds).for_each(|(number, kind)| *number += kind);
        }
        let norm = norm(config, "embeddings.LayerNorm", weights)?;
        let layers = (0..config.num_hidden_layers).map(|at| Layer::read(config, at, weights));
        let layers = layers.collect::<Result<_, _>>()?;
        Ok(Self { width, heads: config.num_attention_heads, words, places, norm, layers })
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The mean of the rows of each text. Tokens are those of the vocabulary, and a text has at
    /// least one and at most as many as there are places.
    pub(super) fn run(&self, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        let mut rows = self.embedded(texts);
        for layer in &self.layers {
            layer.run(&mut rows, &lengths, self.heads);
        }
        let mut rows = rows.as_slice();
        lengths.iter().map(|&length| self.mean(split(&mut rows, length * self.width))).collect()
    }

    fn embedded(&self, texts: &[Vec<u32>]) -> Vec<f32> {
        let of = |rows: &'_ [f32], at: usize| rows[at * self.width..][..self.width].to_vec();
        let (mut rows, mut places) = (Vec::new(), Vec::new());
        for text in texts {
            for (place, &token) in text.iter().enumerate() {
                rows.extend(of(&self.words, token as usize));
                places.extend(of(&self.places, place));
            }
        }
        self.norm.add(&mut rows, &places);
        rows
    }

    fn mean(&self, rows: &[f32]) -> Vec<f32> {
        let mut sum = vec![0.0; self.width];
        for row in rows.chunks_exact(self.width) {
            sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
        let count = (rows.len() / self.width).max(1) as f32;
        sum.iter_mut().for_each(|sum| *sum /= count);
        sum
    }
}

impl Layer {
    fn read(config: &Config, at: usize, weights: &mut Weights<'_>) -> Result<Self, EncoderError> {
        let layer = format!("encoder.layer.{at}");
        let (narrow, wide) = (config.hidden_size, config.intermediate_size);
        let (mut matrix, mut bias) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            let name = format!("{layer}.attention.self.{part}");
            matrix.extend(weights.take(&format!("{name}.weight"), &[narrow, narrow])?);
            bias.extend(weights.take(&format!("{name}.bias"), &[narrow])?);
        }
        let mut linear = |name: &str, outputs: usize, inputs: usize| {
            let matrix = weights.take(&format!("{layer}.{name}.weight"), &[outputs, inputs])?;
            let bias = weights.take(&format!("{layer}.{name}.bias"), &[outputs])?;
            Ok(Linear::new(&matrix, &bias))
        };
        Ok(Self {
            asked: Linear::new(&matrix, &bias),
            joined: linear("attention.output.dense", narrow, narrow)?,
            wide: linear("intermediate.dense", wide, narrow)?,
            narrow: linear("output.dense", narrow, wide)?,
            joined_norm: norm(config, &format!("{layer}.attention.output.LayerNorm"), weights)?,
            narrow_norm: norm(config, &format!("{layer}.output.LayerNorm"), weights)?,
        })
    }

    fn run(&self, rows: &mut [f32], lengths: &[usize], heads: usize) {
        let asked = self.asked.apply(rows);
        let mut told = vec![0.0; rows.len()];
        let width = self.narrow_norm.scale.len();
        let (mut asked, mut out) = (asked.as_slice(), told.as_mut_slice());
        for &length in lengths {
            let (own, rest) = out.split_at_mut(length * width);
            attend(split(&mut asked, 3 * length * width), heads, width, own);
            out = rest;
        }
        self.joined_norm.add(rows, &self.joined.apply(&told));
        let mut wide = self.wide.apply(rows);
        gelu(&mut wide);
        self.narrow_norm.add(rows, &self.narrow.apply(&wide));
    }
}

/// The first numbers, which are then no longer among the others.
fn split<'a>(numbers: &mut &'a [f32], count: usize) -> &'a [f32] {
    let (first, rest) = numbers.split_at(count);
    *numbers = rest;
    first
}

fn norm(config: &Config, name: &str, weights: &mut Weights<'_>) -> Result<Norm, EncoderError> {
    let width = config.hidden_size;
    let scale = weights.take(&format!("{name}.weight"), &[width])?;
    let shift = weights.take(&format!("{name}.bias"), &[width])?;
    Ok(Norm { scale, shift, least: config.layer_norm_eps })
}

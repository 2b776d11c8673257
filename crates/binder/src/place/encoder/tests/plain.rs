//! The definition of a BERT's sentence vector, as it is written on paper, in 64 bits.

use std::collections::HashMap;

use super::Tiny;

type Rows = Vec<Vec<f64>>;

pub(super) struct Plain {
    tensors: HashMap<String, (usize, Vec<f64>)>,
    heads: usize,
    layers: usize,
}

impl Plain {
    pub(super) fn new(tiny: &Tiny) -> Self {
        let tensor = |(name, shape, numbers): &(String, Vec<usize>, Vec<f32>)| {
            let numbers = numbers.iter().map(|&number| f64::from(number)).collect();
            (name.clone(), (shape[shape.len() - 1], numbers))
        };
        let tensors = tiny.tensors.iter().map(tensor).collect();
        Self { tensors, heads: tiny.sizes.heads, layers: tiny.sizes.layers }
    }

    /// A row of a tensor.
    fn row(&self, name: &str, row: usize) -> &[f64] {
        let (width, numbers) = &self.tensors[name];
        &numbers[row * width..][..*width]
    }

    pub(super) fn embed(&self, tokens: &[u32]) -> Vec<f64> {
        let mut rows: Rows = Vec::new();
        for (place, &token) in tokens.iter().enumerate() {
            let word = self.row("embeddings.word_embeddings.weight", token as usize);
            let place = self.row("embeddings.position_embeddings.weight", place);
            let kind = self.row("embeddings.token_type_embeddings.weight", 0);
            let sum = word.iter().zip(place).zip(kind).map(|((a, b), c)| a + b + c).collect();
            rows.push(self.norm("embeddings.LayerNorm", sum));
        }
        for layer in 0..self.layers {
            rows = self.layer(&format!("encoder.layer.{layer}"), rows);
        }
        let mean = |at: usize| rows.iter().map(|row| row[at]).sum::<f64>() / rows.len() as f64;
        let mean: Vec<f64> = (0..rows[0].len()).map(mean).collect();
        let length = mean.iter().map(|number| number * number).sum::<f64>().sqrt();
        mean.iter().map(|number| number / length).collect()
    }

    fn layer(&self, layer: &str, rows: Rows) -> Rows {
        let told = self.attention(&format!("{layer}.attention.self"), &rows);
        let told = self.linear(&format!("{layer}.attention.output.dense"), &told);
        let rows = self.added(&format!("{layer}.attention.output.LayerNorm"), &rows, &told);
        let mut wide = self.linear(&format!("{layer}.intermediate.dense"), &rows);
        for x in wide.iter_mut().flatten() {
            *x = *x / 2.0 * (1.0 + libm::erf(*x / 2f64.sqrt()));
        }
        let narrow = self.linear(&format!("{layer}.output.dense"), &wide);
        self.added(&format!("{layer}.output.LayerNorm"), &rows, &narrow)
    }

    fn attention(&self, name: &str, rows: &Rows) -> Rows {
        let [queries, keys, values] =
            ["query", "key", "value"].map(|part| self.linear(&format!("{name}.{part}"), rows));
        let width = rows[0].len();
        let size = width / self.heads;
        let mut out = vec![vec![0.0; width]; rows.len()];
        for (query, out) in queries.iter().zip(&mut out) {
            for start in (0..width).step_by(size) {
                let suits = |key: &Vec<f64>| -> f64 {
                    let product = (start..start + size).map(|at| query[at] * key[at]).sum::<f64>();
                    (product / (size as f64).sqrt()).exp()
                };
                let weights: Vec<f64> = keys.iter().map(suits).collect();
                let sum: f64 = weights.iter().sum();
                for (weight, value) in weights.iter().zip(&values) {
                    (start..start + size).for_each(|at| out[at] += weight / sum * value[at]);
                }
            }
        }
        out
    }

    fn linear(&self, name: &str, rows: &Rows) -> Rows {
        let bias = self.row(&format!("{name}.bias"), 0);
        let output = |row: &[f64], at: usize| -> f64 {
            let weights = self.row(&format!("{name}.weight"), at);
            bias[at] + row.iter().zip(weights).map(|(number, weight)| number * weight).sum::<f64>()
        };
        let of_row = |row: &Vec<f64>| (0..bias.len()).map(|at| output(row, at)).collect();
        rows.iter().map(of_row).collect()
    }

    fn added(&self, name: &str, rows: &Rows, others: &Rows) -> Rows {
        let sum = |(row, other): (&Vec<f64>, &Vec<f64>)| {
            self.norm(name, row.iter().zip(other).map(|(a, b)| a + b).collect())
        };
        rows.iter().zip(others).map(sum).collect()
    }

    fn norm(&self, name: &str, row: Vec<f64>) -> Vec<f64> {
        let width = row.len() as f64;
        let mean = row.iter().sum::<f64>() / width;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / width;
        let (scale, shift) =
            (self.row(&format!("{name}.weight"), 0), self.row(&format!("{name}.bias"), 0));
        let normal = |x: &f64| (x - mean) / (variance + 1e-12).sqrt();
        row.iter().zip(scale).zip(shift).map(|((x, by), and)| normal(x) * by + and).collect()
    }
}

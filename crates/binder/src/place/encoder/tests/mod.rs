//! Tiny encoders of random numbers, written here, and what they must give.

mod broken;
mod plain;
mod words;

use std::path::Path;

use proptest::prelude::*;
use safetensors::tensor::{Dtype, TensorView, serialize};
use serde_json::json;

use super::*;
use plain::Plain;

/// The sizes of an encoder.
#[derive(Debug, Clone, Copy)]
pub(in crate::place) struct Sizes {
    width: usize,
    wide: usize,
    heads: usize,
    layers: usize,
    places: usize,
}

pub(in crate::place) const SMALL: Sizes =
    Sizes { width: 12, wide: 20, heads: 3, layers: 2, places: 24 };

/// A random encoder.
pub(in crate::place) struct Tiny {
    sizes: Sizes,
    tensors: Vec<(String, Vec<usize>, Vec<f32>)>,
}

/// The vocabulary: letters, the same within words, and some words and signs.
fn vocabulary() -> Vec<String> {
    let mut tokens: Vec<String> = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(str::to_owned).to_vec();
    tokens.extend(('a'..='z').map(String::from));
    tokens.extend(('a'..='z').map(|letter| format!("##{letter}")));
    tokens.extend(["dog", "##dog", "do", "cafe", ",", ".", "犬", "é", "D"].map(str::to_owned));
    tokens
}

impl Tiny {
    pub(in crate::place) fn new(sizes: Sizes, seed: u64) -> Self {
        let Sizes { width, wide, layers, places, .. } = sizes;
        let mut tiny = Self { sizes, tensors: Vec::new() };
        let mut shapes = vec![
            ("embeddings.word_embeddings.weight".to_owned(), vec![vocabulary().len(), width]),
            ("embeddings.position_embeddings.weight".to_owned(), vec![places, width]),
            ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, width]),
            ("embeddings.LayerNorm.weight".to_owned(), vec![width]),
            ("embeddings.LayerNorm.bias".to_owned(), vec![width]),
        ];
        for layer in 0..layers {
            for (name, outputs, inputs) in [
                ("attention.self.query", width, width),
                ("attention.self.key", width, width),
                ("attention.self.value", width, width),
                ("attention.output.dense", width, width),
                ("intermediate.dense", wide, width),
                ("output.dense", width, wide),
            ] {
                let name = format!("encoder.layer.{layer}.{name}");
                shapes.push((format!("{name}.weight"), vec![outputs, inputs]));
                shapes.push((format!("{name}.bias"), vec![outputs]));
            }
            for name in ["attention.output.LayerNorm", "output.LayerNorm"] {
                let name = format!("encoder.layer.{layer}.{name}");
                shapes.push((format!("{name}.weight"), vec![width]));
                shapes.push((format!("{name}.bias"), vec![width]));
            }
        }
        let mut state = seed;
        for (name, shape) in shapes {
            let count = shape.iter().product();
            let numbers = (0..count).map(|_| random(&mut state)).collect();
            tiny.tensors.push((name, shape, numbers));
        }
        tiny
    }

    /// Writes its folder.
    pub(in crate::place) fn write(&self, folder: &Path) {
        let Sizes { width, wide, heads, layers, places } = self.sizes;
        let config = json!({
            "model_type": "bert",
            "hidden_act": "gelu",
            "hidden_size": width,
            "intermediate_size": wide,
            "num_attention_heads": heads,
            "num_hidden_layers": layers,
            "max_position_embeddings": places,
            "layer_norm_eps": 1e-12,
        });
        std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
        std::fs::write(folder.join("vocab.txt"), vocabulary().join("\n")).unwrap();
        self.write_weights(folder, "", Dtype::F32);
    }

    fn write_weights(&self, folder: &Path, prefix: &str, dtype: Dtype) {
        let bytes: Vec<Vec<u8>> = self
            .tensors
            .iter()
            .map(|(_, _, numbers)| match dtype {
                Dtype::BF16 => {
                    numbers.iter().flat_map(|n| n.to_bits().to_le_bytes()[2..].to_vec()).collect()
                }
                _ => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
            })
            .collect();
        let views = self.tensors.iter().zip(&bytes).map(|((name, shape, _), bytes)| {
            let view = TensorView::new(dtype, shape.clone(), bytes).unwrap();
            (format!("{prefix}{name}"), view)
        });
        std::fs::write(folder.join("model.safetensors"), serialize(views, None).unwrap()).unwrap();
    }

    pub(in crate::place) fn open(&self) -> Encoder {
        let folder = tempfile::tempdir().unwrap();
        self.write(folder.path());
        Encoder::open(folder.path()).unwrap()
    }
}

/// A number between −1 and 1.
fn random(state: &mut u64) -> f32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) as f32 / 8_388_608.0 - 1.0
}

fn bits(vector: &[f32]) -> Vec<u32> {
    vector.iter().map(|number| number.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn vectors_are_those_of_the_definition(
        seed: u64,
        (heads, size, wide, layers) in (1usize..4, 1usize..20, 1usize..40, 0usize..3),
        texts in proptest::collection::vec("[a-z ,.]{0,30}", 1..6),
    ) {
        let tiny = Tiny::new(Sizes { width: heads * size, wide, heads, layers, places: 24 }, seed);
        let (encoder, plain) = (tiny.open(), Plain::new(&tiny));
        for text in &texts {
            let found = encoder.embed(text);
            let wanted = plain.embed(&encoder.wordpieces.of(text));
            prop_assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(&wanted) {
                prop_assert!((f64::from(*found) - wanted).abs() < 1e-4, "{found} {wanted}");
            }
        }
    }
}

#[test]
fn neither_threads_nor_neighbours_change_a_bit() {
    let encoder = Tiny::new(SMALL, 3).open();
    let text = |at: usize| format!("{} dog, {}", "dog ".repeat(at % 5), at);
    let texts: Vec<String> = (0..50).map(text).collect();
    let alone: Vec<Vec<u32>> = texts.iter().map(|text| bits(&encoder.embed(text))).collect();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all = pool.install(|| encoder.embed_all(&texts, &()).unwrap());
        assert!(all.iter().zip(&alone).all(|(all, alone)| bits(all) == *alone), "{threads}");
    }
}

#[test]
fn work_is_cancelled() {
    struct Now;
    impl Progress for Now {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let encoder = Tiny::new(SMALL, 3).open();
    assert_eq!(encoder.embed_all(&["dog".to_owned()], &Now), Err(Cancelled));
    assert_eq!(encoder.embed_all(&[], &Now), Ok(Vec::new()));
}

#[test]
fn any_text_has_a_vector() {
    let encoder = Tiny::new(SMALL, 3).open();
    let long = "dog ".repeat(100_000);
    for text in ["", " ", "\0", "犬犬", "[CLS] [SEP]", &long, &"d".repeat(1000)] {
        let vector = encoder.embed(text);
        let length: f32 = vector.iter().map(|number| number * number).sum();
        assert!(vector.len() == encoder.dimension() && (length - 1.0).abs() < 1e-5);
    }
}

#[test]
fn weights_may_have_a_prefix_and_16_bits() {
    let tiny = Tiny::new(SMALL, 5);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    tiny.write(folder);
    let wanted = Encoder::open(folder).unwrap();
    tiny.write_weights(folder, "bert.", Dtype::F32);
    let prefixed = Encoder::open(folder.join("model.safetensors")).unwrap();
    assert_eq!(prefixed.fingerprint(), wanted.fingerprint());
    assert_eq!(bits(&prefixed.embed("a dog")), bits(&wanted.embed("a dog")));
    tiny.write_weights(folder, "", Dtype::BF16);
    let half = Encoder::open(folder).unwrap();
    assert_ne!(half.fingerprint(), wanted.fingerprint());
    let pairs = half.embed("a dog").into_iter().zip(wanted.embed("a dog"));
    let likeness: f32 = pairs.map(|(a, b)| a * b).sum();
    assert!(likeness > 0.99, "{likeness}");
}

#[test]
fn the_text_of_a_concept_has_no_examples() {
    assert_eq!(text_of("dog", "a pet; \"he barked\""), "dog: a pet");
    assert_eq!((text_of("dog", " "), text_of("", "a pet")), ("dog".to_owned(), "a pet".to_owned()));
}

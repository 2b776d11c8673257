//! The settings of an encoder: `config.json`, and those of sentences where there are any.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{EncoderError, read};

/// What is used of `config.json`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Config {
    model_type: Option<String>,
    #[serde(default = "gelu")]
    hidden_act: String,
    position_embedding_type: Option<String>,
    pub(super) hidden_size: usize,
    pub(super) intermediate_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) max_position_embeddings: usize,
    #[serde(default = "least_variance")]
    pub(super) layer_norm_eps: f32,
    /// Of `sentence_bert_config.json`.
    #[serde(skip)]
    max_seq_length: Option<usize>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn least_variance() -> f32 {
    1e-12
}

#[derive(Deserialize)]
struct Sentences {
    max_seq_length: Option<usize>,
}

#[derive(Deserialize)]
struct Pooling {
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
}

impl Config {
    pub(super) fn read(folder: &Path) -> Result<Self, EncoderError> {
        let file = folder.join("config.json");
        let mut config: Self = json(&file)?;
        config.check().map_err(|problem| EncoderError::Config { file, problem })?;
        let sentences: Option<Sentences> = json_if_any(&folder.join("sentence_bert_config.json"))?;
        config.max_seq_length = sentences.and_then(|sentences| sentences.max_seq_length);
        let file = folder.join("1_Pooling").join("config.json");
        let pooling: Option<Pooling> = json_if_any(&file)?;
        if pooling.is_some_and(|pooling| !pooling.pooling_mode_mean_tokens) {
            let problem = "not the mean of all tokens, which is all that is known here".to_owned();
            return Err(EncoderError::Config { file, problem });
        }
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        let is_only = |setting: &str, value: Option<&str>, known: &str| match value {
            Some(value) if value != known => {
                Err(format!("{setting} is {value:?}; only {known:?} is known here"))
            }
            _ => Ok(()),
        };
        is_only("model_type", self.model_type.as_deref(), "bert")?;
        is_only("hidden_act", Some(&self.hidden_act), "gelu")?;
        let positions = self.position_embedding_type.as_deref();
        is_only("position_embedding_type", positions, "absolute")?;
        let sizes = [
            ("hidden_size", self.hidden_size),
            ("intermediate_size", self.intermediate_size),
            ("num_attention_heads", self.num_attention_heads),
        ];
        if let Some((setting, _)) = sizes.iter().find(|(_, size)| *size == 0) {
            return Err(format!("{setting} is 0"));
        }
        if self.max_position_embeddings < 2 {
            return Err("max_position_embeddings is below 2".to_owned());
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err("hidden_size is not a multiple of num_attention_heads".to_owned());
        }
        match self.layer_norm_eps.is_finite() && self.layer_norm_eps >= 0.0 {
            true => Ok(()),
            false => Err("layer_norm_eps is not a number from 0 on".to_owned()),
        }
    }

    /// The most tokens of a text, with the two around it.
    pub(super) fn longest(&self) -> usize {
        let most = self.max_position_embeddings;
        self.max_seq_length.map_or(most, |length| length.clamp(2, most))
    }
}

/// A file of JSON.
pub(super) fn json<T: DeserializeOwned>(file: &Path) -> Result<T, EncoderError> {
    serde_json::from_slice(&read(file)?)
        .map_err(|error| EncoderError::Config { file: file.to_owned(), problem: error.to_string() })
}

/// The same for a file that need not be there.
pub(super) fn json_if_any<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, EncoderError> {
    if file.exists() { json(file).map(Some) } else { Ok(None) }
}

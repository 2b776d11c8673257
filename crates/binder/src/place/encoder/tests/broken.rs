//! Folders that are no encoder.

use super::*;

/// What is said of a folder after something was done to it.
fn said(change: impl Fn(&Path)) -> String {
    let folder = tempfile::tempdir().unwrap();
    Tiny::new(SMALL, 1).write(folder.path());
    change(folder.path());
    Encoder::open(folder.path()).unwrap_err().to_string()
}

fn write(folder: &Path, file: &str, text: &str) {
    std::fs::write(folder.join(file), text).unwrap();
}

/// The configuration with another value of a setting.
fn configured(setting: &str, value: serde_json::Value) -> String {
    said(|folder| {
        let text = std::fs::read_to_string(folder.join("config.json")).unwrap();
        let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
        config[setting] = value.clone();
        write(folder, "config.json", &config.to_string());
    })
}

#[test]
fn missing_files_are_named() {
    for (file, wanted) in [
        ("config.json", "config.json: "),
        ("model.safetensors", "model.safetensors: "),
        ("vocab.txt", "neither vocab.txt nor tokenizer.json is there"),
    ] {
        let said = said(|folder| std::fs::remove_file(folder.join(file)).unwrap());
        assert!(said.contains(wanted), "{said}");
    }
    let error = Encoder::open("no/such/folder").unwrap_err();
    assert!(matches!(error, EncoderError::Read { .. }), "{error}");
}

#[test]
fn other_kinds_of_encoders_are_refused() {
    for (setting, value, wanted) in [
        ("model_type", json!("roberta"), "model_type is \"roberta\"; only \"bert\" is known"),
        ("hidden_act", json!("gelu_new"), "hidden_act is \"gelu_new\""),
        ("position_embedding_type", json!("relative_key"), "only \"absolute\" is known"),
        ("hidden_size", json!(0), "hidden_size is 0"),
        ("hidden_size", json!("x"), "config.json: invalid type"),
        ("num_attention_heads", json!(5), "not a multiple of num_attention_heads"),
        ("max_position_embeddings", json!(1), "max_position_embeddings is below 2"),
        ("layer_norm_eps", json!(-1.0), "layer_norm_eps is not a number from 0 on"),
        ("num_hidden_layers", json!(3), "encoder.layer.2.attention.self.query.weight is missing"),
        ("hidden_size", json!(24), "word_embeddings.weight is F32 [65, 12], not [65, 24]"),
    ] {
        let said = configured(setting, value);
        assert!(said.contains(wanted), "{said}");
    }
    let said = said(|folder| {
        std::fs::create_dir(folder.join("1_Pooling")).unwrap();
        write(folder, "1_Pooling/config.json", r#"{"pooling_mode_cls_token": true}"#);
    });
    assert!(said.contains("not the mean of all tokens"), "{said}");
}

#[test]
fn vocabularies_that_do_not_fit_are_refused() {
    let with = |tokens: &[String]| said(|folder| write(folder, "vocab.txt", &tokens.join("\n")));
    let tokens = vocabulary();
    assert!(with(&tokens[1..]).contains("is F32 [65, 12], not [64, 12]"));
    let without: Vec<String> = tokens.iter().map(|token| token.replace("[UNK]", "x y")).collect();
    assert!(with(&without).contains("the token [UNK] is missing"));
    assert!(with(&[&tokens[..], &tokens[..1]].concat()).contains("a token occurs twice"));
    let other = |vocabulary: serde_json::Value| {
        said(|folder| {
            std::fs::remove_file(folder.join("vocab.txt")).unwrap();
            write(folder, "tokenizer.json", &json!({ "model": vocabulary }).to_string());
        })
    };
    assert!(other(json!({"type": "BPE", "vocab": {}})).contains("not a tokenizer of word pieces"));
    assert!(other(json!({"vocab": [["a", -1.0]]})).contains("model.vocab: "));
    assert!(other(json!({"vocab": {"a": 7}})).contains("not numbered from 0 on"));
    let bytes = said(|folder| std::fs::write(folder.join("vocab.txt"), b"\xff").unwrap());
    assert!(bytes.contains("vocab.txt: not UTF-8"), "{bytes}");
}

#[test]
fn weights_that_are_none_are_refused() {
    let broken = |change: fn(&mut Tiny)| {
        said(|folder| {
            let mut tiny = Tiny::new(SMALL, 1);
            change(&mut tiny);
            tiny.write_weights(folder, "", Dtype::F32);
        })
    };
    let infinite = broken(|tiny| tiny.tensors[7].2[3] = f32::INFINITY);
    assert!(infinite.contains("has a number that is infinite"), "{infinite}");
    let missing = broken(|tiny| tiny.tensors[7].0.push('x'));
    assert!(missing.contains("is missing"), "{missing}");
    let bent = broken(|tiny| tiny.tensors[4].1 = vec![3, 4]);
    assert!(bent.contains("embeddings.LayerNorm.bias is F32 [3, 4], not [12]"), "{bent}");
    let cut = said(|folder| {
        let file = folder.join("model.safetensors");
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(file, &bytes[..bytes.len() - 1]).unwrap();
    });
    assert!(cut.contains("not a safetensors file, or cut off"), "{cut}");
}

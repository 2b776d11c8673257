//! From a table of pairs to exact codes in a file.
//!
//! `cargo run --example encode -- taxonomy.csv taxonomy.safetensors`

#![allow(clippy::print_stdout, reason = "it is a program")]

use binder::encode::{Effort, EncodeParams};
use binder::{Hierarchy, encode_with};

fn main() -> binder::Result<()> {
    let mut args = std::env::args().skip(1);
    let source = args.next().unwrap_or("toy".to_owned());
    let target = args.next().unwrap_or("model.safetensors".to_owned());

    let taxonomy = Hierarchy::read(&source)?;
    println!("{source}: {} concepts, {} direct pairs", taxonomy.len(), taxonomy.direct());

    let params = EncodeParams::default().effort(Effort::Max);
    let encoded = encode_with(taxonomy, &params, &())?;
    let confusion = encoded.evaluation.confusion;
    println!(
        "{} bits a concept; {} pairs checked, {} wrong",
        encoded.model.codes().bits(),
        confusion.pairs(),
        confusion.errors()
    );

    encoded.model.save(&target)?;
    println!("saved to {target}");
    Ok(())
}

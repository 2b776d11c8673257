//! The vectors that an encoder makes of lines of text: JSON lines on standard output.
//!
//! `cargo run --release -p binder-codes --example embed -- FOLDER < texts.txt`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::io::stdin;

use binder::place::Encoder;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder of an encoder")?;
    let encoder = Encoder::open(folder)?;
    let texts = stdin().lines().collect::<Result<Vec<String>, _>>()?;
    for vector in encoder.embed_all(&texts, &())? {
        println!("{}", serde_json::to_string(&vector)?);
    }
    Ok(())
}

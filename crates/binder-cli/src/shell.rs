use std::ffi::{OsStr, OsString};

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::terminal::print;

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "binder", &mut script);
    Ok(print(&String::from_utf8(script)?)?)
}

pub(crate) fn man_pages(args: &ManArgs) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.folder)?;
    clap_mangen::generate_to(Cli::command(), &args.folder)?;
    Ok(())
}

/// A command as typed into a shell.
pub(crate) fn command(words: impl Iterator<Item = OsString>) -> OsString {
    words.map(|word| quoted(&word)).collect::<Vec<_>>().join(OsStr::new(" "))
}

/// A word, quoted if it is special to a shell.
fn quoted(word: &OsStr) -> OsString {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(plain) => word.to_owned(),
        Some(text) => format!("'{}'", text.replace('\'', r"'\''")).into(),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (word, quoted_word) in [
            ("--on", "--on"),
            ("my data", "'my data'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("$x", "'$x'"),
        ] {
            assert_eq!(quoted(OsStr::new(word)), quoted_word);
        }
    }
}

use std::ffi::{OsStr, OsString};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory};

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::reading::joined;
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

/// The arguments of this process that its verb was given, apart from some, as words for another
/// verb.
pub(crate) fn given_but(verb: &str, apart: &[&str]) -> Vec<OsString> {
    let mut cli = Cli::command();
    let matches = cli.try_get_matches_from_mut(joined(std::env::args_os()));
    let found = matches.ok().and_then(|mut matches| matches.remove_subcommand());
    let (Some((_, matches)), Some(verb)) = (found, cli.find_subcommand(verb)) else {
        return Vec::new();
    };
    let others = verb.get_arguments().filter(|arg| !apart.contains(&arg.get_id().as_str()));
    others.flat_map(|arg| given(arg, &matches)).collect()
}

/// The words of an argument, if it was given.
fn given(arg: &Arg, matches: &ArgMatches) -> Vec<OsString> {
    let id = arg.get_id().as_str();
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return Vec::new();
    }
    let option = arg.get_long().map(|name| format!("--{name}"));
    let values = matches.get_raw(id).into_iter().flatten();
    match option {
        Some(option) if !arg.get_action().takes_values() => vec![option.into()],
        Some(option) => values
            .map(|value| {
                let mut word = OsString::from(format!("{option}="));
                word.push(value);
                word
            })
            .collect(),
        None => values.map(OsStr::to_owned).collect(),
    }
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

//! `binder`: concept hierarchies as short bit codes, on the command line.

mod add;
mod args;
mod baseline;
mod demo;
mod diff;
mod encode;
mod eval;
mod export;
mod files;
mod info;
mod mcp;
mod models;
mod pairs;
mod place;
mod progress;
mod query;
mod reading;
mod remedy;
mod reproduce;
mod serve;
mod shell;
mod split;
mod terminal;
mod train;
mod tune;
mod update;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

use args::{Cli, Verb};

/// glibc gives each thread an arena of its own and keeps what was once used there, so that a server
/// grows with the number of its threads (`scripts/soak`).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The exit code for wrong use, which is that of the parser of options.
const WRONG_USE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse_from(reading::joined(std::env::args_os()));
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it, as in `binder info … | head`. That is not an
        // error.
        Err(error)
            if error
                .downcast_ref::<std::io::Error>()
                .is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) if error.is::<query::No>() => ExitCode::FAILURE,
        Err(error) if error.is::<train::Interrupted>() => {
            terminal::note(&error.to_string());
            ExitCode::from(train::Interrupted::EXIT_CODE)
        }
        Err(error) => {
            terminal::error(&error);
            match &cli.verb {
                _ if remedy::is_wrong_use(&error) => ExitCode::from(WRONG_USE),
                Verb::Diff(args) if args.is_asked_for_code() => ExitCode::from(diff::TROUBLE),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    cli.machine.apply()?;
    if let Some(name) = binder::bits::unavailable_kernels() {
        terminal::note(&format!(
            "BINDER_KERNELS={name} is not available on this machine; using the best available"
        ));
    }
    match &cli.verb {
        Verb::Demo(args) => demo::run(args),
        Verb::Info(args) => info::run(args),
        Verb::Split(args) => split::run(args),
        Verb::Train(args) => train::run(args),
        Verb::Tune(args) => tune::run(args),
        Verb::Baseline(args) => baseline::run(args),
        Verb::Encode(args) => encode::run(args),
        Verb::Add(args) => add::run(args),
        Verb::Diff(args) => diff::run(args),
        Verb::Update(args) => update::run(args),
        Verb::Eval(args) => eval::run(args),
        Verb::Query(args) => query::run(args),
        Verb::Place(args) => place::run(args),
        Verb::Serve(args) => serve::run(args),
        Verb::Mcp(args) => mcp::run(args),
        Verb::Export(args) => export::run(args),
        Verb::Reproduce(args) => reproduce::run(args),
        Verb::Completions(args) => shell::completions(args),
        Verb::Man(args) => shell::man_pages(args),
    }
}

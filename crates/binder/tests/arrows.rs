//! ARCHITECTURE.md lists the library's modules from the ground up. These tests check that the code
//! agrees.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The heading above the drawing.
const HEADING: &str = "## Which way do the arrows point?";

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn architecture() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// The modules of the drawing, from the ground up: the first word of each line that does not begin
/// with a space.
fn drawing(text: &str) -> Vec<String> {
    let (_, section) = text.split_once(&format!("\n{HEADING}\n")).expect("the heading is there");
    let (_, drawing) = section.split_once("```text\n").expect("a drawing is below it");
    let (drawing, _) = drawing.split_once("\n```").expect("the drawing has an end");
    let names = drawing.lines().filter(|line| !line.starts_with(' '));
    names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// A source file and the module that it holds: `read::edges` for `read/edges.rs`.
struct Source {
    path: PathBuf,
    module: Vec<String>,
}

impl Source {
    fn tokens(&self) -> TokenStream {
        let text = fs::read_to_string(&self.path).unwrap();
        text.parse().unwrap_or_else(|error| panic!("{}: {error}", self.path.display()))
    }

    fn top(&self) -> &str {
        &self.module[0]
    }
}

/// All source files below a folder except lib.rs, which may name everything.
fn files(folder: &Path, module: &[String]) -> Vec<Source> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let inner: Vec<String> = module.iter().cloned().chain([name.clone()]).collect();
        if path.is_dir() {
            found.extend(files(&path, &inner));
        } else if path.extension().is_some_and(|ending| ending == "rs") && name != "lib" {
            let module = if name == "mod" { module.to_vec() } else { inner };
            found.push(Source { path, module });
        }
    }
    found
}

/// What a source file names, without the parts that are compiled for tests only.
#[derive(Default)]
struct Said {
    /// The names right after `crate::`.
    named: BTreeSet<String>,
    /// Modules that are declared for tests only.
    test_modules: BTreeSet<String>,
}

impl Said {
    fn of(source: &Source) -> Self {
        let mut said = Self::default();
        said.read(source.tokens(), source.module.len());
        said
    }

    /// Reads the tokens of a module that is `depth` steps below the crate's root. Comments are not
    /// tokens, and doc comments are string literals.
    fn read(&mut self, tokens: TokenStream, depth: usize) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if is_for_tests(&tokens[at..]) {
                at += self.skip_item(&tokens[at..]);
                continue;
            }
            if let Some(after) = from_root(&tokens[at..], depth) {
                at += after;
                self.name(&tokens[at]);
            }
            if let TokenTree::Group(group) = &tokens[at] {
                self.read(group.stream(), depth);
            }
            at += 1;
        }
    }

    /// Records what follows `crate::`: one name, or a list in braces.
    fn name(&mut self, token: &TokenTree) {
        match token {
            TokenTree::Ident(name) => drop(self.named.insert(name.to_string())),
            TokenTree::Group(list) => self.name_each(list),
            other => panic!("crate::{other}"),
        }
    }

    fn name_each(&mut self, list: &Group) {
        let tokens: Vec<TokenTree> = list.stream().into_iter().collect();
        for part in tokens.split(|token| is_punct(token, ',')).filter(|part| !part.is_empty()) {
            self.name(&part[0]);
        }
    }

    /// The number of tokens of an item that is for tests only.
    fn skip_item(&mut self, tokens: &[TokenTree]) -> usize {
        let is_end = |token: &TokenTree| match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            token => is_punct(token, ';'),
        };
        let end = tokens.iter().position(is_end).expect("an item has an end");
        if let [.., TokenTree::Ident(keyword), TokenTree::Ident(name), _] = &tokens[..=end]
            && keyword == "mod"
        {
            self.test_modules.insert(name.to_string());
        }
        end + 1
    }
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// Whether the tokens start with `#[cfg(test)]`.
fn is_for_tests(tokens: &[TokenTree]) -> bool {
    let [hash, TokenTree::Group(attribute), ..] = tokens else { return false };
    is_punct(hash, '#') && attribute.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// The number of tokens that lead to the crate's root: `crate::`, or enough `super::`.
fn from_root(tokens: &[TokenTree], depth: usize) -> Option<usize> {
    let step = |at: usize, wanted: &str| {
        let [TokenTree::Ident(word), first, second, _, ..] = tokens.get(at..)? else { return None };
        (word == wanted && is_punct(first, ':') && is_punct(second, ':')).then_some(at + 3)
    };
    let up = || (0..depth).try_fold(0, |at, _| step(at, "super"));
    step(0, "crate").or_else(up)
}

/// For each top-level module, the other modules that it names, each with a file that names it.
fn arrows() -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let sources = files(&sources(), &[]);
    let said: Vec<Said> = sources.iter().map(Said::of).collect();
    let mut for_tests: BTreeSet<Vec<String>> = BTreeSet::new();
    for (source, said) in sources.iter().zip(&said) {
        let inner = |name: &String| source.module.iter().chain([name]).cloned().collect();
        for_tests.extend(said.test_modules.iter().map(inner));
    }
    let mut arrows: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for (source, said) in sources.iter().zip(said) {
        let to = arrows.entry(source.top().to_owned()).or_default();
        if !for_tests.iter().any(|module| source.module.starts_with(module)) {
            let others = said.named.into_iter().filter(|name| name != source.top());
            to.extend(others.map(|name| (name, source.path.clone())));
        }
    }
    arrows
}

#[test]
fn every_module_uses_only_those_drawn_before_it() {
    let drawing = drawing(&architecture());
    let place = |name: &String| drawing.iter().position(|drawn| drawn == name);
    let mut faults = Vec::new();
    for (from, to) in arrows() {
        let Some(own) = place(&from) else { continue };
        for (name, file) in to {
            let file = file.strip_prefix(sources()).unwrap().display().to_string();
            match place(&name) {
                Some(other) if other < own => {}
                Some(_) => {
                    faults.push(format!("{file}: {from} uses {name}, which is drawn after it"));
                }
                None => {
                    faults.push(format!("{file}: crate::{name} is not a module; name its module"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "arrows that do not point to the ground:\n{}", faults.join("\n"));
}

#[test]
fn the_drawing_shows_every_module_and_no_other() {
    let drawing = drawing(&architecture());
    let drawn: BTreeSet<String> = drawing.iter().cloned().collect();
    assert_eq!(drawn.len(), drawing.len(), "a module is drawn twice");
    let there: BTreeSet<String> = arrows().into_keys().collect();
    assert_eq!(drawn.difference(&there).collect::<Vec<_>>(), [""; 0], "drawn, but not there");
    assert_eq!(there.difference(&drawn).collect::<Vec<_>>(), [""; 0], "there, but not drawn");
}

/// The first parts of the paths in the text, and the folder that each path is relative to.
const FOLDERS: [(&str, &str); 9] = [
    ("crates/", ""),
    ("src/", "crates/binder"),
    ("docs/", ""),
    ("scripts/", ""),
    ("fuzz/", ""),
    ("benches/", ""),
    ("examples/", ""),
    ("testdata/", ""),
    (".github/", ""),
];

/// The words in backticks, outside of drawings.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|prose| prose.split('`').skip(1).step_by(2))
}

#[test]
fn every_path_in_the_text_exists() {
    let text = architecture();
    let mut missing = Vec::new();
    for quoted in quoted(&text).filter(|quoted| !quoted.contains(char::is_whitespace)) {
        let folder = FOLDERS.iter().find(|(start, _)| quoted.starts_with(start));
        if let Some((_, folder)) = folder
            && !root().join(folder).join(quoted).exists()
        {
            missing.push(quoted);
        }
    }
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {}", missing.join(", "));
}

/// Tests the reading of a file: what is found, and what is left out.
#[test]
fn paths_are_found_and_comments_and_tests_are_left_out() {
    let text = r#"
        //! [`crate::a`]
        use crate::{b::{B, C}, c};
        use crate::d::D as Other;
        pub(crate) fn f() -> Vec<super::super::e::E> { g(crate::f::F, "crate::g", 'c') }
        macro_rules! m { () => { $crate::h::H } }
        #[cfg(test)]
        use crate::i;
        #[cfg(test)]
        mod tests;
        #[cfg(test)]
        #[allow(dead_code)]
        mod more { use crate::j; }
        mod inner { fn f(x: [u8; super::N]) { crate::k::k(x) } }
    "#;
    let mut said = Said::default();
    said.read(text.parse().unwrap(), 2);
    let named: Vec<&str> = said.named.iter().map(String::as_str).collect();
    assert_eq!(named, ["b", "c", "d", "e", "f", "h", "k"]);
    assert!(said.test_modules.contains("tests"));
}

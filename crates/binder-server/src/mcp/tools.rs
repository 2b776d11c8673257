use std::any::Any;
use std::fmt::Write;
use std::sync::Arc;

use binder::Id;
use binder::query::{Expression, Index, QueryError};
use binder_answers::{
    Answer, Description, Explanation, IsA, Nearest, Page, Placed, Relatives, SearchResult,
    Standing, Style, Taken, counted, visible,
};
use rmcp::handler::server::tool::schema_for_input;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::{
    DescribeArguments, ExplainArguments, ExpressionArguments, IsAArguments, JoinArguments,
    NearestArguments, PlaceArguments, RelativesArguments, SearchArguments,
};
use crate::problem::Problem;
use crate::routes::Asking;

/// An answer, or what is wrong and what to do.
pub(super) type Told = Result<String, String>;

/// A tool.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) schema: fn() -> Arc<JsonObject>,
    pub(super) answer: fn(&Asking, Value) -> Told,
    pub(super) needs_placer: bool,
}

macro_rules! tools {
    ($($name:ident($arguments:ty), $answer:path: $description:literal;)*) => {
        &[$(Entry {
            name: stringify!($name),
            description: $description,
            schema: schema::<$arguments>,
            answer: |asking, arguments| {
                told(asking, stringify!($name), arguments, $answer)
            },
            needs_placer: matches!(stringify!($name).as_bytes(), b"place"),
        }),*]
    };
}

pub(super) static TOOLS: &[Entry] = tools! {
    is_a(IsAArguments), is_a:
        "Whether one concept is a kind of another, exactly. Give child and parent, or many pairs.";
    search(SearchArguments), search:
        "Find concepts by words, also misspelt ones. Shows names, labels and definitions.";
    describe(DescribeArguments), describe:
        "What a concept means, what it is also called, its parents and its first children.";
    hypernyms(RelativesArguments), hypernyms:
        "What a concept is a kind of: everything above it, the most general first.";
    hyponyms(RelativesArguments), hyponyms:
        "The kinds of a concept: everything below it, the most general first.";
    join(JoinArguments), join:
        "What concepts have in common: their lowest common hypernyms.";
    explain(ExplainArguments), explain:
        "Why a concept is or is not a kind of another: the chain between them, or what they share.";
    expression(ExpressionArguments), expression:
        "Concepts that fit an expression, for example dog & young_mammal.";
    nearest(NearestArguments), nearest:
        "The concepts most like one.";
    place(PlaceArguments), place:
        "Where a concept belongs that is not in the hierarchy, from its name and definition.";
};

fn schema<T: JsonSchema + Any>() -> Arc<JsonObject> {
    schema_for_input::<T>().unwrap_or_default()
}

/// Reads the arguments of a tool and answers.
fn told<T: DeserializeOwned>(
    asking: &Asking,
    name: &str,
    arguments: Value,
    answer: fn(&Asking, T) -> Result<String, Problem>,
) -> Told {
    let arguments = serde_json::from_value(arguments).map_err(|error| {
        format!("{name}: {error}; call it again with arguments as its schema says")
    })?;
    answer(asking, arguments).map_err(|problem| problem.message())
}

/// Texts as a model reads them: lists are as long as they were asked for.
const STYLE: Style = Style::PLAIN;

/// How words were understood, a line each; nothing for whole names.
fn understood(index: &Index, texts: &[&str]) -> String {
    let mut lines = String::new();
    for text in texts {
        if index.hierarchy().id(text).is_some() {
            continue;
        }
        if let Ok(taken) = Taken::new(index, text) {
            let _ = writeln!(lines, "understood {}", taken.line());
        }
    }
    lines
}

/// How a list goes on.
fn goes_on(next: Option<&String>) -> String {
    next.map_or(String::new(), |next| format!("more: call again with cursor {next:?}\n"))
}

/// A page of at most so many; a model has no use for more.
fn page(asking: &Asking, limit: usize, most: usize, cursor: Option<&str>) -> Result<Page, Problem> {
    if !(1..=most).contains(&limit) {
        return Err(Problem::bad_request(format!("limit: give a number from 1 to {most}")));
    }
    asking.page(None, Some(limit), cursor)
}

fn is_a(asking: &Asking, asked: IsAArguments) -> Result<String, Problem> {
    match (asked.child, asked.parent) {
        (Some(child), Some(parent)) if asked.pairs.is_empty() => {
            let (served, low) = asking.concept(asked.model.as_deref(), &child)?;
            let (_, high) = asking.concept(asked.model.as_deref(), &parent)?;
            let index = &served.index;
            let answer = Answer::IsA(IsA::new(index, low, high)?);
            Ok(understood(index, &[&*child, &*parent]) + &answer.text(index, &STYLE))
        }
        (None, None) if !asked.pairs.is_empty() => {
            asking.check_question(asked.pairs.len())?;
            let index = &asking.model(asked.model.as_deref())?.index;
            Ok(asked
                .pairs
                .iter()
                .map(|(child, parent)| one_of_many(index, child, parent))
                .collect())
        }
        _ => Err(Problem::bad_request("give child and parent, or pairs")),
    }
}

/// A line for a pair of many. A text that is not known says so in its line.
fn one_of_many(index: &Index, child: &str, parent: &str) -> String {
    match (index.known(child), index.known(parent)) {
        (Some(low), Some(high)) => {
            let (low_name, high_name) = (visible(index.name(low)), visible(index.name(high)));
            match index.codes().is_a(low, high) {
                true => format!("yes: {low_name} is-a {high_name}\n"),
                false => format!("no: {low_name} is not {high_name}\n"),
            }
        }
        (low, _) => {
            let unknown = if low.is_none() { child } else { parent };
            format!("unknown: {}; search for it\n", visible(unknown))
        }
    }
}

fn search(asking: &Asking, asked: SearchArguments) -> Result<String, Problem> {
    asking.check_question(asked.text.len())?;
    let index = &asking.model(asked.model.as_deref())?.index;
    let page = page(asking, asked.limit, 100, None)?;
    let found = SearchResult::new(index, &asked.text, page.limit);
    if found.concepts.is_empty() {
        return Ok(format!("nothing is called anything like {:?}; try other words\n", asked.text));
    }
    let mut text = String::new();
    for found in &found.concepts {
        let _ = write!(text, "{}", visible(&found.concept));
        if let Some(label) = &found.label {
            let _ = write!(text, " ({})", visible(label));
        }
        if let Some(definition) = &found.definition {
            let _ = write!(text, ": {}", visible(definition));
        }
        text.push('\n');
    }
    Ok(text)
}

/// How many children a description lists.
const FIRST: usize = 10;

fn describe(asking: &Asking, asked: DescribeArguments) -> Result<String, Problem> {
    let (served, concept) = asking.concept(asked.model.as_deref(), &asked.concept)?;
    let index = &served.index;
    let about = Description::new(index, concept, Page::first(FIRST))?;
    let mut text = understood(index, &[&*asked.concept]);
    let _ = write!(text, "{}", visible(&about.concept));
    if let Some(label) = &about.label {
        let _ = write!(text, " ({})", visible(label));
    }
    text.push('\n');
    if let Some(definition) = &about.definition {
        let _ = writeln!(text, "meaning: {}", visible(definition));
    }
    if !about.synonyms.is_empty() {
        let _ = writeln!(text, "also called: {}", visible(&about.synonyms.join(", ")));
    }
    let parents =
        if about.parents.is_empty() { "nothing".to_owned() } else { about.parents.join(", ") };
    let _ = writeln!(text, "is a: {} ({} above in all)", visible(&parents), about.hypernyms);
    let _ =
        writeln!(text, "below it: {}, {} of them directly", about.hyponyms, about.children_count);
    if !about.children.is_empty() {
        let more = if about.children_count > FIRST { ", …" } else { "" };
        let _ = writeln!(text, "children: {}{more}", visible(&about.children.join(", ")));
    }
    Ok(text)
}

fn hypernyms(asking: &Asking, asked: RelativesArguments) -> Result<String, Problem> {
    relatives(asking, &asked, |index, concept, page| {
        let list = Relatives::above(index, concept, asked.nearest, page)?;
        Ok((list.next.clone(), Answer::Hypernyms(list)))
    })
}

fn hyponyms(asking: &Asking, asked: RelativesArguments) -> Result<String, Problem> {
    relatives(asking, &asked, |index, concept, page| {
        let list = Relatives::below(index, concept, asked.nearest, page)?;
        Ok((list.next.clone(), Answer::Hyponyms(list)))
    })
}

fn relatives(
    asking: &Asking,
    asked: &RelativesArguments,
    list: impl FnOnce(&Index, Id, Page) -> Result<(Option<String>, Answer), Problem>,
) -> Result<String, Problem> {
    let (served, concept) = asking.concept(asked.model.as_deref(), &asked.concept)?;
    let page = page(asking, asked.limit, 1000, asked.cursor.as_deref())?;
    let index = &served.index;
    let (next, answer) = list(index, concept, page)?;
    let text = understood(index, &[&*asked.concept]) + &answer.text(index, &STYLE);
    Ok(text + &goes_on(next.as_ref()))
}

fn join(asking: &Asking, asked: JoinArguments) -> Result<String, Problem> {
    if asked.concepts.len() < 2 {
        return Err(Problem::bad_request("concepts: give two or more"));
    }
    asking.check_question(asked.concepts.len())?;
    let index = &asking.model(asked.model.as_deref())?.index;
    let concept = |name: &String| asking.concept(asked.model.as_deref(), name).map(|(_, id)| id);
    let ids = asked.concepts.iter().map(concept).collect::<Result<Vec<Id>, _>>()?;
    let joined = Answer::Join(Standing::join(index, &ids, Page::first(FIRST))?);
    let texts: Vec<&str> = asked.concepts.iter().map(String::as_str).collect();
    Ok(understood(index, &texts) + &joined.text(index, &STYLE))
}

fn explain(asking: &Asking, asked: ExplainArguments) -> Result<String, Problem> {
    let (served, child) = asking.concept(asked.model.as_deref(), &asked.child)?;
    let (_, parent) = asking.concept(asked.model.as_deref(), &asked.parent)?;
    let index = &served.index;
    let why = Explanation::new(index, child, parent)?;
    Ok(understood(index, &[&*asked.child, &*asked.parent]) + &why.text(&STYLE))
}

fn expression(asking: &Asking, asked: ExpressionArguments) -> Result<String, Problem> {
    asking.check_question(asked.text.len())?;
    let index = &asking.model(asked.model.as_deref())?.index;
    let page = page(asking, asked.limit, 1000, asked.cursor.as_deref())?;
    let standing = Standing::of_expression(index, &asked.text, page)?;
    let names = Expression::parse(&asked.text).map_err(QueryError::from)?;
    let mut text = understood(index, &names.names());
    let _ = writeln!(text, "{}: {}", visible(&asked.text), counted(standing.count, "concept"));
    for name in &standing.below {
        let _ = writeln!(text, "  {}", visible(name));
    }
    Ok(text + &goes_on(standing.next.as_ref()))
}

fn nearest(asking: &Asking, asked: NearestArguments) -> Result<String, Problem> {
    let (served, concept) = asking.concept(asked.model.as_deref(), &asked.concept)?;
    let page = page(asking, asked.limit, 100, None)?;
    let index = &served.index;
    let nearest = Answer::Nearest(Nearest::new(index, concept, page.limit, asked.by.into())?);
    Ok(understood(index, &[&*asked.concept]) + &nearest.text(index, &STYLE))
}

fn place(asking: &Asking, asked: PlaceArguments) -> Result<String, Problem> {
    let Some(placer) = asking.models.placer() else {
        return Err(Problem::not_found("this server has no placer"));
    };
    if asked.name.trim().is_empty() && asked.definition.trim().is_empty() {
        return Err(Problem::bad_request("give a name, a definition, or both"));
    }
    let page = page(asking, asked.limit, 50, None)?;
    Ok(Placed::new(placer, &asked.name, &asked.definition, page.limit).text(&STYLE))
}

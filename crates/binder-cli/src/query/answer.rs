use binder::hierarchy::Id;
use binder::query::{About, Found, Index, List, NotThat, Page, Place, Scored, Why};
use serde::Serialize;

use super::args::{ListArgs, Question};

/// The answer to a question, by names; as JSON it says what the question was.
#[derive(Debug, Serialize)]
#[serde(tag = "question", rename_all = "kebab-case")]
pub(crate) enum Answer {
    IsA { child: String, parent: String, is_a: bool },
    Hypernyms(List),
    Hyponyms(List),
    Meet(Place),
    Join(Place),
    Expr(Place),
    Complement(NotThat),
    Nearest { concept: String, by: &'static str, concepts: Vec<Scored> },
    Explain(Why),
    Describe(About),
    Formal { concept: String, intent: Vec<u16>, count: usize, extent: Vec<String> },
    Search { text: String, concepts: Vec<Found> },
    Picture { concept: String, left_out: usize, text: String },
}

/// Answers a question.
pub(crate) fn answer(index: &Index, question: &Question) -> anyhow::Result<Answer> {
    let name = |concept: Id| index.name(concept).to_owned();
    Ok(match question {
        Question::IsA { child, parent, .. } => {
            let (child, parent) = (index.find(child)?, index.find(parent)?);
            Answer::IsA {
                child: name(child),
                parent: name(parent),
                is_a: index.is_a(child, parent),
            }
        }
        Question::Hypernyms(args) => Answer::Hypernyms(index.list_hypernyms(
            index.find(&args.concept)?,
            args.nearest,
            page(args),
        )),
        Question::Hyponyms(args) => Answer::Hyponyms(index.list_hyponyms(
            index.find(&args.concept)?,
            args.nearest,
            page(args),
        )),
        Question::Meet { concepts } => {
            let ids = find_all(index, concepts)?;
            Answer::Meet(index.place(
                index.names_of(ids.iter().copied()),
                &index.meet(&ids),
                Page::ALL,
            ))
        }
        Question::Join { concepts } => {
            let ids = find_all(index, concepts)?;
            Answer::Join(index.place(
                index.names_of(ids.iter().copied()),
                &index.join(&ids),
                Page::ALL,
            ))
        }
        Question::Expr { words } => {
            let text = words.join(" ");
            let value = index.evaluate(&text)?;
            Answer::Expr(index.place(vec![text], &value, Page::ALL))
        }
        Question::Complement { concept } => {
            Answer::Complement(index.not_that(index.find(concept)?, Page::ALL))
        }
        Question::Nearest { concept, by, count } => {
            let to = index.find(concept)?;
            Answer::Nearest {
                concept: name(to),
                by: by.name(),
                concepts: index.scored(to, *count, *by)?,
            }
        }
        Question::Explain { child, parent } => {
            Answer::Explain(index.why(index.find(child)?, index.find(parent)?))
        }
        Question::Describe { concept } => {
            Answer::Describe(index.about(index.find(concept)?, Page::ALL))
        }
        Question::Formal { concept } => {
            let id = index.find(concept)?;
            let formal = index.formal_concept(id);
            let extent = index.names_of(index.by_generality(&formal.extent));
            Answer::Formal { concept: name(id), intent: formal.intent, count: extent.len(), extent }
        }
        Question::Search { words, count } => {
            let text = words.join(" ");
            Answer::Search { concepts: index.found(&text, *count), text }
        }
        Question::Picture { concept, children, .. } => {
            let id = index.find(concept)?;
            let around = index.neighbourhood(id, *children);
            let text = binder_experiments::tree::text(&around.hierarchy, &around.codes);
            Answer::Picture { concept: name(id), left_out: around.left_out, text }
        }
    })
}

fn page(args: &ListArgs) -> Page {
    Page { limit: args.limit.unwrap_or(usize::MAX), ..Page::ALL }
}

fn find_all(index: &Index, concepts: &[String]) -> anyhow::Result<Vec<Id>> {
    Ok(concepts.iter().map(|name| index.find(name)).collect::<Result<_, _>>()?)
}

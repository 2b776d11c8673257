//! The usual words above the columns of a table, and under the keys of JSON records.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::read) enum Role {
    Child,
    Parent,
    Label,
    Alias,
    AlternativeId,
    Definition,
}

/// Words for the child, those that say it most clearly first. The last ones are names of things,
/// which are a label where there is an id.
const CHILD: &[&str] = &[
    "child",
    "childid",
    "childcode",
    "childname",
    "narrower",
    "narrowerid",
    "narrowerterm",
    "subclass",
    "subtype",
    "hyponym",
    "specific",
    "source",
    "from",
    "src",
    "subject",
    "id",
    "identifier",
    "code",
    "key",
    "uri",
    "iri",
    "classid",
    "conceptid",
    "nodeid",
    "termid",
    "taxonid",
    "taxid",
    "categoryid",
    "itemid",
    "item",
    "node",
    "concept",
    "class",
    "term",
    "category",
    "taxon",
    "type",
    "name",
    "label",
    "title",
];

/// Words for the parent.
const PARENT: &[&str] = &[
    "parent",
    "parents",
    "parentid",
    "parentids",
    "parentcode",
    "parentkey",
    "parentname",
    "parentclass",
    "parentclassid",
    "parentconcept",
    "parentnode",
    "parentterm",
    "parenttaxid",
    "parenttaxonid",
    "parenttaxnodeid",
    "parentnameusageid",
    "parentcategory",
    "parentcategoryid",
    "idparent",
    "isa",
    "broader",
    "broaderid",
    "broaderterm",
    "broaderconcept",
    "subclassof",
    "subtypeof",
    "superclass",
    "supertype",
    "hypernym",
    "generic",
    "target",
    "to",
    "dst",
    "object",
];

const LABEL: &[&str] = &[
    "label",
    "name",
    "preflabel",
    "preferredlabel",
    "preferredname",
    "rdfslabel",
    "title",
    "term",
    "displayname",
    "scientificname",
    "caption",
    "itemlabel",
    "conceptname",
    "categoryname",
];

const DEFINITION: &[&str] =
    &["definition", "definitions", "description", "comment", "gloss", "def", "desc", "rdfscomment"];

const ALIAS: &[&str] = &[
    "alias",
    "aliases",
    "synonym",
    "synonyms",
    "altlabel",
    "altlabels",
    "alternativelabel",
    "alternativename",
    "alternatename",
    "othername",
    "othernames",
];

const ALTERNATIVE_ID: &[&str] =
    &["alternativeid", "alternativeids", "alternateid", "alternateids", "altid", "altids"];

/// The words whose columns hold ids, among which 0 stands for none.
const IDS: &[&str] = &["id", "identifier", "code", "key"];

/// A heading as it is looked up: its letters and digits, in small letters.
pub(in crate::read) fn plain(heading: &str) -> String {
    let local = heading.rsplit([':', '#']).next().filter(|local| !local.is_empty());
    let letters = local.unwrap_or(heading).chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether a heading says that its column holds ids.
pub(in crate::read) fn is_id(heading: &str) -> bool {
    let plain = plain(heading);
    IDS.contains(&plain.as_str()) || plain.ends_with("id")
}

/// The first heading that stands for a role, by the order of the role's words, without those that
/// are taken.
pub(in crate::read) fn find(
    role: Role,
    headings: impl Iterator<Item = impl AsRef<str>>,
    taken: &[usize],
) -> Option<usize> {
    let words = match role {
        Role::Child => CHILD,
        Role::Parent => PARENT,
        Role::Label => LABEL,
        Role::Alias => ALIAS,
        Role::AlternativeId => ALTERNATIVE_ID,
        Role::Definition => DEFINITION,
    };
    let plain: Vec<String> = headings.map(|heading| plain(heading.as_ref())).collect();
    let free = |index: &usize| !taken.contains(index);
    words
        .iter()
        .find_map(|word| {
            plain.iter().enumerate().filter(|(index, _)| free(index)).find(|(_, p)| p == word)
        })
        .map(|(index, _)| index)
}

/// The number of a level column: 2 for `level2`, `Level 2`, `L2`, `category_2`.
pub(in crate::read) fn level(heading: &str) -> Option<u32> {
    let plain = plain(heading);
    let digits = plain.trim_start_matches(|c: char| !c.is_ascii_digit());
    let word = &plain[..plain.len() - digits.len()];
    let words = ["level", "lvl", "l", "lev", "tier", "depth", "category", "cat", "rank"];
    words.contains(&word).then(|| digits.parse().ok()).flatten()
}

/// Whether a cell says that there is nothing: empty, or a word of a database for it.
pub(in crate::read) fn is_missing(cell: &str) -> bool {
    let cell = cell.trim_ascii();
    cell.is_empty() || ["NULL", "null", "NaN", "\\N"].contains(&cell)
}

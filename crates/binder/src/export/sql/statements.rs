use super::{Dialect, Script, identifier};
use crate::bits::words_per_code;

impl Script {
    pub(super) fn aliases(&self) -> String {
        identifier(&format!("{}_aliases", self.table))
    }

    pub(super) fn ranges(&self) -> String {
        identifier(&format!("{}_ranges", self.table))
    }

    fn names(&self) -> String {
        identifier(&format!("{}_names", self.table))
    }

    fn is_a(&self) -> String {
        if self.table == Self::TABLE {
            "is_a".to_owned()
        } else {
            identifier(&format!("{}_is_a", self.table))
        }
    }

    /// The condition that the row `child` is-a the row `parent`: the child's code has every bit of
    /// the parent's.
    fn has_all(&self, child: &str, parent: &str, bits: usize) -> String {
        let has =
            |column: String| format!("({child}.{column} & {parent}.{column}) = {parent}.{column}");
        match self.dialect {
            Dialect::Postgres { bit_string: true } => has("code".to_owned()),
            _ => (0..words_per_code(bits))
                .map(|word| has(format!("c{word}")))
                .collect::<Vec<_>>()
                .join(" AND "),
        }
    }

    pub(super) fn opening(&self, concepts: usize, bits: usize) -> String {
        let what =
            format!("-- {concepts} concepts with {bits} bits each, made by `binder export`.\n");
        match self.dialect {
            // Without ON_ERROR_STOP, psql would interpret the data as statements after an error.
            Dialect::Postgres { .. } => format!(
                "{what}-- Load with: psql -d DATABASE -f THIS_FILE\n\\set ON_ERROR_STOP on\n\
                 SET client_encoding = 'UTF8';\n\nBEGIN;\n\n"
            ),
            Dialect::DuckDb => {
                format!("{what}-- Load with: duckdb DATABASE < THIS_FILE\n\nBEGIN;\n\n")
            }
        }
    }

    /// The tables and the view. Both databases have these types.
    pub(super) fn tables(&self, bits: usize) -> String {
        let (table, aliases, names) = (identifier(&self.table), self.aliases(), self.names());
        let ranges = self.ranges();
        let code = match self.dialect {
            Dialect::Postgres { bit_string: true } => format!("    code bit({bits}) NOT NULL"),
            _ => {
                let word = |word| format!("    c{word} bigint NOT NULL");
                (0..words_per_code(bits)).map(word).collect::<Vec<_>>().join(",\n")
            }
        };
        format!(
            "CREATE TABLE {table} (
    id bigint PRIMARY KEY,
    name text NOT NULL UNIQUE,
    label text,
{code},
    rank bigint NOT NULL UNIQUE
);

CREATE TABLE {aliases} (
    alias text PRIMARY KEY,
    concept bigint NOT NULL REFERENCES {table} (id)
);

-- The ranks of each concept and of everything below it, from low to high.
CREATE TABLE {ranges} (
    concept bigint NOT NULL REFERENCES {table} (id),
    low bigint NOT NULL,
    high bigint NOT NULL,
    PRIMARY KEY (concept, low)
);

-- All names and aliases.
CREATE VIEW {names} AS
    SELECT name, id AS concept FROM {table} UNION ALL SELECT alias, concept FROM {aliases};

"
        )
    }

    /// The index, and the function `is_a` by name or alias. It returns NULL if a name is not known.
    pub(super) fn function(&self, bits: usize) -> String {
        let (table, names, is_a) = (identifier(&self.table), self.names(), self.is_a());
        let index = identifier(&format!("{}_aliases_concept", self.table));
        // DuckDB substitutes the arguments as they are written. An argument such as a column called
        // `name` would then refer to the macro's own tables. So the arguments are renamed in a
        // subquery first.
        let body = format!(
            "SELECT {condition}
    FROM (SELECT child AS child_name, parent AS parent_name) asked
    JOIN {names} child_of ON child_of.name = asked.child_name
    JOIN {names} parent_of ON parent_of.name = asked.parent_name
    JOIN {table} a ON a.id = child_of.concept
    JOIN {table} b ON b.id = parent_of.concept",
            condition = self.has_all("a", "b", bits)
        );
        let create = match self.dialect {
            Dialect::Postgres { .. } => format!(
                "CREATE FUNCTION {is_a}(child text, parent text) RETURNS boolean \
                 LANGUAGE sql STABLE PARALLEL SAFE AS $$\n    {body}\n$$;\n\nANALYZE {table};\n"
            ),
            Dialect::DuckDb => format!("CREATE MACRO {is_a}(child, parent) AS (\n    {body}\n);\n"),
        };
        format!(
            "CREATE INDEX {index} ON {aliases} (concept);\n\n{create}\nCOMMIT;\n",
            aliases = self.aliases()
        )
    }

    /// Example queries, as comments.
    pub(super) fn closing(&self, bits: usize) -> String {
        let (table, is_a, ranges) = (identifier(&self.table), self.is_a(), self.ranges());
        let all = |child, parent| self.has_all(child, parent, bits);
        let (a_b, a_x, b_x, y_x) = (all("a", "b"), all("a", "x"), all("b", "x"), all("y", "x"));
        let statements = format!(
            "
Is A a B?
  SELECT {is_a}('A', 'B');
Hypernyms: everything that A is.
  SELECT b.name FROM {table} a JOIN {table} b ON {a_b} WHERE a.name = 'A' AND a.id <> b.id ORDER BY b.id;
Hyponyms: everything that is a B.
  SELECT a.name FROM {table} b JOIN {table} a ON {a_b} WHERE b.name = 'B' AND a.id <> b.id ORDER BY a.id;
Rows of a table t that stores ranks, of everything that is a B, with an index on t.rank.
  SELECT t.* FROM {table} b JOIN {ranges} r ON r.concept = b.id JOIN t ON t.rank BETWEEN r.low AND r.high WHERE b.name = 'B';
Lowest common hypernyms of A and B.
  WITH common AS (SELECT x.* FROM {table} a, {table} b, {table} x WHERE a.name = 'A' AND b.name = 'B' AND {a_x} AND {b_x})
  SELECT x.name FROM common x WHERE NOT EXISTS (SELECT 1 FROM common y WHERE y.id <> x.id AND {y_x}) ORDER BY x.id;
"
        );
        statements.lines().map(|line| format!("-- {line}").trim_end().to_owned() + "\n").collect()
    }
}

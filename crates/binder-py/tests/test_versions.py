"""Versions of a hierarchy: what differs, and codes that stay."""

import sqlite3

import numpy as np
import pytest

import binder

OLD = [("dog", "animal"), ("cat", "animal"), ("puppy", "dog"), ("hamster", "animal")]
NEW = [("dog", "pet"), ("pet", "animal"), ("cat", "pet"), ("puppy", "dog"), ("kitten", "cat")]


@pytest.fixture(scope="module")
def old():
    return binder.encode(OLD)


@pytest.fixture(scope="module")
def update(old):
    return old.update(NEW)


def test_a_diff_names_what_differs(old):
    for version in (old, old.hierarchy, binder.Hierarchy(OLD)):
        diff = version.diff(NEW)
        assert diff and not diff.same
        assert diff.added == ["pet", "kitten"] and diff.removed == ["hamster"]
        assert diff.moved[0] == binder.Moved("dog", gained=["pet"], lost=["animal"])
        assert diff.renamed == diff.merged == [] and diff.relocated == 0
        assert diff.closure == binder.ClosureDiff(7, 1, 0, 0)
        assert "dog: animal → pet" in str(diff) and "kitten" in diff._repr_html_()
        assert not version.diff(OLD) and str(version.diff(OLD)).endswith("no difference")


def test_room_is_bits_that_all_concepts_have(old):
    roomy = binder.encode(OLD, room=3)
    assert roomy.n_bits == old.n_bits + 3 and np.all(roomy.codes >> np.uint64(old.n_bits) == 7)
    assert binder.evaluate(roomy.update(NEW).model).f1 == 1
    with pytest.raises(binder.errors.InputError, match="4 bits of room in codes of at most 4"):
        binder.encode(OLD, bits=4, room=4)


def test_texts_that_differ():
    old = binder.Hierarchy([{"id": "a", "label": "A"}, {"id": "b", "parent": "a"}])
    new = binder.Hierarchy([{"id": "a", "label": "Alpha"}, {"id": "b", "parent": "a"}])
    assert old.diff(new).texts == binder.TextsDiff(
        labels=1, synonyms=0, definitions=0, alternative_ids=0
    )


def test_aliases_say_what_was_renamed_and_merged(tmp_path):
    term = "[Term]\nid: {}\n{}\n"
    (tmp_path / "old.obo").write_text(
        term.format("X:1", "") + term.format("X:2", "is_a: X:1") + term.format("X:3", "is_a: X:1")
    )
    (tmp_path / "new.obo").write_text(
        term.format("X:1", "") + term.format("X:9", "is_a: X:1\nalt_id: X:2\nalt_id: X:3")
    )
    diff = binder.Hierarchy(tmp_path / "old.obo").diff(tmp_path / "new.obo")
    assert diff.renamed == [binder.Renamed("X:2", "X:9")]
    assert diff.merged == [binder.Merged("X:3", into="X:9")]


def test_an_update_keeps_codes(old, update):
    model = update.model
    assert set(model.names) == {name for pair in NEW for name in pair}
    assert binder.evaluate(model, NEW).f1 == 1 and update.diff == old.diff(NEW)
    assert update.kept == 4 and update.stayed <= 4
    words = model.codes.shape[1]
    codes = {name: np.resize(code, words) for name, code in zip(old.names, old.codes)}
    for change in update.changes:
        assert (change.before is None) == (change.concept not in codes)
        if change.after is None:
            del codes[change.concept]
        else:
            codes[change.concept] = change.after
    assert codes.keys() == set(model.names)
    assert all((codes[name] == code).all() for name, code in zip(model.names, model.codes))
    assert f"{update.stayed} of 4 codes stay" in repr(update) and "2 added" in str(update)
    assert "added" in update._repr_html_()


def test_the_command_line_makes_the_same(command, old, update, tmp_path):
    old.save(tmp_path / "old")
    (tmp_path / "new.tsv").write_text("".join(f"{child}\t{parent}\n" for child, parent in NEW))
    patches = ["--patch", tmp_path / "p.tsv", "--sql", tmp_path / "p.sql", "--table", "facts"]
    command("update", tmp_path / "old", tmp_path / "new.tsv", "-o", tmp_path / "new", *patches)
    assert (tmp_path / "new").read_bytes() == update.model.to_bytes()
    update.save_patch(tmp_path / "q.tsv")
    update.save_patch(tmp_path / "q.sql", table="facts")
    for ending in ("tsv", "sql"):
        assert (tmp_path / f"q.{ending}").read_text() == (tmp_path / f"p.{ending}").read_text()


def test_one_patch_after_the_other_changes_a_table(old, update, tmp_path):
    def stored(model):
        return {name: int(code[0].view(np.int64)) for name, code in zip(model.names, model.codes)}

    later = update.model.update([*NEW, ("kitten", "pet"), ("parrot", "pet")])
    update.save_patch(tmp_path / "first.sql", table="main.facts", key="concept")
    later.save_patch(tmp_path / "second.sql", table="main.facts", key="concept")
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.execute("CREATE TABLE facts (concept text PRIMARY KEY, c0 bigint)")
    database.executemany("INSERT INTO facts VALUES (?, ?)", stored(old).items())
    for script in ("first.sql", "second.sql"):
        database.executescript((tmp_path / script).read_text())
        database.execute(
            "INSERT INTO facts SELECT concept, c0 FROM facts_patch WHERE what = 'new'"
        )
    facts = dict(database.execute("SELECT concept, c0 FROM facts"))
    assert {name: facts[name] for name in later.model.names} == stored(later.model)


def test_what_stands_in_the_way(old, update, tmp_path):
    with pytest.raises(ValueError, match=r"no concept in common; .* binder.encode\(\)"):
        old.update([("oak", "tree")])
    wrong = binder.train(OLD, "published", bits=4, epochs=1, init="random", seed=3)
    with pytest.raises(ValueError, match=r"miss .* pairs; encode the new version with binder"):
        wrong.update(NEW)
    with pytest.raises(ValueError, match="unknown ending; choose format= and one of sql, tsv"):
        update.save_patch(tmp_path / "patch")
    with pytest.raises(ValueError, match="table and key are for sql"):
        update.save_patch(tmp_path / "p.tsv", table="facts")
    with pytest.raises(OSError):
        update.save_patch(tmp_path / "nowhere" / "p.tsv")

#!/usr/bin/env python3
"""Kills binder while it writes, and looks at what is left.

Every verb that writes is started in a temporary folder and killed (SIGKILL) after a random share
of its usual run time. After that every file must be the old one or a whole new one. Then the same
command runs undisturbed: it must succeed with the result of a run that was never killed, and
nothing of the killed runs may be left.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from pathlib import Path

from support import finish, must, parser, prepare, rounds, run, write_hierarchy

EPOCHS = 40
EXPORTS = {
    "tsv": (["old.tsv"], []),
    "npy": (["old.npy", "old.names.txt", "old.sfv"], []),
    "word2vec": (["old.vec"], []),
    "parquet": (["old.parquet"], []),
    "sql": (["old.sql"], ["--dialect", "postgres"]),
}


class Torn(Exception):
    """A file is neither the old one nor a whole new one."""


class Job:
    """A command that writes, with the folder it starts from and the files it ends with."""

    # Whether the command runs again over its own finished result.
    repeatable = True

    def __init__(self, name, command, start):
        self.name, self.command, self.start = name, command, start
        self.old = contents(start)
        with tempfile.TemporaryDirectory(prefix="binder-attack-") as folder:
            folder = Path(folder) / "work"
            shutil.copytree(start, folder)
            began = time.monotonic()
            must(command, folder)
            self.seconds = time.monotonic() - began
            self.new = contents(folder)
            self.check_result(folder)

    def check_result(self, folder):
        """Whether the result of an undisturbed run can be read; overridden."""

    def varies(self, name):
        """Whether a file differs between equal runs, as one with times does."""
        return False

    def check_left(self, folder):
        """Checks the files that a killed run left; returns how many of the new ones are there."""
        left = contents(folder)
        for name in self.old:
            if name not in left:
                raise Torn(f"{name} is gone")
        for name, found in left.items():
            if is_draft(name) or self.varies(name):
                continue
            if found not in (self.old.get(name), self.new.get(name)):
                raise Torn(f"{name} is neither the old file nor the new one")
        return sum(left.get(name) == self.new[name] for name in self.changed())

    def changed(self):
        return [name for name in self.new if self.new[name] != self.old.get(name)]

    def check_end(self, folder, end):
        """Checks what the undisturbed run made of it."""
        if end.returncode != 0:
            raise Torn(f"the next run failed: {end.stderr}")
        now = contents(folder)
        for name, wanted in self.new.items():
            if not self.varies(name) and now.get(name) != wanted:
                raise Torn(f"{name} differs after the next run")
        self.check_result(folder)


class Model(Job):
    """A verb that writes a model: it must open, and say what the hierarchy says."""

    def __init__(self, binder, name, command, start, model, data):
        self.binder, self.model, self.data = binder, model, data
        super().__init__(name, command, start)

    def check_result(self, folder):
        command = [self.binder, "eval", self.model, "--against", self.data, "--json"]
        if json.loads(must(command, folder))["fn"] != 0:
            raise Torn(f"{self.model} misses pairs")


class Add(Model):
    """`add` in place: the same concept cannot be added twice."""

    repeatable = False


class Train(Model):
    """`train`, whose log has times in it and whose checkpoint may be of any epoch."""

    def varies(self, name):
        return name in ("log.jsonl", "run.checkpoint")

    def check_left(self, folder):
        # A checkpoint is written after the lines of its epochs, and its first one, of epoch 0, has
        # none.
        epochs = logged(folder / "log.jsonl", whole=False)
        if (done := checkpointed(folder / "run.checkpoint")) > len(epochs):
            raise Torn(f"the checkpoint knows {done} epochs and the log {len(epochs)}")
        return super().check_left(folder)

    def check_end(self, folder, end):
        super().check_end(folder, end)
        if "has no lines of the epochs" in end.stderr:
            raise Torn(f"the log lacks epochs of the checkpoint: {end.stderr}")

    def check_result(self, folder):
        epochs = logged(folder / "log.jsonl", whole=True)
        if epochs != list(range(1, len(epochs) + 1)):
            raise Torn(f"the log has the epochs {epochs}")


class Export(Job):
    """`export`: the result is looked at once; then its bytes are compared."""

    def check_result(self, folder):
        for name in self.changed():
            check_export(folder / name)


class Split(Job):
    """`split`: a folder that is there is never replaced."""

    repeatable = False

    def check_left(self, folder):
        there = super().check_left(folder)
        if there not in (0, len(self.changed())):
            raise Torn("a part of the folder")
        return there


def logged(path, whole):
    """The epochs in a log; only the last line may be cut off, and only if not `whole`."""
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")
    last = lines.pop()
    if whole and last:
        raise Torn("the log ends within a line")
    return [json.loads(line)["epoch"] for line in lines]


def checkpointed(path):
    """The epochs that a checkpoint knows, from the metadata of its safetensors header."""
    if not path.exists():
        return 0
    data = path.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return int(header["__metadata__"]["epoch"])


def check_export(path):
    """Whether an export is whole, as far as its format shows."""
    data = path.read_bytes()
    if path.suffix == ".parquet":
        whole = data[:4] == data[-4:] == b"PAR1"
    elif path.suffix == ".npy":
        header = 10 + int.from_bytes(data[8:10], "little")
        shape = data[10:header].decode().split("(")[1].split(")")[0]
        rows, words = (int(number) for number in shape.split(","))
        whole = len(data) == header + rows * words * 8
    else:
        whole = data.endswith(b"\n")
    if not whole:
        raise Torn(f"{path.name} is not whole")


def contents(folder):
    """Every file under a folder, by its relative name."""
    files = (path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def is_draft(name):
    return name.startswith(".binder-") or "/.binder-" in name


def drafts(folder):
    return [path.name for path in Path(folder).rglob(".binder-*")]


def jobs(binder, work, concepts):
    """Every verb that writes, each with a folder to start from."""

    def start(name, *files):
        folder = work / name
        folder.mkdir()
        write_hierarchy(folder / "data.tsv", concepts, 1)
        for file in files:
            shutil.copy(made / file, folder)
        return folder

    made = work / "made"
    made.mkdir()
    write_hierarchy(made / "data.tsv", concepts, 1)
    write_hierarchy(made / "half.tsv", concepts // 2, 2)
    fast = ["--effort", "fast"]
    must([binder, "encode", "data.tsv", "-o", "new.safetensors", *fast], made)
    must([binder, "encode", "half.tsv", "-o", "old.safetensors", *fast], made)
    shutil.copy(made / "old.safetensors", made / "model.safetensors")
    (made / "more.tsv").write_text("".join(f"n{i}\tc{i}\n" for i in range(50)), encoding="utf-8")
    both = (made / "data.tsv").read_text() + (made / "more.tsv").read_text()
    (made / "grown.tsv").write_text(both, encoding="utf-8")

    model, data = "model.safetensors", "data.tsv"
    yield Model(
        binder, "encode", [binder, "encode", data, "-o", model, *fast],
        start("encode", model), model, data,
    )
    train = [
        binder, "train", data, "-o", model, "--bits", "64", "--epochs", str(EPOCHS), "--resume",
        "--checkpoint", "run.checkpoint", "--checkpoint-every", "3", "--log", "log.jsonl",
    ]
    yield Train(binder, "train", train, start("train", model), model, data)
    grown = start("add", "new.safetensors", "more.tsv", "grown.tsv")
    add = [binder, "add", "new.safetensors", "--pairs", "more.tsv"]
    yield Add(binder, "add", add, grown, "new.safetensors", "grown.tsv")
    for format, (files, options) in EXPORTS.items():
        output = ["-o", files[0], "--format", format, *options]
        must([binder, "export", "old.safetensors", *output], made)
        command = [binder, "export", "new.safetensors", *output]
        folder = start(f"export {format}", "new.safetensors", *files)
        (folder / data).unlink()
        yield Export(f"export {format}", command, folder)
    yield Split("split", [binder, "split", data, "-o", "parts"], start("split"))
    must([binder, "query", "old.safetensors", "picture", "c1", "-o", "old.svg"], made)
    picture = [binder, "query", "new.safetensors", "picture", "c7", "-o", "old.svg"]
    yield Picture("query picture", picture, start("picture", "new.safetensors", "old.svg"))
    edges = [binder, "reproduce", "edges", "--sets", "toy,animals", "-o", "results"]
    yield Job("reproduce edges", edges, start("edges"))


class Picture(Job):
    def check_result(self, folder):
        xml.etree.ElementTree.parse(folder / "old.svg")


def kill_after(job, folder, delay):
    """Runs a job and kills it after a delay; whether it was still running."""
    with open(folder.parent / "output", "wb") as output:
        began = time.monotonic()
        process = subprocess.Popen(job.command, cwd=folder, stdout=output, stderr=output)
        try:
            process.wait(timeout=delay)
            # How long a job takes depends on what else runs: go by the last time.
            job.seconds = time.monotonic() - began
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            job.seconds *= 1.1
            return True


def attack(job, rng, counts):
    """One folder: one to three kills, then an undisturbed run."""
    with tempfile.TemporaryDirectory(prefix="binder-attack-") as folder:
        folder = Path(folder) / "work"
        shutil.copytree(job.start, folder)
        there = 0
        for _ in range(rng.choice([1, 1, 2, 3])):
            if there and not job.repeatable:
                break
            # Half of the kills come late, where the writing is.
            earliest = rng.choice([0.0, 0.7])
            delay = job.seconds * rng.uniform(earliest, 1.02)
            counts["kills"] += 1
            counts["in time"] += kill_after(job, folder, delay)
            there = job.check_left(folder)
            counts["replaced"] += there == len(job.changed())
            counts["partly"] += 0 < there < len(job.changed())
            counts["drafts"] += len(drafts(folder))
        if there and not job.repeatable:
            shutil.rmtree(folder / "parts", ignore_errors=True)
            for name in job.old:
                (folder / name).write_bytes(job.old[name])
        job.check_end(folder, run(job.command, folder))
        left = drafts(folder)
        if left:
            counts["leftovers"] += len(left)
            print(f"{job.name}: left after the next run: {left}")


def main():
    options = parser(__doc__, 40, "kills")
    options.add_argument("--concepts", type=int, default=2000, help="[default: 2000]")
    args = options.parse_args()
    binder, rng = prepare(args), random.Random(args.seed)
    counts = dict.fromkeys(
        ["kills", "in time", "replaced", "partly", "drafts", "torn", "leftovers"], 0
    )
    with tempfile.TemporaryDirectory(prefix="binder-attack-") as work:
        all_jobs = list(jobs(binder, Path(work), args.concepts))
        kills, most = rounds(args), args.rounds or (None if args.seconds else args.default_rounds)
        for count in kills:
            if most and counts["kills"] >= most:
                break
            job = all_jobs[count % len(all_jobs)]
            try:
                attack(job, rng, counts)
            except (Torn, AssertionError, ValueError) as torn:
                counts["torn"] += 1
                print(f"{job.name}: {torn}")
    print(
        f"{len(all_jobs)} verbs; {counts['in time']:,} were killed while they ran; after the kill "
        f"{counts['replaced']:,} had all of their new files, {counts['partly']:,} some of them, "
        f"{counts['drafts']:,} drafts lay there"
    )
    line = f"{counts['kills']:,} kills: {counts['torn']} torn, {counts['leftovers']} leftovers"
    finish(line, counts["torn"] or counts["leftovers"])


if __name__ == "__main__":
    sys.exit(main())

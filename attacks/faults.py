#!/usr/bin/env python3
"""Lets the system calls of `add` and `export` fail one by one, and looks at what is left.

strace makes the K-th call of a kind fail with an error, or kills the process there. The laws:

- The file is the old one or the whole new one. It is never torn and never lost.
- Status 0 only if the new file is in place, and synced.
- Another status although it is in place only if that was in doubt: the report could not be
  printed, or the folder not be synced.
- A run that failed leaves no draft; one that was killed may, until the next run.

A result that could not be written may be saved beside, as *.rescued; then it must be whole.
"""

import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from support import finish, must, parser, prepare, rounds, run, write_hierarchy

CALLS = [
    "openat", "read", "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2",
    "link", "linkat", "unlink", "ftruncate", "fallocate", "fchmod", "fchown", "flock", "fcntl",
    "statx", "newfstatat", "fstat", "lseek",
]
ERRORS = ["ENOSPC", "EIO", "EACCES", "KILL"]
EXPORTS = {
    "tsv": (["out.tsv"], []),
    "npy": (["out.npy", "out.names.txt", "out.sfv"], []),
    "word2vec": (["out.vec"], []),
    "parquet": (["out.parquet", "out.ranges.parquet"], []),
    "sql": (["out.sql"], ["--dialect", "duckdb"]),
}
SYNCS = {"fsync", "fdatasync"}


class Job:
    """A command, the folder it starts from, and the files it writes, before and after."""

    def __init__(self, name, command, start, outputs):
        self.name, self.command, self.start, self.outputs = name, command, start, outputs
        self.old = read(start, outputs)
        with tempfile.TemporaryDirectory(prefix="binder-attack-") as folder:
            folder = copied(start, folder)
            log = folder.parent / "log"
            must(strace(log, CALLS) + command, folder)
            self.new = read(folder, outputs)
            self.calls = called(log)
        assert None not in self.new.values() and self.new != self.old

    def faults(self):
        """Every fault that can be injected: (call, error, which)."""
        for call, count in self.calls.items():
            for error in ERRORS:
                for which in range(1, count + 1):
                    yield call, error, which


def read(folder, names):
    paths = {name: Path(folder) / name for name in names}
    return {name: path.read_bytes() if path.exists() else None for name, path in paths.items()}


def copied(start, folder):
    work = Path(folder) / "work"
    shutil.copytree(start, work)
    (Path(folder) / "tmp").mkdir()
    return work


def strace(log, calls, *more):
    """-y writes the path of each file descriptor; signals are not logged."""
    known = "?" + ",?".join(calls)
    quiet = ["-e", "signal=none"]
    return ["strace", "-f", "-y", "-o", str(log), *quiet, "-e", f"trace={known}", *more]


def called(log):
    """How often each call was made by the thread that made it most: strace counts by thread."""
    threads = Counter()
    for line in log.read_text(errors="replace").splitlines():
        match = re.match(r"(\d+)\s+(\w+)\(", line)
        if match:
            threads[match.groups()] += 1
    counts = {}
    for (_, call), count in threads.items():
        counts[call] = max(counts.get(call, 0), count)
    return counts


def jobs(binder, work):
    write_hierarchy(work / "data.tsv", 300, 1)
    write_hierarchy(work / "half.tsv", 100, 2)
    for data, model in [("data.tsv", "model.safetensors"), ("half.tsv", "old.safetensors")]:
        must([binder, "encode", data, "-o", model, "--effort", "fast"], work)

    def start(name, *files):
        folder = work / name
        folder.mkdir()
        for file in files:
            shutil.copy(work / file, folder)
        return folder

    model = "model.safetensors"
    add = [binder, "add", model, "new", "--parent", "c3", "--threads", "1"]
    yield Job("add", add, start("add", model), [model])
    yield Job("add -o", [*add, "-o", "new.safetensors"], start("add-o", model), ["new.safetensors"])
    over = start("add -o over", model)
    shutil.copy(work / "old.safetensors", over / "new.safetensors")
    yield Job("add -o over another", [*add, "-o", "new.safetensors"], over, ["new.safetensors"])
    for format, (files, options) in EXPORTS.items():
        output = ["-o", files[0], "--format", format, "--threads", "1", *options]
        must([binder, "export", "old.safetensors", *output], work)
        command = [binder, "export", model, *output]
        yield Job(f"export {format}", command, start(f"export-{format}", model, *files), files)


def injected(log):
    """The calls that were made to fail, as strace wrote them."""
    lines = log.read_text(errors="replace").splitlines()
    return [line.split(None, 1)[1] for line in lines if "(INJECTED)" in line]


def only_in_doubt(calls, killed):
    """Whether a status other than 0 is right although the file is in place."""
    report = re.compile(r"(write|fcntl|fstat|statx|newfstatat)\((0|1|2)<")
    sync = re.compile(r"(fsync|fdatasync)\(")
    return killed or all(report.match(call) or sync.match(call) for call in calls)


def attack(job, fault, counts):
    """Injects one fault; returns what was wrong."""
    call, error, which = fault
    killed = error == "KILL"
    how = "signal=KILL" if killed else f"error={error}"
    with tempfile.TemporaryDirectory(prefix="binder-attack-") as folder:
        work = copied(job.start, folder)
        log, temporary = work.parent / "log", work.parent / "tmp"
        inject = ["-e", f"inject={call}:{how}:when={which}"]
        environment = {**os.environ, "TMPDIR": str(temporary)}
        done = run(strace(log, [call], *inject) + job.command, work, env=environment)
        now, calls = read(work, job.outputs), injected(log)
        wrong = list(judge(job, now, done, calls, killed, counts))
        wrong += list(beside(job, work, temporary, done, calls, killed, counts))
        if killed:
            wrong += list(after_a_kill(job, work))
    return wrong


def judge(job, now, done, calls, killed, counts):
    """The laws about the files and the status."""
    for name, found in now.items():
        if found is None and job.old[name] is not None:
            yield f"{name} is lost"
        elif found not in (job.old[name], job.new[name]):
            yield f"{name} is torn"
    in_place = now == job.new
    counts["partly"] += not in_place and any(now[name] == job.new[name] for name in now)
    if done.returncode == 0:
        counts["did not matter"] += 1
        if not in_place:
            yield "status 0, but the new file is not in place"
        if any(call.split("(")[0] in SYNCS for call in calls):
            yield "status 0, but a sync had failed"
    elif in_place:
        counts["in doubt"] += 1
        if not only_in_doubt(calls, killed):
            yield f"status {done.returncode}, but the new file is in place"
    else:
        counts["failed"] += 1
    if not killed and done.returncode not in (0, 1, 127) and calls:
        yield f"status {done.returncode}: {done.stderr.strip()[:300]}"


def beside(job, work, temporary, done, calls, killed, counts):
    """The laws about drafts and rescued results."""
    drafts = [path.name for path in work.iterdir() if path.name.startswith(".binder-")]
    unlinked = any(call.startswith("unlink") for call in calls)
    if drafts and not killed and not unlinked:
        yield f"left behind: {drafts}"
    for path in [*work.glob("*.rescued"), *temporary.glob("*.rescued")]:
        counts["rescued"] += 1
        if path.read_bytes() not in job.new.values():
            yield f"{path.name} is not whole"


def after_a_kill(job, work):
    for name, old in job.old.items():
        if old is not None:
            (work / name).write_bytes(old)
    done = run(job.command, work)
    if done.returncode != 0:
        yield f"the next run failed: {done.stderr}"
    if drafts := [path.name for path in work.iterdir() if path.name.startswith(".binder-")]:
        yield f"left behind after the next run: {drafts}"


def allowed():
    """Whether there is an strace that may trace and inject."""
    if not shutil.which("strace"):
        return False
    inject = ["strace", "-f", "-o", "/dev/null", "-e", "inject=write:error=EIO:when=1000", "true"]
    return run(inject, ".").returncode == 0


def main():
    options = parser(__doc__, 0, "faults, drawn from all; 0 is all of them")
    args = options.parse_args()
    if not allowed():
        print("SKIPPED: faults: install strace, and allow ptrace")
        return
    binder, rng, counts, failures = prepare(args), random.Random(args.seed), Counter(), 0
    with tempfile.TemporaryDirectory(prefix="binder-attack-") as work:
        every = [(job, fault) for job in jobs(binder, Path(work)) for fault in job.faults()]
        total = len(every)
        if args.rounds or args.seconds:
            rng.shuffle(every)
        for _, (job, fault) in zip(rounds(args), every):
            counts["faults"] += 1
            for wrong in attack(job, fault, counts):
                failures += 1
                call, error, which = fault
                print(f"{job.name}, {call} {which}: {error}: {wrong}", flush=True)
    print(
        f"of {total:,} possible faults; {counts['failed']:,} runs failed with the old file in "
        f"place, {counts['did not matter']:,} succeeded all the same, {counts['in doubt']:,} "
        f"failed with the new file in place (report or sync of the folder, or killed after it), "
        f"{counts['partly']:,} replaced one of two files; {counts['rescued']:,} results rescued"
    )
    finish(f"{counts['faults']:,} faults: {failures} broken laws", failures)


if __name__ == "__main__":
    sys.exit(main())

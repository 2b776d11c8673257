"""What the attacks share: options, the binary, hierarchies at random, and how a round ends."""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def parser(description, rounds, what):
    """Options that every attack has; `rounds` is the default number of `what`."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--binary", type=Path, help="the binder to attack [default: target/…]")
    options.add_argument("--rounds", type=int, default=None, help=f"{what} [default: {rounds}]")
    options.add_argument("--seconds", type=float, help="stop after so long instead")
    options.add_argument("--seed", type=int, default=0, help="same seed, same attack [default: 0]")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    options.add_argument(
        "--folder", default=memory, help=f"where to make temporary folders [default: {memory}]"
    )
    options.set_defaults(default_rounds=rounds)
    return options


def prepare(args):
    """The binary to attack, as an absolute path. Temporary folders are made where `args` say: in
    memory, syncing costs nothing."""
    tempfile.tempdir = args.folder
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / kind / "binder" for kind in ("release", "debug")]
    found = [args.binary] if args.binary else [path for path in built if path.exists()]
    if not found or not found[0].exists():
        sys.exit("no binary to attack: cargo build --release --bin binder, or give --binary")
    return str(found[0].resolve())


def rounds(args):
    """Counts rounds until there were enough of them, or the time is over."""
    started, count = time.monotonic(), 0
    most = args.rounds if args.rounds or args.seconds else args.default_rounds
    while (not most or count < most) and (
        not args.seconds or time.monotonic() - started < args.seconds
    ):
        yield count
        count += 1


def run(command, folder, **options):
    """Runs a command in a folder and returns it finished, with its output as text."""
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", **options
    )


def must(command, folder, **options):
    """Runs a command that has to succeed and returns its standard output."""
    done = run(command, folder, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}: {done.stderr}")
    return done.stdout


def write_hierarchy(path, concepts, seed):
    """A random hierarchy as TSV: mostly a tree, every tenth concept with a second parent."""
    rng = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for child in range(1, concepts):
            for parent in {rng.randrange(child) for _ in range(1 + (rng.random() < 0.1))}:
                file.write(f"c{child}\tc{parent}\n")


def finish(line, failures):
    """Prints the closing line, and ends with an error if anything failed."""
    print(line, flush=True)
    sys.exit(1 if failures else 0)

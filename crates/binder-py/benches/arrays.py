"""How fast `is_a` is over ten million random pairs of WordNet's nouns, by id and by name."""

import time

import numpy as np

import binder


def best(work, runs=7):
    """The shortest time, and the median."""
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return f"{min(times):.3f} s at best, {sorted(times)[runs // 2]:.3f} s at the median of {runs}"


model = binder.encode("wordnet-nouns", progress=False)
children, parents = np.random.default_rng(0).integers(0, len(model), (2, 10_000_000))
names = np.array(model.names, dtype=object)
pairs = {
    "int64 ids": (children, parents),
    "uint32 ids": (children.astype(np.uint32), parents.astype(np.uint32)),
    "names, Python strings": (names[children], names[parents]),
}
for what, (child, parent) in pairs.items():
    print(f"{what:24} {best(lambda: model.is_a(child, parent))}")

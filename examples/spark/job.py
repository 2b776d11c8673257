"""Counts the items below each of many concepts.

Usage: job.py MASTER FOLDER ITEMS QUESTIONS
FOLDER has nouns.parquet and nouns.safetensors.
"""

import sys
import time

import numpy
import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from safetensors.numpy import load_file

MASTER, FOLDER = sys.argv[1:3]
ITEMS, QUESTIONS = map(int, sys.argv[3:5])
WORKERS = 2

# The condition that an item's concept a is-a a question's concept b. WordNet's nouns need one word.
IS_A = "(a.c0 & b.c0) = b.c0"

BY_CONCEPT = f"""
    WITH tally AS (SELECT concept, count(*) AS items FROM items GROUP BY concept)
    SELECT b.name, sum(tally.items) AS items
    FROM tally JOIN concepts a ON a.name = tally.concept
    JOIN (SELECT name, c0 FROM concepts JOIN questions USING (name)) b ON {IS_A}
    GROUP BY b.name
"""

ITEM_BY_ITEM = f"""
    SELECT b.name, count(*) AS items
    FROM (SELECT c0 FROM items JOIN concepts ON name = concept) a
    JOIN (SELECT name, c0 FROM concepts JOIN questions USING (name)) b ON {IS_A}
    GROUP BY b.name
"""


def make_tables(names):
    """Draws items and questions with a fixed seed; returns the concepts of both."""
    draw = numpy.random.default_rng(1)
    concepts = draw.integers(len(names), size=ITEMS)
    questions = draw.choice(len(names), size=QUESTIONS, replace=False)
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(concepts, pyarrow.int32()), pyarrow.array(names))
    items = pyarrow.table({"item": numpy.arange(ITEMS), "concept": column.cast(pyarrow.string())})
    # Small row groups, so that both workers have data to read.
    pyarrow.parquet.write_table(items, f"{FOLDER}/items.parquet", row_group_size=1 << 20)
    asked = pyarrow.table({"name": [names[question] for question in questions]})
    pyarrow.parquet.write_table(asked, f"{FOLDER}/questions.parquet")
    return concepts, questions


def by_closure(model, concepts, questions):
    """The same counts without codes: finds what is below each question by the direct pairs."""
    children = {}
    for child, parent in model["pairs"].tolist():
        children.setdefault(parent, []).append(child)
    tally = numpy.bincount(concepts, minlength=len(model["codes"]))
    counts = []
    for question in questions.tolist():
        below, waiting = {question}, [question]
        while waiting:
            new = [child for child in children.get(waiting.pop(), []) if child not in below]
            below.update(new)
            waiting.extend(new)
        counts.append(int(tally[list(below)].sum()))
    return counts


def connect():
    spark = (SparkSession.builder.master(MASTER).appName("binder").config("spark.executor.memory", "1g").config("spark.cores.max", WORKERS)
             .config("spark.executor.cores", 1).config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", 8).getOrCreate())
    while len(executors(spark)) < WORKERS:
        time.sleep(0.2)
    return spark


def executors(spark):
    hosts = spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()
    return list(hosts)[1:]  # the first is the driver


def main():
    model = load_file(f"{FOLDER}/nouns.safetensors")
    text, at = model["names"].tobytes(), model["name_offsets"].tolist()
    names = [text[start:end].decode() for start, end in zip(at, at[1:])]
    concepts, questions = make_tables(names)
    started = time.perf_counter()
    expected = dict(zip((names[question] for question in questions), by_closure(model, concepts, questions)))
    print(f"{ITEMS:,} items, {QUESTIONS:,} questions; NumPy along the closure: {time.perf_counter() - started:.1f} s")

    spark = connect()
    print(f"Spark {spark.version}, {len(executors(spark))} workers")
    spark.read.parquet(f"{FOLDER}/nouns.parquet").select("name", f.col("c0")).createOrReplaceTempView("concepts")
    for table in ["items", "questions"]:
        spark.read.parquet(f"{FOLDER}/{table}.parquet").createOrReplaceTempView(table)
    for how, statement in [("by concept first", BY_CONCEPT), ("item by item", ITEM_BY_ITEM)]:
        started = time.perf_counter()
        counts = {row.name: int(row["items"]) for row in spark.sql(statement).collect()}
        seconds = time.perf_counter() - started
        assert counts == {name: count for name, count in expected.items() if count}, how
        print(f"{how}: {seconds:.1f} s, all {QUESTIONS:,} counts right, {sum(counts.values()):,} items in all")
    spark.stop()


main()

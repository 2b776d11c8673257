"""The questions in SQL, and how each engine is asked, timed and checked."""

import statistics
import time

# Everything that is an X, by the code in every fact: no join, any order of facts.
BY_CODE = "SELECT count(*), sum(amount) FROM {table} WHERE {is_a}"

# The same by ranges of ranks, written as constants: facts in order of rank are skipped over.
BY_RANGES = "SELECT count(*), sum(amount) FROM {table} WHERE {ranges}"

# How many facts each concept has with everything below it. Facts are counted by rank, counts are
# added up along the ranks, and each range is a difference of two sums: two equal joins, however
# many pairs the hierarchy has.
ROLL_UP = """
    WITH tally AS (SELECT rank, count(*) AS facts FROM {table} GROUP BY rank),
    sums AS (
        SELECT c.rank AS rank, sum(coalesce(t.facts, 0)) OVER (ORDER BY c.rank) AS upto,
               coalesce(t.facts, 0) AS own
        FROM concepts c LEFT JOIN tally t ON t.rank = c.rank
    )
    SELECT r.concept AS concept, sum(b.upto - a.upto + a.own) AS facts
    FROM ranges r JOIN sums a ON a.rank = r.low JOIN sums b ON b.rank = r.high
    GROUP BY r.concept
"""


def is_a(code):
    return f"(code & {code}) = {code}"


def bit_and(code):
    """ClickHouse has functions instead of operators for bits."""
    return f"bitAnd(code, {code}) = {code}"


def within(ranges):
    return " OR ".join(f"rank BETWEEN {low} AND {high}" for low, high in ranges)


def ask(engine, facts, run, is_a=is_a):
    """Asks everything, checks every answer, and prints a row of the table for each way."""
    for table in ["facts", "sorted"]:
        filters = {
            "code": lambda rank: BY_CODE.format(table=table, is_a=is_a(facts.codes[rank])),
            "ranges": lambda rank: BY_RANGES.format(table=table, ranges=within(facts.ranges_of(rank))),
        }
        for way, statement in filters.items():
            seconds = []
            for rank in facts.asked:
                found, took = timed(run, statement(rank))
                wanted = facts.answer(rank)
                assert tuple(map(int, found[0])) == wanted, (engine, table, way, facts.names[rank])
                seconds.append(took)
            row(engine, table, f"filter by {way}", statistics.median(seconds), max(seconds))
    found, took = timed(run, ROLL_UP.format(table="facts"))
    counts = facts.rolled_up()
    assert len(found) == len(counts), (engine, len(found))
    assert all(int(count) == counts[int(concept)] for concept, count in found), engine
    row(engine, "facts", "roll-up to all concepts", took, took)


def timed(run, statement):
    begun = time.perf_counter()
    found = run(statement)
    return found, time.perf_counter() - begun


def row(engine, table, way, median, slowest):
    order = {"facts": "any order", "sorted": "in order of rank"}[table]
    print(f"| {engine} | {order} | {way} | {median:.2f} | {slowest:.2f} |", flush=True)

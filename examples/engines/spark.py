"""A Spark cluster."""

import time

WORKERS = 2


def connect(master, facts):
    """The engine's name and how to ask it, once all workers are there."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.executor.memory": "2g",
        "spark.executor.cores": 1,
        "spark.cores.max": WORKERS,
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": 8,
    }
    builder = SparkSession.builder.master(master).appName("binder")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    while executors(spark) < WORKERS:
        time.sleep(0.2)
    for name, path in {"concepts": "concepts.parquet", "ranges": "concepts.ranges.parquet"}.items():
        spark.read.parquet(f"{facts.folder}/{path}").createOrReplaceTempView(name)
    for name in ["facts", "sorted"]:
        spark.read.parquet(f"{facts.folder}/{name}").createOrReplaceTempView(name)
    return f"Spark {spark.version}, {WORKERS} workers", lambda statement: spark.sql(statement).collect()


def executors(spark):
    """How many there are; the first is the driver."""
    return len(list(spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos())) - 1

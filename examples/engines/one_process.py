"""The engines that run inside one process: DuckDB, DataFusion, ClickHouse (chDB)."""


def duckdb(facts):
    import duckdb

    engine = duckdb.connect()
    for name, path in tables(facts).items():
        engine.execute(f"CREATE VIEW {name} AS SELECT * FROM '{path}'")
    return f"DuckDB {duckdb.__version__}", lambda statement: engine.execute(statement).fetchall()


def datafusion(facts):
    import datafusion

    engine = datafusion.SessionContext()
    for name, path in tables(facts).items():
        engine.register_parquet(name, path.replace("*.parquet", ""))

    def run(statement):
        found = engine.sql(statement).to_arrow_table()
        return list(zip(*(column.to_pylist() for column in found.columns)))

    return f"DataFusion {datafusion.__version__}", run


def clickhouse(facts):
    import chdb
    from chdb.session import Session

    engine = Session()
    engine.query("CREATE DATABASE binder")
    engine.query("USE binder")
    for name, path in tables(facts).items():
        engine.query(f"CREATE VIEW {name} AS SELECT * FROM file('{path}', Parquet)")

    def run(statement):
        lines = engine.query(statement, "TSV").bytes().decode().splitlines()
        return [line.split("\t") for line in lines]

    return f"ClickHouse (chDB {chdb.__version__})", run


def tables(facts):
    names = {"concepts": "concepts.parquet", "ranges": "concepts.ranges.parquet"}
    names |= {"facts": "facts/*.parquet", "sorted": "sorted/*.parquet"}
    return {name: f"{facts.folder}/{path}" for name, path in names.items()}

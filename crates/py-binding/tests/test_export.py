from __future__ import annotations

import duckdb
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from lookback import errors
from sessions import EXAMPLES, header, user, write


def test_duckdb_reads_what_is_exported(examples, tmp_path):
    examples.tag(next(iter(examples.sessions()))["session_id"], "example")
    out = tmp_path / "out"
    counts = examples.export(out)
    assert set(counts) == {"sessions", "messages", "tool_calls", "usage", "branches", "tags", "warnings"}
    for name, rows in counts.items():
        ((found,),) = duckdb.sql(
            f"select count(*) from read_parquet('{out}/{name}/**/*.parquet', hive_partitioning = true)"
        ).fetchall()
        assert found == rows, name
    months = duckdb.sql(
        f"select month, count(*) from read_parquet('{out}/messages/**/*.parquet', hive_partitioning = true, "
        "hive_types_autocast = false) where month is not null group by 1 order by 1"
    ).fetchall()
    assert months[0][0] == "2025-11"
    assert all((out / "messages" / f"month={month}").is_dir() for month, _ in months)
    ((cost,),) = duckdb.sql(
        f"select sum(cost) from read_parquet('{out}/usage/**/*.parquet', hive_partitioning = true) "
        "where copied_from is null"
    ).fetchall()
    known = sum(row["cost"] or 0 for row in examples.usage() if row["copied_from"] is None)
    assert cost == pytest.approx(known)


def test_rows_and_types_come_back_as_they_were(examples, tmp_path):
    examples.export(tmp_path)
    frame = ds.dataset(tmp_path / "messages", partitioning="hive").to_table()
    known = examples.messages(roles="all").to_arrow()
    assert frame.num_rows == known.num_rows
    for field in known.schema:
        assert frame.schema.field(field.name).type == field.type
    key = [("session_id", "ascending"), ("line", "ascending")]
    assert frame.select(known.column_names).sort_by(key).to_pylist() == known.sort_by(key).to_pylist()


def test_a_folder_with_something_in_it_is_refused(examples, tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(errors.BadRequestError, match="not an empty folder"):
        examples.export(tmp_path)


def test_an_empty_history_exports_the_columns(tmp_path, open_over):
    (tmp_path / "none").mkdir()
    lb = open_over(tmp_path / "none")
    counts = lb.export(tmp_path / "out")
    assert set(counts.values()) == {0}
    for name in counts:
        frame = pq.read_table(tmp_path / "out" / name / "part-0.parquet")
        assert frame.num_rows == 0
        assert "session_id" in frame.column_names or name == "warnings"


def test_absurd_times_have_months_or_none(folder, open_over, tmp_path):
    lines = [
        f'{{"type":"message","id":"u","parentId":null,"message":{{"role":"user","content":"x","timestamp":{ms}}}}}'
        for ms in ("0", "253402300799999", "8.64e15", "-8.64e15", '"no"')
    ]
    write(folder, "s1", header("s1"), *lines, user("v", None, 5, "y"))
    assert open_over(folder).export(tmp_path / "out")["messages"] == 6
    folders = {path.name for path in (tmp_path / "out" / "messages").iterdir()}
    assert {"month=1970-01", "month=9999-12", "month=2026-03"} <= folders


@pytest.mark.spark
def test_spark_reads_what_is_exported(examples, tmp_path):
    """Asked for with `-m spark`: PySpark has to be installed beside the others, and Java."""
    pyspark = pytest.importorskip("pyspark.sql")
    counts = examples.export(tmp_path / "out")
    spark = pyspark.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        for name, rows in counts.items():
            assert spark.read.parquet(str(tmp_path / "out" / name)).count() == rows, name
        usage = spark.read.parquet(str(tmp_path / "out" / "usage"))
        (row,) = usage.where("copied_from is null").selectExpr("sum(cost) as cost").collect()
        known = sum(row["cost"] or 0 for row in examples.usage() if row["copied_from"] is None)
        assert row["cost"] == pytest.approx(known)
    finally:
        spark.stop()
    assert EXAMPLES.is_dir()

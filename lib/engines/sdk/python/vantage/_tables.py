"""pyarrow and pandas, which are optional."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any, BinaryIO

from ._errors import GatewayError, MissingPackage

if TYPE_CHECKING:
    import pandas
    import pyarrow

#: Bytes of a table's file that stay in memory; more go to a temporary file.
_IN_MEMORY_MAX = 64 * 1024 * 1024


def table_file() -> BinaryIO:
    """For the bytes of a Parquet file on their way into a table."""
    return tempfile.SpooledTemporaryFile(_IN_MEMORY_MAX)  # type: ignore[return-value]


def check_pyarrow() -> None:
    """Raises MissingPackage before anything is requested."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise MissingPackage('Tables need pyarrow: pip install "vantage-sdk[arrow]"') from error


def check_pandas() -> None:
    """Raises MissingPackage before anything is requested."""
    try:
        import pandas  # noqa: F401
    except ImportError as error:
        raise MissingPackage('Data frames need pandas: pip install "vantage-sdk[pandas]"') from error
    check_pyarrow()


def table_of_file(file: BinaryIO) -> pyarrow.Table:
    """Reads a Parquet file."""
    import pyarrow
    import pyarrow.parquet

    file.seek(0)
    if file.read(4) != b"PAR1":
        raise GatewayError("The result is not Parquet: leave FORMAT out of the statement", "badAnswer")
    file.seek(0)
    return pyarrow.parquet.read_table(file)


def table_of_rows(rows: list[Any]) -> pyarrow.Table:
    """Rows with lists and records in them."""
    import pyarrow

    return pyarrow.Table.from_pylist(rows)


def frame_of(table: pyarrow.Table) -> pandas.DataFrame:
    """The same rows for pandas; times have the type of a time."""
    frame: pandas.DataFrame = table.to_pandas()
    return frame

"""The rows of a result. Made by `npm run generate`; do not edit."""

from __future__ import annotations

from collections.abc import Iterator, Callable, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

from .. import _tables as tables
from .._errors import VantageError
from ..types import MeasurementStatus

if TYPE_CHECKING:
    import pandas
    import pyarrow

Row = TypeVar("Row")


class Rows(Generic[Row]):
    """Rows as they arrive: each iteration reads them from the gateway, and holds none of them.

    >>> for reply in v.replies(measurement_id):
    ...     print(reply["reply_src_addr"], reply["rtt_ms"])
    >>> frame = v.replies(measurement_id).to_pandas()
    """

    #: Its status when waiting ended; ``None`` for rows that nothing was waited for.
    status: MeasurementStatus | None
    #: Sentences on what the measurement lacks: probes that were not sent, agents that took no part.
    missing: tuple[str, ...]

    def __init__(
        self,
        about: str,
        read: Callable[[], Iterator[Row]],
        parquet: Callable[[], Iterator[bytes]] | None,
        *,
        measurement_id: str | None = None,
        status: MeasurementStatus | None = None,
        missing: Iterable[str] = (),
    ) -> None:
        self._about = about
        self._read = read
        self._parquet = parquet
        self._measurement_id = measurement_id
        self.status = status
        self.missing = tuple(missing)

    @property
    def measurement_id(self) -> str:
        """The measurement that they are of. Raises VantageError for rows of SQL and of campaigns."""
        if self._measurement_id is None:
            raise VantageError(f"{self._about}: these rows are not of one measurement")
        return self._measurement_id

    @property
    def is_partial(self) -> bool:
        """Whether something is missing."""
        return len(self.missing) > 0

    def __iter__(self) -> Iterator[Row]:
        return self._read()

    def to_list(self) -> list[Row]:
        """All rows, in memory."""
        return [row for row in self]

    def first(self) -> Row:
        """The first row. Raises VantageError when no row exists."""
        for row in self:
            return row
        raise VantageError(f"{self._about}: no rows")

    def to_arrow(self) -> pyarrow.Table:
        """All rows as a table of pyarrow, in memory. Raises MissingPackage without pyarrow."""
        tables.check_pyarrow()
        if self._parquet is None:
            return tables.table_of_rows(self.to_list())
        with tables.table_file() as file:
            for piece in self._parquet():
                file.write(piece)
            return tables.table_of_file(file)

    def to_pandas(self) -> pandas.DataFrame:
        """All rows as a frame of pandas, in memory. Raises MissingPackage without pandas or pyarrow."""
        tables.check_pandas()
        return tables.frame_of(self.to_arrow())

    def __repr__(self) -> str:
        missing = f"; partial: {'; '.join(self.missing)}" if self.is_partial else ""
        return f"<Rows: {self._about}{missing}>"

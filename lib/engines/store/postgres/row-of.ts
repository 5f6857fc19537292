/**
 * The row of a statement that always returns one: an aggregate, a function, a table of one row. Throws where there is
 * none: a default would stand for "not stopped" or "nothing used".
 */
export function rowOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) {
    throw new Error("Cannot read the database's answer: it has no row");
  }
  return row;
}

/** A computation in short steps: its runner decides what happens between two of them. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs it to its end, where blocking the thread is harmless. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) {
      return value;
    }
  }
}

/** What is short enough for one step. */
export function* oneStep<Result>(compute: () => Result): Steps<Result> {
  yield;
  return compute();
}

/** The rows of a computation whose steps are rows. */
export function* collected<Row>(rows: Iterable<Row>): Steps<Row[]> {
  const all: Row[] = [];
  for (const row of rows) {
    all.push(row);
    yield;
  }
  return all;
}

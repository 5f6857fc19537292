/** Shares one answer among concurrent callers, and for some time after. */

/** `make` is called at most once in `ageMs`, and never twice at a time; a failure is not kept. */
export function sharedAnswer<Answer>(ageMs: number, make: () => Promise<Answer>): () => Promise<Answer> {
  let last: Promise<Answer> | null = null;
  return () => {
    if (last === null) {
      const made = make();
      last = made;
      const forget = () => {
        last = null;
      };
      // With an age of 0: before its waiters continue.
      made.then(() => (ageMs === 0 ? forget() : setTimeout(forget, ageMs).unref()), forget);
    }
    return last;
  };
}

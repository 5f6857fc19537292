/** One answer for all who ask while it is made, and for some time after: a crowd costs what one costs. */

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
      // Before anybody goes on who waited for it, where it is to have no age.
      made.then(() => (ageMs === 0 ? forget() : setTimeout(forget, ageMs).unref()), forget);
    }
    return last;
  };
}

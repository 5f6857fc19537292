/** Gives requests ids, so that an answer, a log line and a user's report can be matched. */

const givenForm = /^[\w.-]{8,64}$/;

/**
 * Takes the id that a proxy in front gave (8 to 64 letters, digits, `_`, `.`, `-`), else counts: a random start for
 * each process and a number, which costs less than a random id for each request.
 */
export function requestIds(): (given: string | null) => string {
  const start = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return (given) => (given !== null && givenForm.test(given) ? given : `${start}-${(++count).toString(36)}`);
}

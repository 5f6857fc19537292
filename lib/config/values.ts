/** Values that keys of several configurations have, with the words for what is wrong with one. */
import * as v from "valibot";

export const filled = v.pipe(v.string(), v.nonEmpty("must not be empty"));

/** Text that passes a check; `message` goes on from the key: "must be …". */
export function checkedText(isGood: (value: string) => boolean, message: string) {
  return v.pipe(v.string(), v.check(isGood, message));
}

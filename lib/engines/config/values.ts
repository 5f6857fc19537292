/** Values shared by several configurations, with their error texts. */
import * as v from "valibot";

export const filled = v.pipe(v.string(), v.nonEmpty("must not be empty"));

/** Text that passes a check; `message` follows the key: "must be …". */
export function checkedText(isGood: (value: string) => boolean, message: string) {
  return v.pipe(v.string(), v.check(isGood, message));
}

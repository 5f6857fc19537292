/** The logged-in person, as printed by commands. */
import type * as v from "valibot";
import type { meSchema } from "../../../../lib/engines/gateway-client/answers.ts";

/** Characters of a hash that are shown. */
const shortChars = 8;

type Person = Pick<v.InferOutput<typeof meSchema>, "name" | "user_id" | "user_hash">;

/** `alice, number 3909981556, hash 55579b55`: operators' commands accept each of them. */
export function personText({ name, user_id: id, user_hash: hash }: Person): string {
  const all = [name, `number ${id}`, hash === null ? null : `hash ${hash.slice(0, shortChars)}`];
  return all.filter((one) => one !== null).join(", ");
}

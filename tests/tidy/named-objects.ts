/** A route resolves ids by the caller and the token's grant, never by a user's hash alone. */
import type { Problem, Tree } from "./tree.ts";

export function namedObjects(tree: Tree): Problem[] {
  return [...tree]
    .filter(([path]) => /^apps\/.*routes\.ts$/.test(path))
    .flatMap(([path, text]) => text.split("\n").map((line, index) => ({ path, line, number: index + 1 })))
    .filter(({ line }) => /\bOwned\.of\(/.test(line))
    .map(
      ({ path, number }) =>
        `${path}:${number}: Owned.of goes around the grant of a narrowed token; use Owned.by with userOf(c)`,
    );
}

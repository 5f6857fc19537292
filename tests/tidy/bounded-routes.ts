/**
 * Each route has bounds of what it computes: it is a route of lib/service, and stands in lib/http/route-work.ts.
 *
 * Routes whose path is put together by a program are found when their service starts (`checkWork`).
 */
import { routeWork } from "../../lib/http/route-work.ts";
import type { Problem, Tree } from "./tree.ts";

/** `app.get("/api/x", …` also with its path on the next line. */
const registration = /\.(get|post|put|patch|delete)\(\s*"(\/[^"]*)"/g;
const ownYield = /\b(setImmediate|new Work)\(/;

export function unboundedRoutes(tree: Tree): Problem[] {
  const files = [...tree].filter(
    ([path]) => /^(apps|lib)\/.*\.tsx?$/.test(path) && !/\.test\.ts$/.test(path),
  );
  return [...files.flatMap(unlisted), ...files.flatMap(unpaced)];
}

function unlisted([path, text]: readonly [string, string]): Problem[] {
  if (!/\bnew Hono\b/.test(text)) {
    return [];
  }
  return [...text.matchAll(registration)].flatMap(([, method = "", route = ""]) =>
    routeWork(method.toUpperCase(), route) === null
      ? [`${path}: ${method.toUpperCase()} ${route} has no bounds; list it in lib/http/route-work.ts`]
      : [],
  );
}

/** What yields without a turn of lib/http/turns.ts runs as often as it likes, and continues without its client. */
function unpaced([path, text]: readonly [string, string]): Problem[] {
  const isService = /^(apps\/(campaigns|collector|console|peering-gateway|probing-gateway)|lib\/http)\//.test(
    path,
  );
  const own = isService && !/^lib\/http\/(turns|request-work)\.ts$/.test(path) ? ownYield.exec(text) : null;
  return own === null
    ? []
    : [`${path}: ${own[1]} goes around the turns of requests; take a Pace (lib/http/pace.ts)`];
}

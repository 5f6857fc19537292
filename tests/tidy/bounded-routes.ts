/**
 * Each route has bounds of what it computes: it is a route of lib/engines/service, and stands in
 * lib/engines/http/route-work.ts.
 *
 * Routes whose path is put together by a program are found when their service starts (`checkWork`).
 */
import { routeWork } from "../../lib/engines/http/route-work.ts";
import type { Problem, Tree } from "./tree.ts";

/** `app.get("/api/x", …` also with its path on the next line. */
const registration = /\.(get|post|put|patch|delete)\(\s*"(\/[^"]*)"/g;
const services = [
  ...["apps/console/", "apps/peering/collector/", "apps/peering/gateway/", "apps/probing/campaigns/"],
  ...["apps/probing/gateway/", "lib/engines/http/"],
];
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
      ? [`${path}: ${method.toUpperCase()} ${route} has no bounds; list it in lib/engines/http/route-work.ts`]
      : [],
  );
}

/**
 * What yields without a turn of lib/engines/http/turns.ts runs as often as it likes, and continues without its
 * client.
 */
function unpaced([path, text]: readonly [string, string]): Problem[] {
  const isService = services.some((folder) => path.startsWith(folder));
  const own =
    isService && !/^lib\/engines\/http\/(turns|request-work)\.ts$/.test(path) ? ownYield.exec(text) : null;
  return own === null
    ? []
    : [`${path}: ${own[1]} goes around the turns of requests; take a Pace (lib/engines/http/pace.ts)`];
}

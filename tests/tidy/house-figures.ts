/**
 * Figures of the house, for the table in ARCHITECTURE.md: `bun tests/tidy/house-figures.ts FOLDER`, the folder being a
 * checkout of any commit.
 */
import { lonelyExports } from "./exports.ts";
import { readGraph } from "./import-graph.ts";
import { smallParts } from "./small-parts.ts";
import { isTest, readTree } from "./tree.ts";

const [folder = "."] = Bun.argv.slice(2);
const graph = readGraph(readTree(folder));
const texts = [...graph.tree].filter(
  ([path]) => /^(apps|lib|ffi)\/.*\.(tsx?|capnp)$/.test(path) && !isTest(path),
);
const product = texts.filter(([path]) => /\.tsx?$/.test(path));
const isGenerated = (path: string, text: string) =>
  /^lib\/(net\/)?wire\/(layout\.ts|generated\/)/.test(path) || /^[^\n]*do not edit/i.test(text);

const lines = product.flatMap(([, text]) => text.trimEnd().split("\n"));
const isCode = (line: string) => !/^\s*($|\/\/|\/\*|\*)/.test(line);

/** Hand-written files that name a thing: those that somebody opens who adds another of its kind. */
function named(pattern: RegExp, where = /./): number {
  return texts.filter(([path, text]) => !isGenerated(path, text) && where.test(path) && pattern.test(text))
    .length;
}

const route = /\/api\/limits\b|limitsAnswer|limits-routes/;
const gatewaySide = /^(apps\/probing(-|\/)gateway|lib\/(base\/|engines\/)?(api|auth))\//;

console.table({
  "lines of the product": lines.length,
  "of these, made by a program": product
    .filter(([path, text]) => isGenerated(path, text))
    .reduce((sum, [, text]) => sum + text.split("\n").length, 0),
  "of these, code": lines.filter(isCode).length,
  files: product.length,
  "exports without a second user": lonelyExports(graph).filter((line) => /^(apps|lib|ffi)\//.test(line))
    .length,
  "small files of one importer": smallParts(graph).length,
  "files that define a reply field (reply_id)": named(
    /reply_?id\b/i,
    /^(lib\/(net\/)?(wire|packet)|ffi\/hotpath)\//,
  ),
  "files that define a view, its options and its answer (pings)": named(
    /\bpings\b/,
    /^(apps\/(probing(-|\/)gateway|(user\/)?client\/replies)|lib\/(answers\/|engines\/)?(results|sdk))\//,
  ),
  "files of the gateway that name a route and its answer (/api/limits)": named(route, gatewaySide),
  "files of its users that do (CLI, SDK, console)": named(route) - named(route, gatewaySide),
  "files that name a command (vantage health)": named(/health\/main\.ts|`vantage health`/),
});

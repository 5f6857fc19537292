/**
 * The rules of the house, held by a test: who imports whom, purity, sizes, nothing of one machine.
 *
 * Each rule is shown to fail on a small project in memory, then runs on the real one. tests/tidy/rooms.ts
 * and tests/tidy/house.ts hold what they allow.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { unboundedRoutes } from "./tidy/bounded-routes.ts";
import { brokenProjects } from "./tidy/broken-projects.ts";
import {
  forbiddenImports,
  homeless,
  risingImports,
  siblingCircles,
  upwardImports,
} from "./tidy/directions.ts";
import { lonelyExports } from "./tidy/exports.ts";
import { foreignOutput } from "./tidy/foreign-output.ts";
import { forbiddenTwins } from "./tidy/glossary.ts";
import { cycles, type Graph, readGraph, unreached } from "./tidy/import-graph.ts";
import { namedObjects } from "./tidy/named-objects.ts";
import { impurities, untyped } from "./tidy/purity.ts";
import { twistedSentences } from "./tidy/sentences.ts";
import { smallParts } from "./tidy/small-parts.ts";
import {
  headless,
  lockedAddresses,
  machineAddresses,
  namedInVain,
  tooLong,
  tooWide,
  unnamedElements,
} from "./tidy/text-rules.ts";
import { type Problem, readTree, type Tree } from "./tidy/tree.ts";

type Rule = (tree: Tree) => Problem[];
type Files = Readonly<Record<string, string>>;

/** To read every file takes seconds: once for all rules. */
const graphs = new WeakMap<Tree, Graph>();

const onGraph =
  (rule: (graph: Graph) => Problem[]): Rule =>
  (tree) => {
    const graph = graphs.get(tree) ?? readGraph(tree);
    graphs.set(tree, graph);
    return rule(graph);
  };

const rules: Readonly<Record<string, Rule>> = {
  "imports follow the table": onGraph(forbiddenImports),
  "every file is in the table": onGraph(homeless),
  "no imports in a circle": onGraph(cycles),
  "no import points upwards": onGraph(upwardImports),
  "wings import downwards": onGraph(risingImports),
  "no two folders import each other": onGraph(siblingCircles),
  "every file is reached": onGraph(unreached),
  "every export has a user": onGraph(lonelyExports),
  "pure rooms are pure": onGraph(impurities),
  "no any, no silenced compiler": onGraph(untyped),
  "text of others is printed by lib/base/terminal": foreignOutput,
  "routes resolve ids by the caller's grant": namedObjects,
  "each route has bounds of its work": unboundedRoutes,
  "no small part of one file": onGraph(smallParts),
  "files say what they are": headless,
  "named files exist": namedInVain,
  "no long file": tooLong,
  "no wide line": tooWide,
  "pages say whose elements they use": unnamedElements,
  "plain sentences": twistedSentences,
  "words of the glossary": forbiddenTwins,
  "no path or host of one machine": machineAddresses,
  "no download address in the lock file": lockedAddresses,
};

function check(name: string, files: Files): Problem[] {
  return rules[name]?.(new Map(Object.entries(files))) ?? [`there is no rule "${name}"`];
}

describe("each rule can fail", () => {
  test.each(brokenProjects)("%s: %s", (rule, _what, files, problem) => {
    expect(check(rule, files)).toEqual([problem]);
  });

  test("and none is left out", () => {
    expect(new Set(brokenProjects.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)));
  });
});

test("a small tidy project breaks no rule", () => {
  const files = {
    "bun.lock": "{}",
    "lib/net/ip/a.ts": '/** A. */ import ipaddr from "ipaddr.js"; export const a = new Date(0) && ipaddr;',
    "lib/net/packet/b.ts":
      '/** B. */ import { a } from "../ip/a.ts"; export { createHmac } from "node:crypto"; export { a };',
    "ffi/c.ts":
      '/** C. */ import "bun:ffi"; import "../lib/net/packet/b.ts"; import w from "./m.wasm" with { type: "file" };',
    "ffi/libc.ts": "/** Libc. */",
    "apps/probing/agent/d.ts":
      '/** D. */ import "../../../ffi/c.ts"; import { SystemError } from "../../../ffi/libc.ts"; process.exit();\n' +
      'import { a, createHmac } from "../../../lib/net/packet/b.ts";',
    "apps/vantage.ts": '/** Entry. */ await import("./probing/agent/d.ts");',
  };
  expect(Object.keys(rules).flatMap((rule) => check(rule, files))).toEqual([]);
});

describe("this project", () => {
  const tree = readTree(join(import.meta.dirname, ".."));

  test("has files to check", () => {
    expect([...tree.keys()]).toContain("lib/net/ip/address.ts");
    expect([...tree.keys()]).toContain("bun.lock");
  });

  test.each(Object.entries(rules))("%s", (_name, rule) => {
    expect(rule(tree)).toEqual([]);
  });
});

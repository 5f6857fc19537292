/**
 * The files of the project as text, by their path from its root: what the rules of this folder look at.
 *
 * Rules take a Tree and give problems back, so that a test can also hand them a tree that exists only in memory.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Tree = ReadonlyMap<string, string>;

/** A broken rule, as a person wants it: `path[:line]: what is wrong, and what to do`. */
export type Problem = string;

const folders = [".ci", "apps", "deploy", "docs", "ffi", "lib", "sql", "templates", "tests"];
const extensions =
  "ts|tsx|js|css|svg|c|h|sh|json|md|capnp|sql|eta|toml|yaml|yml|xml|txt|csv|golden|lock|conf|properties|hujson|" +
  "gitignore";
const textExtension = new RegExp(`\\.(${extensions})$`);
const textName = /\/run$|(^|\/)(LICENSE|Dockerfile|Caddyfile)$/;
const madeByBuilds = /(^|\/)(node_modules|dist|build)\//;

/** Every text file below `root` that belongs to the project, sorted by path. */
export function readTree(root: string): Tree {
  const patterns = ["*", ...folders.map((folder) => `${folder}/**/*`)];
  const paths = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })]);
  const texts = paths
    .filter((path) => (textExtension.test(path) || textName.test(path)) && !madeByBuilds.test(path))
    .sort()
    .map((path): [string, string] => [path, readFileSync(join(root, path), "utf8")]);
  return new Map(texts);
}

export function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

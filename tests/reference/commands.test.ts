/** What is made from the tables of commands and routes: pages of docs, and man pages as groff and mandoc read them. */
import { expect, test } from "bun:test";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../apps/commands.ts";
import { describe } from "../../lib/command/command/describe.ts";
import { writeManPages } from "../build.ts";
import { writeDocs } from "./docs.ts";

test("each page of built docs has every command and every route, and its links lead somewhere", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "vantage-docs-"));
  await writeDocs(join(folder.path, "docs"));
  const read = (name: string) => readFileSync(join(folder.path, "docs/reference", name), "utf8");
  const page = read("commands.md");
  for (const { name } of await describe(root, "")) {
    expect(page).toContain(name === "" ? "# Every command" : `\n## vantage ${name}\n`);
  }
  expect(read("api/probing-gateway.md")).toContain("\n### POST /api/probes\n");
  for (const [, route = ""] of read("api.md").matchAll(/^\| `(\S+ \S+)` \|/gm)) {
    const all = ["probing-gateway", "peering-gateway", "policy-generator", "bootstrap"].map((name) =>
      read(`api/${name}.md`),
    );
    expect(all.some((text) => text.includes(`\n### ${route}\n`))).toBe(true);
  }
}, 60_000);

const checkers = [
  ["man", ["--warnings=w", "-E", "UTF-8", "-l"]],
  ["mandoc", ["-Tlint", "-Wwarning"]],
] as const;

test.each(checkers)(
  "%s reads every man page without a warning, where it is installed",
  async (program, options) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "vantage-man-"));
    const pages = await writeManPages(folder.path);
    expect(pages).toContain(join(folder.path, "vantage-trace.1"));
    if (Bun.which(program) === null) {
      return;
    }
    const env = { ...process.env, MANROFFSEQ: "", MANWIDTH: "80", MANPAGER: "cat", GROFF_NO_SGR: "" };
    const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...options, ...pages], { env });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    const text = stdout.toString();
    if (program === "man") {
      expect(text).toContain("vantage-trace - show the paths to targets, with all their branches");
      expect(text).toMatch(/--rate N\s+probes a second, of all targets together \(default: 1000\)/);
    } else {
      expect(text).toBe("");
    }
  },
);

/**
 * Every Vantage command line that a page shows, also where it stands in a text or in a block that is not run, has a
 * command and options that the program knows; and commands of other programs are run somewhere, or it is said why not.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../apps/commands.ts";
import { describe } from "../../lib/command/command/describe.ts";
import { optionName } from "../../lib/command/command/table.ts";
import { readPage } from "./page-blocks.ts";

const project = join(import.meta.dirname, "../..");

interface Shown {
  readonly page: string;
  readonly words: readonly string[];
}

function commandsOf(page: string): Shown[] {
  const text = readFileSync(join(project, page), "utf8");
  const blocks = [...text.matchAll(/^ *```.*\n([\s\S]*?)^ *```+ *$/gm)].map(([, block = ""]) => block);
  const spans = [...text.replaceAll(/^ *```[\s\S]*?^ *```+ *$/gm, "").matchAll(/`(vantage [^`]+)`/g)];
  const lines = [...blocks.flatMap((block) => block.split("\n")), ...spans.map(([, span = ""]) => span)];
  return lines.flatMap(commandsIn).map((words) => ({ page, words }));
}

/** A line may hold several, in a pipe or behind one another. Two spaces begin what is said about it. */
function commandsIn(line: string): string[][] {
  const typed = line
    .replace(/^[ $]*/, "")
    .replace(/^USER_\S+ (?:USER_\S+ )?/, "")
    .replace(/ {2,}.*$| #.*$/, "");
  return typed
    .split(/\||&&|[;&>]|\$\(/)
    .map((part) => part.trim().match(/"[^"]*"|'[^']*'|\S+/g) ?? [])
    .filter(([program, command = ""]) => program === "vantage" && /^[a-z][a-z-]*$/.test(command))
    .map((words) => words.slice(1));
}

/** Commands in a drawing, and a word that stands for any command. */
function isNone({ words }: Shown): boolean {
  return words.some((word) => /[─▶◀│]|^COMMAND$/.test(word));
}

const pages = ["*.md", "docs/**/*.md", "deploy/**/*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(project)])
  // What is mistyped there is run there.
  .filter((page) => !["CHANGELOG.md", "docs/start/mistakes.md"].includes(page));
const shown = pages.flatMap(commandsOf).filter((one) => !isNone(one));

const known = new Map((await describe(root, "")).map((one) => [one.name, one.command]));

/** What the program would not understand; null when it would. */
function complaint({ page, words }: Shown): string | null {
  const named = words.map((_, i) => words.slice(0, i + 1).join(" ")).filter((name) => known.has(name));
  const name = named.at(-1) ?? "";
  if (name === "") {
    return `${page}: there is no command "${words[0]}"`;
  }
  const given = words.filter((word) => /^--?[a-z0-9]/.test(word)).map((word) => word.split("=")[0] ?? "");
  const spelt = Object.entries(known.get(name)?.options ?? {}).flatMap(([option, { short }]) => [
    `--${optionName(option)}`,
    `--no-${optionName(option)}`,
    `-${short}`,
  ]);
  const strange = given.filter((one) => ![...spelt, "--help", "-h"].includes(one));
  return strange.length === 0 ? null : `${page}: vantage ${name} knows no ${strange.join(", ")}`;
}

test("every command line that a page shows is understood", () => {
  expect(shown.length).toBeGreaterThan(100);
  expect(shown.map(complaint).filter((text) => text !== null)).toEqual([]);
});

/** Pages with commands of other programs in blocks that nothing runs, each with the reason. */
const unrun: Readonly<Record<string, string>> = {
  "README.md": "npm run demo and npm test are what runs this test",
  "docs/announce/bootstrap.md": "the rule for nft is tried below, the rest is ours",
  "docs/operate/compose.md":
    "npm run lab:containers runs most of it; the rest is on volumes of a platform that is in use",
  "docs/operate/encrypted-links.md": "npm run lab:vpn runs them, with a real Headscale and WireGuard",
  "docs/operate/exchange.md": "npm run lab:vpn runs them, with a real Headscale",
  "docs/internals/faults.md": "npm test has the small form as a step of its own",
  "docs/measure/sdk.md": "tests/contract/sdk makes both packages, and installs and uses them",
  "docs/operate/services.md":
    "no unit runs on a machine of tests; systemd reads the units in apps/operator/install-service",
};

const otherPrograms = new Set(
  [
    "apt",
    "birdc",
    "chgrp",
    "chmod",
    "chown",
    "cp",
    "curl",
    "docker",
    "headscale",
    "install",
    "ip",
    "jq",
    "mkdir",
  ]
    .concat([
      "nft",
      "npm",
      "openssl",
      "pg_dump",
      "pg_restore",
      "psql",
      "rm",
      "sh",
      "sqlite3",
      "sudo",
      "sysctl",
    ])
    .concat(["systemctl", "tailscale", "tar", "wg"]),
);

function hasOtherCommands(page: string): boolean {
  const lines = readPage(page)
    .filter(({ language }) => language === "")
    .flatMap(({ text }) => text.split("\n"));
  return lines.some((line) => otherPrograms.has(line.replace(/^[ $]*/, "").split(" ")[0] ?? ""));
}

test("commands of other programs are in blocks that are run, or it is said why not", () => {
  expect(pages.filter(hasOtherCommands).sort()).toEqual(Object.keys(unrun).sort());
});

test("nft takes the rules of docs/announce/bootstrap.md, from the file and by hand", () => {
  const text = readFileSync(join(project, "docs/announce/bootstrap.md"), "utf8");
  const blocks = [...text.matchAll(/^```\n(nft [\s\S]*?)^```$/gm)].map(([, rules = ""]) => rules);
  expect(blocks.map((rules) => rules.trimEnd().split("\n").length)).toEqual([1, 4]);
  for (const rules of blocks) {
    const command = ["unshare", "--user", "--map-root-user", "--net", "bash", "-e"];
    const { exitCode, stderr } = Bun.spawnSync(command, {
      cwd: project,
      stdin: new TextEncoder().encode(rules),
    });
    expect([rules, exitCode, stderr.toString()]).toEqual([rules, 0, ""]);
  }
});

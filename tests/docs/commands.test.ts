/**
 * Every command line of ours that a page shows, also where it stands in a text or in a block that is not run, is one
 * that the program understands: `--help` is put behind it, which refuses unknown commands and options all the same.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const atOnce = 4;

interface Shown {
  readonly page: string;
  readonly words: readonly string[];
}

function commandsOf(page: string): Shown[] {
  const text = readFileSync(join(root, page), "utf8");
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
    .filter(([program, command = ""]) => program === "vantage" && /^[a-z-]+$/.test(command))
    .map((words) => words.slice(1));
}

/** Commands in a drawing, and a word that stands for any command. */
function isNone({ words }: Shown): boolean {
  return words.some((word) => /[─▶◀│]|^COMMAND$/.test(word));
}

const pages = ["*.md", "docs/**/*.md", "deploy/**/*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .filter((page) => page !== "CHANGELOG.md");
const shown = pages.flatMap(commandsOf).filter((one) => !isNone(one));
/** What is neither a command nor an option makes no difference. */
const distinct = new Map(shown.map((one) => [formOf(one), one]));

function formOf({ words: [command = "", word = "", ...more] }: Shown): string {
  return [command, word, ...more.filter((one) => one.startsWith("-")).map((one) => one.split("=")[0])].join(
    " ",
  );
}

async function complaint({ page, words }: Shown): Promise<string | null> {
  const command = [process.execPath, join(root, "apps/vantage.ts"), ...words, "--help"];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  return (await child.exited) === 0 ? null : `${page}: vantage ${words.join(" ")}: ${said.trim()}`;
}

test("every command line that a page shows is understood", async () => {
  const waiting = [...distinct.values()];
  expect(waiting.length).toBeGreaterThan(60);
  const complaints: string[] = [];
  const workers = Array.from({ length: atOnce }, async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const found = await complaint(one);
      complaints.push(...(found === null ? [] : [found]));
    }
  });
  await Promise.all(workers);
  expect(complaints).toEqual([]);
}, 60_000);

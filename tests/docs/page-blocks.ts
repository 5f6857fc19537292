/**
 * A page of documentation as what can be run of it: its fenced blocks, in order, with the heading that they are under.
 *
 *     ```sh scene=exchange exit=1      commands: words behind the language are for tests, and no reader sees them
 *     ```text                          right behind commands: what they print; anywhere else it is only text
 *     ```yaml file=agent.yaml          is written to that file, in the folder that commands are run in
 *
 * Blocks of other languages, and of none, are left alone: drawings, and examples of what is not to be typed.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface PageBlock {
  /** As `docs/page.md:12`, the line of the fence. */
  readonly place: string;
  /** The last heading before it, without its marks; empty before the first. */
  readonly heading: string;
  readonly language: string;
  /** Words behind the language: `scene=user` is `scene` to `user`, `stays` is `stays` to an empty text. */
  readonly words: ReadonlyMap<string, string>;
  readonly text: string;
}

const fence = /^( *)```+(\S*)(.*)$/;
const heading = /^#{1,6} +(.+?) *$/;

/** `path` from the root of the repository. Throws on a block that does not end. */
export function readPage(path: string): PageBlock[] {
  const absolute = join(root, path);
  return pageBlocks(readFileSync(absolute, "utf8"), relative(root, absolute));
}

export function pageBlocks(markdown: string, name: string): PageBlock[] {
  const lines = markdown.split("\n");
  const blocks: PageBlock[] = [];
  let under = "";
  for (let i = 0; i < lines.length; i++) {
    const opening = fence.exec(lines[i] ?? "");
    if (opening === null) {
      under = heading.exec(lines[i] ?? "")?.[1] ?? under;
      continue;
    }
    const [, indent = "", language = "", rest = ""] = opening;
    const place = `${name}:${i + 1}`;
    const end = lines.findIndex((line, at) => at > i && /^ *```+ *$/.test(line));
    if (end < 0) {
      throw new Error(`${place}: the block does not end: close it with three backticks`);
    }
    const text = lines
      .slice(i + 1, end)
      .map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ""));
    blocks.push({ place, heading: under, language, words: wordsOf(rest), text: text.join("\n") });
    i = end;
  }
  return blocks;
}

function wordsOf(rest: string): ReadonlyMap<string, string> {
  const words = rest.split(/\s+/).filter((word) => word !== "");
  return new Map(
    words.map((word) => {
      const [name = "", ...value] = word.split("=");
      return [name, value.join("=")];
    }),
  );
}

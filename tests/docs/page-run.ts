/**
 * Runs the commands of a page of documentation, in order, as a reader would, and holds what they print to what the
 * page says. `page-blocks.ts` is how blocks are written; words behind `sh`:
 *
 *     scene=NAME      in that scene's terminal; without it in the scene `here`
 *     stays           does not end, as a service in a terminal of its own; it is ended with the page
 *     exit=N          ends with N, not 0
 *     if=NAME         only by tests that say that NAME holds: one of several ways through the page
 *     not-run=REASON  cannot be run where tests run; the test lists each REASON with a sentence that says why
 *
 * A test opens the page, and runs it as a whole or heading by heading, so that it can look, and break things, between:
 *
 *     await using page = PageRun.open("docs/start/first-measurement.md", { scenes: { here: { environment } } });
 *     await page.runAll();                                  // or: await page.run("Trace it");
 *
 * `vantage` is this tree's. Each scene has a folder, a home and a shell of its own, which no other page shares. A block
 * that fails, or does not print what is shown, throws: with file and line, what was run, and what it printed.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InVain, until } from "../exchange/until.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { type PageBlock, readPage } from "./page-blocks.ts";
import { missingLine } from "./shown-lines.ts";
import { Terminal, type Typed } from "./terminal.ts";

/** Time limit of one block: a whole platform starts in some seconds, on a busy machine in many. */
const blockMsMaxDefault = 240_000;
const knownWords = ["scene", "stays", "exit", "if", "not-run"];

interface PageScene {
  /** Makes the command line that runs a command there; a namespace, for one. */
  readonly within?: (command: readonly string[]) => readonly string[];
  /** Besides PATH and HOME: what the page's own variables stand for. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The scene whose folder and home it shares; without it, it has its own. */
  readonly folderOf?: string;
  /** A folder that there is already, and stays; its own is removed with the page. */
  readonly folder?: string;
}

/** What a person does while a command waits for it: once for each block that prints `when`. */
interface BlockAnswer {
  readonly when: RegExp;
  readonly act: (match: RegExpExecArray) => Promise<void>;
}

export interface PageOptions {
  /** What `vantage` is; without it, this tree's. */
  readonly vantage?: readonly string[];
  /** Hears of each block that has been run, and how long it took. */
  readonly onBlock?: (block: PageBlock, elapsedMs: number) => void;
  readonly scenes?: Readonly<Record<string, PageScene>>;
  /** Time limit of one block. */
  readonly blockMsMax?: number;
  readonly answers?: readonly BlockAnswer[];
  /** NAME of blocks with `if=NAME` that are run. One that no block names is an error. */
  readonly holds?: readonly string[];
  /** REASON of blocks that are not run, to the sentence that says why. One that no block names is an error. */
  readonly notRun?: Readonly<Record<string, string>>;
}

export class PageRun implements AsyncDisposable {
  readonly #blocks: readonly PageBlock[];
  readonly #options: PageOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "vantage-docs-"));
  readonly #terminals = new Map<string, Terminal>();
  #next = 0;
  /** Place of the block that has failed: what comes after it counts on it. */
  #failed = "";

  private constructor(blocks: readonly PageBlock[], options: PageOptions) {
    this.#blocks = blocks;
    this.#options = options;
    const tools = join(this.#folder, "bin");
    mkdirSync(tools);
    const { vantage = [...vantageCommand] } = options;
    const shim = `#!/bin/sh\nexec ${vantage.map((word) => `'${word}'`).join(" ")} "$@"\n`;
    writeFileSync(join(tools, "vantage"), shim, { mode: 0o755 });
  }

  /** `path` from the root of the repository. Throws on words that it does not know. */
  static open(path: string, options: PageOptions = {}): PageRun {
    return PageRun.of(readPage(path), options);
  }

  static of(blocks: readonly PageBlock[], options: PageOptions = {}): PageRun {
    checkWords(blocks, options);
    return new PageRun(blocks, options);
  }

  /** Where the commands of a scene are run. */
  folder(scene = "here"): string {
    const owner = this.#options.scenes?.[scene]?.folderOf ?? scene;
    return this.#options.scenes?.[owner]?.folder ?? join(this.#folder, owner);
  }

  /** Runs what is left. */
  async runAll(): Promise<void> {
    while (this.#next < this.#blocks.length) {
      await this.#runNext();
    }
  }

  /** Runs the next block with commands, for what a test does between; resolves to what it printed. */
  async runNext(): Promise<string> {
    while (this.#next < this.#blocks.length) {
      const printed = await this.#runNext();
      if (printed !== null) {
        return printed;
      }
    }
    throw new Error("No block with commands is left");
  }

  /** Runs up to the end of what is under a heading. Throws when there is none, or when it has been run. */
  async run(heading: string): Promise<void> {
    const end = this.#blocks.findLastIndex((block) => block.heading === heading) + 1;
    if (end <= this.#next) {
      throw new Error(`Cannot run "${heading}": no block is under such a heading, or it was run before`);
    }
    while (this.#next < end) {
      await this.#runNext();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal[Symbol.asyncDispose]()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Null for a block without commands, or whose commands are not run. */
  async #runNext(): Promise<string | null> {
    if (this.#failed !== "") {
      throw new Error(`Not run, as ${this.#failed} has failed`);
    }
    const at = this.#next++;
    const block = this.#blocks[at];
    const file = block?.words.get("file");
    if (block !== undefined && file !== undefined) {
      const scene = block.words.get("scene") ?? "here";
      this.#terminal(scene);
      writeFileSync(join(this.folder(scene), file), `${block.text}\n`);
    } else if (block?.language === "sh" && !block.words.has("not-run") && this.#isOnTheWay(block)) {
      const behind = this.#blocks[at + 1];
      const startedMs = performance.now();
      const printed = await this.#runBlock(block, behind?.language === "text" ? behind : null);
      this.#options.onBlock?.(block, performance.now() - startedMs);
      return printed;
    }
    return null;
  }

  #isOnTheWay({ words }: PageBlock): boolean {
    const condition = words.get("if");
    return condition === undefined || (this.#options.holds ?? []).includes(condition);
  }

  async #runBlock(block: PageBlock, shown: PageBlock | null): Promise<string> {
    const { words, text } = block;
    const stays = words.has("stays");
    const wanted = Number(words.get("exit") ?? "0");
    const typed = this.#terminal(words.get("scene") ?? "here").type(text, { stays, mayFail: wanted !== 0 });
    const { answers = [], blockMsMax = blockMsMaxDefault } = this.#options;
    const answering = new Answering(answers);
    try {
      await until(
        "the end of the command",
        () => {
          answering.hear(typed.printed());
          return typed.exitCode() !== null;
        },
        blockMsMax,
      );
      if (typed.exitCode() !== wanted) {
        throw new Error(`exit code ${typed.exitCode()}; ${wanted} was expected`);
      }
      if (shown !== null) {
        await until(`what ${shown.place} shows`, () => prints(typed, shown), blockMsMax);
      }
      await answering.settled();
      return typed.printed();
    } catch (error) {
      this.#failed = block.place;
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${block.place}: ${why}\n\n${text}\n\nprinted:\n${typed.printed()}`);
    }
  }

  #terminal(scene: string): Terminal {
    const known = this.#terminals.get(scene);
    if (known !== undefined) {
      return known;
    }
    const { within = asItIs, environment = {} } = this.#options.scenes?.[scene] ?? {};
    const [folder, notes] = [this.folder(scene), join(this.#folder, `.${scene}`)];
    mkdirSync(folder, { recursive: true });
    mkdirSync(notes);
    const path = `${join(this.#folder, "bin")}:${process.env.PATH ?? ""}:/usr/sbin:/sbin`;
    const base = { PATH: path, HOME: folder, TMPDIR: notes, LANG: "C.UTF-8", NO_COLOR: "1" };
    const terminal = new Terminal({ folder, notes, environment: { ...base, ...environment }, within });
    this.#terminals.set(scene, terminal);
    return terminal;
  }
}

const asItIs = (command: readonly string[]) => command;

/** Whether everything that is shown was printed. A command that has ended prints no more. */
function prints(typed: Typed, shown: PageBlock): boolean {
  const isOver = typed.isOver();
  const missing = missingLine(shown.text, typed.printed(), shown.words.has("exact"));
  if (missing === null) {
    return true;
  }
  const said = `it did not print this line of ${shown.place}, or not in this order:\n${missing}`;
  throw isOver ? new InVain(said) : new Error(said);
}

/** The person at the terminal. */
class Answering {
  readonly #waiting: Set<BlockAnswer>;
  readonly #acts: Promise<void>[] = [];

  constructor(answers: readonly BlockAnswer[]) {
    this.#waiting = new Set(answers);
  }

  hear(printed: string): void {
    for (const answer of this.#waiting) {
      const match = answer.when.exec(printed);
      if (match !== null) {
        this.#waiting.delete(answer);
        this.#acts.push(answer.act(match));
      }
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#acts);
  }
}

function checkWords(
  blocks: readonly PageBlock[],
  { scenes = {}, holds = [], notRun = {} }: PageOptions,
): void {
  const unknown = holds.find((name) => !blocks.some(({ words }) => words.get("if") === name));
  if (unknown !== undefined) {
    throw new Error(`No block is marked if=${unknown}: take it out of the test`);
  }
  const reasons = new Set(Object.keys(notRun));
  for (const { place, language, words } of blocks.filter((block) => block.language === "sh")) {
    const strange = [...words.keys()].find((word) => !knownWords.includes(word));
    const scene = words.get("scene") ?? "here";
    const reason = words.get("not-run");
    if (strange !== undefined) {
      throw new Error(
        `${place}: "${strange}" says nothing behind ${language}; known: ${knownWords.join(", ")}`,
      );
    }
    if (scene !== "here" && !Object.hasOwn(scenes, scene)) {
      throw new Error(`${place}: the test has no scene "${scene}"`);
    }
    if (reason !== undefined && !Object.hasOwn(notRun, reason)) {
      throw new Error(`${place}: the test gives no sentence for not-run=${reason}`);
    }
    reasons.delete(reason ?? "");
  }
  if (reasons.size > 0) {
    throw new Error(
      `No block is marked not-run=${[...reasons].join(", ")}: take the sentence out of the test`,
    );
  }
}

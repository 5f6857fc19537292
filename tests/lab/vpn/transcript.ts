/**
 * What the lab shows: each command as a person would type it on that machine, and what it says. Paths of this run are
 * shortened, keys never appear.
 */
import { stripVTControlCharacters } from "node:util";
import { until } from "../../exchange/until.ts";
import { runToEnd } from "../../run/said.ts";
import { LabError } from "../namespaces.ts";
import type { Node } from "./plan.ts";
import type { VpnNet } from "./vpn-net.ts";

/** Lines of one answer that are worth reading, and characters of each. */
const linesMax = 40;
const lineCharsMax = 110;

export class Transcript {
  readonly #net: VpnNet;
  readonly #print: (line: string) => void;
  /** Text of this run, and what is shown instead. */
  readonly #shown: (readonly [text: string, shown: string])[];

  constructor(
    net: VpnNet,
    options: {
      readonly print: (line: string) => void;
      readonly shown: readonly (readonly [text: string, shown: string])[];
    },
  ) {
    this.#net = net;
    this.#print = options.print;
    this.#shown = [...options.shown];
  }

  /** From now on `text` is shown as `shown`. */
  hide(text: string, shown: string): void {
    this.#shown.unshift([text, shown]);
  }

  title(text: string): void {
    this.#print(`\n── ${text}`);
  }

  say(text: string): void {
    this.#print(this.#shorten(text));
  }

  /** Waits until it is so, and says that it is. */
  async check(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
    await until(what, look);
    this.#print(`✓ ${what}`);
  }

  /** Shows a command that goes on in the background. */
  started(node: Node, command: readonly string[]): void {
    this.#print(`${node}# ${this.#commandLine(command)} &`);
  }

  /** Runs it at the node, and shows both. Rejects with LabError when it fails, or does not when `mayFail`. */
  async run(
    node: Node,
    command: readonly string[],
    options: {
      readonly env?: Readonly<Record<string, string>>;
      readonly mayFail?: boolean;
      readonly isQuiet?: boolean;
      /** Keeps only matching lines of the answer. */
      readonly only?: RegExp;
    } = {},
  ): Promise<string> {
    const { stdout, stderr, exitCode } = await runToEnd(this.#net.at(node, command), {
      env: { ...process.env, ...options.env },
    });
    if (options.isQuiet !== true) {
      this.#print(`${node}# ${this.#commandLine(command)}`);
      this.#show(`${stdout}${stderr}`, options.only);
    }
    if (exitCode !== 0 && options.mayFail !== true) {
      throw new LabError(`Cannot run "${command.join(" ")}" at ${node}: ${stderr.trim() || stdout.trim()}`);
    }
    return stdout;
  }

  #show(answer: string, only?: RegExp): void {
    const lines = answer === "" ? [] : stripVTControlCharacters(answer).trimEnd().split("\n");
    const wanted = lines.filter((line) => only === undefined || only.test(line));
    for (const line of wanted.slice(0, linesMax)) {
      this.#print(cut(`   ${this.#shorten(line).trimEnd()}`.trimEnd()));
    }
    if (wanted.length > linesMax) {
      this.#print(`   … ${wanted.length - linesMax} more lines`);
    }
  }

  #commandLine(command: readonly string[]): string {
    const quoted = command.map((word) => (/[\s'"{}()*;&|<>]/.test(word) ? `'${word}'` : word));
    return folded(this.#shorten(quoted.join(" ")));
  }

  #shorten(text: string): string {
    return this.#shown.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  }
}

function cut(line: string): string {
  return line.length > lineCharsMax ? `${line.slice(0, lineCharsMax - 1)}…` : line;
}

/** Goes on in the next line, as a shell takes it. */
function folded(command: string): string {
  const lines: string[] = [""];
  for (const word of command.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length > lineCharsMax - 10) {
      lines.push(`      ${word}`);
    } else {
      lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
    }
  }
  return lines.join(" \\\n");
}

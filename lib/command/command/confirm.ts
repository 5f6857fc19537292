/** Confirms an irreversible action by a typed word, so that it is not done by habit. */
import { createInterface } from "node:readline/promises";
import { visible } from "../../base/terminal/foreign-text.ts";
import { printErrorLine } from "../../base/terminal/output.ts";
import { cannot } from "./command-error.ts";
import { text } from "./kinds.ts";

/** For scripts: the word on the command line. */
export const confirmOption = {
  confirm: {
    kind: text,
    placeholder: "WORD",
    meaning: "the word to confirm with, for scripts",
  },
} as const;

interface Confirmation {
  /** What will happen, one sentence per line. */
  readonly what: readonly string[];
  /** To be typed exactly. */
  readonly word: string;
  /** From the command line; null = read it from standard input. */
  readonly given: string | null;
  readonly signal: AbortSignal;
}

/** Rejects with CommandError unless the word is given: on the command line, or typed in one line. */
export async function confirmed({ what, word, given, signal }: Confirmation): Promise<void> {
  const typed = given ?? (await asked([...what, `Type ${word} to continue:`], signal));
  if (typed !== word) {
    throw cannot(`Nothing was changed: the word was not ${word}`);
  }
}

/** The next line of standard input without blanks around it; empty at its end. */
async function asked(lines: readonly string[], signal: AbortSignal): Promise<string> {
  for (const line of lines) {
    printErrorLine(visible(line));
  }
  const reader = createInterface({ input: process.stdin });
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once("line", (line) => resolve(line.trim()));
      reader.once("close", () => resolve(""));
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  } finally {
    reader.close();
  }
}

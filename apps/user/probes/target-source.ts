/** Targets as people write them: addresses and prefixes as arguments, or one a line in files. */
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { CommandError, cannot, wrongUsage } from "../../../lib/command/command/command-error.ts";
import { fileChunks, fileWords } from "../../../lib/command/command/file-chunks.ts";
import type { TargetTable } from "../../../lib/measuring/probing/target-table.ts";
import { because, readPrefix } from "../../../lib/net/ip/typed-address.ts";
import { tooLongMessage } from "../../../lib/net/wire/line-error.ts";
import { LineReader } from "../../../lib/net/wire/line-reader.ts";

/** Adds a target given as an argument. Throws CommandError `usage`, which names it and what to do. */
export function addTarget(table: TargetTable, text: string): void {
  const read = readPrefix(text);
  if (!read.ok) {
    const claim = text.includes("/") ? "is not a prefix" : "is neither an address nor a prefix";
    throw wrongUsage(`"${printable(withoutPassword(text))}" ${because(claim, read.reason)}`);
  }
  const problem = table.add(read.value);
  if (problem !== null) {
    throw wrongUsage(`${text}: ${problem}`);
  }
}

/** Adds the targets of a file, "-" being standard input. Throws CommandError at the first bad line. */
export async function addTargetFile(table: TargetTable, path: string): Promise<void> {
  const name = fileWords(path);
  const lines = new LineReader({
    onLine: (text, line) => addLine(table, `${name}:${line}`, text),
    onLong: (bytes, line) => {
      throw cannot(`${name}:${line}: ${tooLongMessage(bytes)}`);
    },
  });
  for await (const chunk of fileChunks(path)) {
    lines.push(chunk);
  }
  lines.finish();
}

function addLine(table: TargetTable, place: string, text: Uint8Array): void {
  try {
    addTarget(table, new TextDecoder().decode(text));
  } catch (error) {
    throw error instanceof CommandError ? cannot(`${place}: ${error.message}`) : error;
  }
}

function printable(text: string): string {
  return text.slice(0, 80).replaceAll(/[^ -~]/g, "?");
}

/** Targets as people write them: addresses and prefixes as arguments, or one a line in files. */
import { CommandError, cannot, wrongUsage } from "../../lib/command/command-error.ts";
import { fileChunks, fileWords } from "../../lib/command/file-chunks.ts";
import { parsePrefix } from "../../lib/ip/prefix.ts";
import type { TargetTable } from "../../lib/probing/target-table.ts";
import { tooLongMessage } from "../../lib/wire/line-error.ts";
import { LineReader } from "../../lib/wire/line-reader.ts";

/** Adds a target given as an argument. Throws CommandError `usage`, which names it and what to do. */
export function addTarget(table: TargetTable, text: string): void {
  const prefix = parsePrefix(text);
  if (prefix === null) {
    throw wrongUsage(`"${printable(text)}" ${advice(text)}`);
  }
  const problem = table.add(prefix);
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

function advice(text: string): string {
  return text.includes("/")
    ? "is not a prefix: write it as 192.0.2.0/24 or 2001:db8::/48, with zeros behind the prefix length"
    : "is neither an address nor a prefix: write it as 192.0.2.1, 2001:db8::1 or 192.0.2.0/24 (names are not resolved)";
}

function printable(text: string): string {
  return text.slice(0, 80).replaceAll(/[^ -~]/g, "?");
}

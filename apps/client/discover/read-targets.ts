/** Targets of a discovery: prefixes as they are given, or lines of files; `#` begins a comment. */
import { cannot } from "../../../lib/command/command-error.ts";
import { fileChunks, fileWords } from "../../../lib/command/file-chunks.ts";
import { parsePrefix } from "../../../lib/ip/prefix.ts";
import { campaignFileBytesMax } from "../limits.ts";

/** Throws CommandError for a file that cannot be read, is too large, or has a line that is not a prefix. */
export async function readTargets(given: readonly string[]): Promise<string[]> {
  const entries = given.flatMap((list) => (isPrefix(list) ? [list] : list.split(",")));
  const read = await Promise.all(entries.map((entry) => (isPrefix(entry) ? [entry] : linesOf(entry))));
  return read.flat();
}

async function linesOf(path: string): Promise<string[]> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of fileChunks(path)) {
    bytes += chunk.length;
    if (bytes > campaignFileBytesMax) {
      throw cannot(`${fileWords(path)} has more than ${campaignFileBytesMax} bytes: give wider prefixes`);
    }
    parts.push(chunk);
  }
  const lines = Buffer.concat(parts).toString("utf8").split("\n");
  return lines.flatMap((line, at) => {
    const entry = line.replace(/#.*/, "").trim();
    if (entry !== "" && !isPrefix(entry)) {
      throw cannot(
        `${fileWords(path)}, line ${at + 1}: "${entry.slice(0, 50)}" is not an address or a prefix`,
      );
    }
    return entry === "" ? [] : [entry];
  });
}

function isPrefix(text: string): boolean {
  return parsePrefix(text) !== null;
}

/** Targets of a discovery: given prefixes, or lines of files; `#` starts a comment. */
import { atOnce } from "../../../../lib/base/list/steps.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { fileChunks, fileWords } from "../../../../lib/command/command/file-chunks.ts";
import { readPrefix } from "../../../../lib/net/ip/typed-address.ts";
import { jsonTargetsBytesMax, listBytesMax } from "../../../probing/campaigns/discovery/limits.ts";
import { storedTargets } from "../../../probing/campaigns/discovery/stored-targets.ts";
import { TargetReader } from "../../../probing/campaigns/discovery/target-list.ts";

type Targets =
  | { readonly kind: "few"; readonly targets: readonly string[] }
  /** Their gzipped text. */
  | { readonly kind: "list"; readonly packed: Uint8Array };

/** Throws CommandError for an unreadable file, a line without a prefix, and beyond the limits. */
export async function readTargets(given: readonly string[]): Promise<Targets> {
  const entries = given.flatMap((list) => (isPrefix(list) ? [list] : list.split(",")));
  const few: Uint8Array[] = [];
  let bytes = 0;
  const chunks = async function* () {
    for await (const chunk of chunksOf(entries)) {
      bytes += chunk.length;
      if (bytes > listBytesMax) {
        throw cannot(`--targets have more than ${listBytesMax} bytes: give wider prefixes`);
      }
      if (bytes <= jsonTargetsBytesMax) {
        few.push(chunk);
      }
      yield chunk;
    }
  };
  const { packed } = await named("--targets", () => storedTargets(chunks()));
  return bytes > jsonTargetsBytesMax
    ? { kind: "list", packed }
    : { kind: "few", targets: linesOf(Buffer.concat(few).toString()) };
}

/** Each entry ends with a line end. */
async function* chunksOf(entries: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const entry of entries) {
    if (isPrefix(entry)) {
      yield Buffer.from(`${entry}\n`);
      continue;
    }
    const reader = new TargetReader();
    for await (const chunk of fileChunks(entry)) {
      await named(fileWords(entry), async () => reader.push(chunk));
      yield chunk;
    }
    await named(fileWords(entry), async () => atOnce(reader.finish()));
    yield Buffer.from("\n");
  }
}

/** Adds the source of a bad line to the error. */
async function named<Value>(what: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof RangeError ? cannot(`${what}, ${error.message}`) : error;
  }
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "");
}

function isPrefix(text: string): boolean {
  return readPrefix(text).ok;
}

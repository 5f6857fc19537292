/** A set of context made from the texts or bytes of data files. */
import { ContextBuilder } from "../../../lib/measuring/context/context-builder.ts";
import { ContextSet } from "../../../lib/measuring/context/context-set.ts";
import { readSource } from "../../../lib/measuring/context/read-source.ts";
import { buildSet, readSet } from "../../../lib/measuring/context/set-files.ts";

/** @param keepPrivate private and documentation addresses and AS numbers count too */
export async function setOf(
  files: readonly (string | Uint8Array)[],
  keepPrivate = true,
): Promise<ContextSet> {
  const addressContext = new ContextBuilder(keepPrivate);
  for (const file of files) {
    await readSource(chunksOf(file), addressContext);
  }
  const { tables, lists } = buildSet(addressContext);
  return new ContextSet(readSet((name) => tables[name], JSON.parse(JSON.stringify(lists))));
}

/** In chunks of odd size, as a stream might bring it. */
async function* chunksOf(file: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

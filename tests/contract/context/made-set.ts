/** A set of context made from data files, with what was passed over. */
import { ContextBuilder } from "../../../lib/measuring/context/context-builder.ts";
import { ContextSet } from "../../../lib/measuring/context/context-set.ts";
import { readSource } from "../../../lib/measuring/context/read-source.ts";
import { buildSet, readSet } from "../../../lib/measuring/context/set-files.ts";

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The set of these files, what each gave, and what was passed over. */
export async function made(...files: readonly (Uint8Array | object)[]) {
  const addressContext = new ContextBuilder(true);
  const counts: number[] = [];
  for (const [i, file] of files.entries()) {
    addressContext.fileName = `file${i}`;
    const bytes = file instanceof Uint8Array ? file : Buffer.from(JSON.stringify(file));
    counts.push((await readSource(whole(bytes), addressContext)).count);
  }
  const { tables, lists } = buildSet(addressContext);
  const set = new ContextSet(readSet((name) => tables[name], JSON.parse(JSON.stringify(lists))));
  return {
    set,
    counts,
    lines: addressContext.passedOver.lines(),
    hasDamage: addressContext.passedOver.hasDamage,
  };
}

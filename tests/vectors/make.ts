/**
 * Writes the vectors made by hand: `bun tests/vectors/make.ts`; a test fails when the files are not what it writes.
 * With `captured` it writes those of the lab instead, see capture.ts.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectedPackets } from "./expected.ts";
import { writeSavefile } from "./hand/savefile.ts";
import type { Vector } from "./hand/vector.ts";
import { vectors } from "./hand/vectors.ts";

export const folder = join(import.meta.dirname, "pcap");

/** Both files of a vector: name -> content. */
export function filesOf(vector: Vector): Map<string, Uint8Array> {
  const json = `${JSON.stringify(expectedPackets(vector), null, 2)}\n`;
  return new Map([
    [`${vector.name}.pcap`, writeSavefile(vector)],
    [`${vector.name}.json`, new TextEncoder().encode(json)],
  ]);
}

function writeAll(): void {
  for (const [name, bytes] of vectors.flatMap((vector) => [...filesOf(vector)])) {
    writeFileSync(join(folder, name), bytes);
  }
}

if (import.meta.main) {
  if (process.argv[2] === "captured") {
    const { captureAll } = await import("./capture.ts");
    await captureAll();
  } else {
    writeAll();
  }
}

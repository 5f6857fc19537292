/**
 * VRPs of a file, as routinator and rpki-client write them and a peering gateway serves them (`/vrps.json`): read again
 * when it has changed. A payload that cannot be read is skipped; while the file cannot be read, what it held last
 * stands.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { BadLine } from "../../../../lib/measuring/context/sources/lines.ts";
import { vrpOf } from "../../../../lib/measuring/context/sources/vrp-list.ts";
import { VrpTable } from "../../../../lib/net/rpki/vrp-table.ts";
import { JsonItemsReader } from "../../../../lib/net/wire/json-items.ts";
import { vrpBytesMax, vrpFileBytesMax, vrpFileLookMs, vrpRestBytesMax } from "../limits.ts";
import { untilStopped } from "../until-stopped.ts";
import type { VrpSource } from "./vrp-source.ts";

export class VrpFile implements VrpSource {
  readonly caches = [];
  readonly used = null;
  readonly counts = { failures: 0 };
  readonly #path: string;
  readonly #log: Logger;
  #table: VrpTable | null = null;
  #passedOver = 0;
  #readAtMs: number | null = null;
  /** The file as it was read last. */
  #looked = "";

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  /** Null = none are known yet. */
  get table(): VrpTable | null {
    return this.#table;
  }

  get passedOver(): number {
    return this.#passedOver;
  }

  /** When the file was last read; milliseconds since 1970. */
  get readAtMs(): number | null {
    return this.#readAtMs;
  }

  run(stop: AbortSignal): Promise<void> {
    return untilStopped(stop, vrpFileLookMs, () => this.look());
  }

  /** Reads it if it has changed. */
  async look(): Promise<void> {
    let looked = "it is not there";
    try {
      const { ino, size, mtimeMs } = await stat(this.#path);
      looked = `${ino} ${size} ${mtimeMs}`;
      if (looked !== this.#looked) {
        const { table, bad } = await readVrps(this.#path, size);
        [this.#table, this.#passedOver, this.#readAtMs] = [table, bad.count, Date.now()];
        this.#log.info("VRPs read", { file: this.#path, vrps: table.count });
        if (bad.first !== null) {
          const counts = { file: this.#path, payloads: bad.count, first: bad.first.message };
          this.#log.warn("VRPs skipped", counts);
        }
      }
    } catch (error) {
      this.counts.failures++;
      if (looked !== this.#looked) {
        this.#log.warn("Cannot read VRPs", { file: this.#path, reason: String(error) });
      }
    }
    this.#looked = looked;
  }
}

interface Bad {
  count: number;
  first: BadLine | null;
}

/** Throws Error, with the place in the file: where it is not such a list, or none of its payloads can be read. */
async function readVrps(
  path: string,
  size: number,
): Promise<{ readonly table: VrpTable; readonly bad: Bad }> {
  if (size > vrpFileBytesMax) {
    throw new Error(`it has ${size} bytes, more than ${vrpFileBytesMax}`);
  }
  const table = new VrpTable();
  const bad: Bad = { count: 0, first: null };
  const decoder = new TextDecoder();
  const reader = new JsonItemsReader({
    ...{ member: "roas", itemBytesMax: vrpBytesMax, restBytesMax: vrpRestBytesMax },
    onItem: (text, index) => takeInto(table, bad, JSON.parse(decoder.decode(text)), index),
  });
  const pace = new LoopYield();
  for await (const chunk of createReadStream(path)) {
    reader.push(chunk);
    await pace.next();
  }
  if (!reader.finish().hasItems) {
    throw new Error('it has no list "roas"');
  }
  if (table.count === 0 && bad.first !== null) {
    throw bad.first;
  }
  return { table, bad };
}

function takeInto(table: VrpTable, bad: Bad, payload: unknown, index: number): void {
  try {
    table.add(vrpOf(payload, index));
  } catch (error) {
    if (!(error instanceof BadLine)) {
      throw error;
    }
    bad.count++;
    bad.first ??= error;
  }
}

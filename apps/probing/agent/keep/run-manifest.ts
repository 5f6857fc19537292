/** Describes the kept memory of one run, so that the next run can read it: `life.json`. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { writeWhole } from "../state-folder.ts";

/** Raise it with every change of the layout of kept memory: rings and their records, tables, the ledger. */
const layoutVersion = 2;

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const lifeSchema = v.object({
  version: v.literal(layoutVersion),
  /** The machine's boot: after a power failure memory in a file may be incomplete. */
  bootId: v.string(),
  agentId: v.string(),
  /** As in ProducerStart. */
  senders: v.array(v.object({ agentId: v.string(), instanceId: whole })),
  repliesPerRecord: whole,
  recordBytesMax: whole,
  /** The interface of each receiver, and the producer that numbers its records. */
  receivers: v.array(v.object({ interfaceName: v.string(), producer: v.string() })),
  /** Ids of the instances. */
  instances: v.array(whole),
});
export type RunManifest = Omit<v.InferOutput<typeof lifeSchema>, "version" | "bootId">;

const fileName = "life.json";

/** Null when it is missing, or from another boot, agent or version: the memory beside it cannot be used then. */
export function readRunManifest(folder: string, agentId: string): RunManifest | null {
  try {
    const life = v.parse(lifeSchema, JSON.parse(readFileSync(join(folder, fileName), "utf8")));
    return life.bootId === bootId() && life.agentId === agentId ? life : null;
  } catch {
    return null;
  }
}

/** Throws when it cannot be written. */
export function writeRunManifest(folder: string, life: RunManifest): void {
  writeWhole(
    join(folder, fileName),
    JSON.stringify({ ...life, version: layoutVersion, bootId: bootId() }),
    0o600,
  );
}

export function removeRunManifest(folder: string): void {
  rmSync(join(folder, fileName), { force: true });
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

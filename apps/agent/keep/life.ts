/** What one run of the agent writes down of its kept memory, so that the next one understands it: `life.json`. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { writeWhole } from "../state-folder.ts";

/** Raise it with every change of what lies in kept memory: rings and their records, tables, the ledger. */
const layoutVersion = 1;

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const lifeSchema = v.object({
  version: v.literal(layoutVersion),
  /** Of the machine: after a power failure memory in a file may be there in part. */
  bootId: v.string(),
  agentId: v.string(),
  /** As in ProducerStart. */
  senders: v.array(v.object({ agentId: v.string(), instanceId: whole })),
  repliesPerRecord: whole,
  recordBytesMax: whole,
  /** Of each receiver its interface, and who numbers its records. */
  receivers: v.array(v.object({ interfaceName: v.string(), producer: v.string() })),
  /** Ids of the instances. */
  instances: v.array(whole),
});
export type Life = Omit<v.InferOutput<typeof lifeSchema>, "version" | "bootId">;

const fileName = "life.json";

/** Null when there is none, or one of another boot, agent or version: what lies beside it is of no use then. */
export function readLife(folder: string, agentId: string): Life | null {
  try {
    const life = v.parse(lifeSchema, JSON.parse(readFileSync(join(folder, fileName), "utf8")));
    return life.bootId === bootId() && life.agentId === agentId ? life : null;
  } catch {
    return null;
  }
}

/** Throws when the disk does not take it. */
export function writeLife(folder: string, life: Life): void {
  writeWhole(
    join(folder, fileName),
    JSON.stringify({ ...life, version: layoutVersion, bootId: bootId() }),
    0o600,
  );
}

export function forgetLife(folder: string): void {
  rmSync(join(folder, fileName), { force: true });
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

/** Time, work and memory of a question to a store, of client and store together. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestStore } from "../../contract/store/processes.ts";
import { PeakMemory } from "../peak-memory.ts";
import { peakKbOf, usageOf } from "../pipeline/process-usage.ts";

const vantage = join(import.meta.dirname, "../../../apps/vantage.ts");

export interface Measured {
  readonly seconds: number;
  /** Time of client and store together. */
  readonly cpuSeconds: number;
  readonly clientMegabytes: number | null;
  readonly storeMegabytes: number;
}

/** A whole answer of `vantage replies`, thrown away. */
export async function askClient(
  store: TestStore,
  measurement: string,
  args: readonly string[],
): Promise<Measured> {
  return await measured(store, async () => {
    const command = [process.execPath, vantage, "replies", "--store", store.address, ...args, measurement];
    const child = Bun.spawn(command, { stdout: Bun.file("/dev/null"), stderr: "pipe" });
    using memory = new PeakMemory(child.pid);
    if ((await child.exited) !== 0) {
      throw new Error(`${args.join(" ")}: ${await new Response(child.stderr).text()}`);
    }
    const cpuSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
    return { megabytes: memory.megabytes, cpuSeconds };
  });
}

interface ClientUse {
  /** Null = there is none. */
  readonly megabytes: number | null;
  readonly cpuSeconds: number;
}

/** What a question costs client and store. */
export async function measured(store: TestStore, run: () => Promise<ClientUse>): Promise<Measured> {
  const { pid } = store.part.process;
  // What the question before this one has freed, the allocator may hold for a while.
  await store.store.client.command({ query: "SYSTEM JEMALLOC PURGE" });
  // From here on the kernel counts the most memory from zero (proc(5), clear_refs).
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const [startedAt, cpuBefore] = [performance.now(), usageOf(pid).cpuSec];
  const client = await run();
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = usageOf(pid).cpuSec - cpuBefore + client.cpuSeconds;
  return {
    ...{ seconds, cpuSeconds, clientMegabytes: client.megabytes },
    storeMegabytes: (peakKbOf(pid) * 1024) / 1e6,
  };
}

/**
 * Memory that the agent's threads share and that a killed agent leaves to the next one: files in STATE/memory, mapped.
 *
 * They lie in the state folder, not in /dev/shm, because that is what outlives a container too. Nothing waits for the
 * disk; the kernel writes what has changed behind the agent's back, as it does with any file. Where files cannot be
 * mapped or there is no room, memory is plain, and ends with the process: `failure` says so.
 */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { keptMemory } from "../../../ffi/kept-memory.ts";
import { keptNames, type MemoryMaker, plainMemory } from "../engine/shared-memory.ts";
import { forgetLife, type Life, readLife, writeLife } from "./life.ts";

export class KeptMemory {
  /** What an earlier run was like whose memory is here; null = there is none that can be read. */
  readonly left: Life | null;
  /** Why memory does not outlive the process; null = it does. */
  failure: string | null = null;
  readonly #folder: string;

  /** `stateDir` is there, and ours. */
  constructor(stateDir: string, agentId: string) {
    this.#folder = join(stateDir, "memory");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.left = readLife(this.#folder, agentId);
  }

  /** What the earlier run had under the name: a copy. Null when that is not here any more. */
  read(name: string): SharedArrayBuffer | null {
    const path = join(this.#folder, name);
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (this.left === null || bytes === 0) {
      return null;
    }
    const copy = new SharedArrayBuffer(bytes);
    new Uint8Array(copy).set(readFileSync(path).subarray(0, bytes));
    return copy;
  }

  /** In place of what is there, so `read` comes first; names of measurements and ticks go on as they were. */
  readonly make: MemoryMaker = (name, bytes) => {
    const goesOn = name === keptNames.measurements || name.startsWith(keptNames.ticks(0).slice(0, -1));
    const content = goesOn ? this.read(name) : null;
    try {
      const kept = content === null ? undefined : new Uint8Array(content);
      return keptMemory(join(this.#folder, name), bytes, kept);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.failure ??= `Replies in memory end with this process, if it is killed: ${reason}`;
      return plainMemory(name, bytes);
    }
  };

  /** What was left is safe elsewhere; until `begin` the files are of no run. */
  forget(): void {
    forgetLife(this.#folder);
  }

  /** From now on what is in the files is of this run. */
  begin(life: Life): void {
    try {
      writeLife(this.#folder, life);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.failure ??= `Replies in memory end with this process, if it is killed: ${reason}`;
    }
  }
}

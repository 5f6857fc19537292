/**
 * Memory that the agent's threads share and that a killed agent leaves to the next one: files in STATE/memory, mapped.
 *
 * They are in the state folder, not in /dev/shm, because the state folder also outlives a container. Nothing waits for
 * the disk; the kernel writes changes back as for any file. Where files cannot be mapped or the disk is full, memory
 * is plain, and ends with the process: `failure` has the reason.
 */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { keptMemory } from "../../../../ffi/kept-memory.ts";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { keptNames, type MemoryMaker, plainMemory } from "../engine/shared-memory.ts";
import { type RunManifest, readRunManifest, removeRunManifest, writeRunManifest } from "./run-manifest.ts";

export class KeptMemory {
  /** The manifest of the earlier run whose memory is here; null = none is readable. */
  readonly left: RunManifest | null;
  /** Why memory does not outlive the process; null = it does. */
  failure: string | null = null;
  readonly #folder: string;

  /** `stateDir` must exist and belong to us. */
  constructor(stateDir: string, agentId: string) {
    this.#folder = join(stateDir, "memory");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.left = readRunManifest(this.#folder, agentId);
  }

  /** A copy of the earlier run's memory of this name. Null when it is gone. */
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

  /** Replaces the earlier memory, so call `read` first; names of measurements and ticks continue. */
  readonly make: MemoryMaker = (name, bytes) => {
    const goesOn = name === keptNames.measurements || name.startsWith(keptNames.ticks(0).slice(0, -1));
    const content = goesOn ? this.read(name) : null;
    try {
      const kept = content === null ? undefined : new Uint8Array(content);
      return keptMemory(join(this.#folder, name), bytes, kept);
    } catch (error) {
      const reason = systemReason(error);
      this.failure ??= `Replies in memory end with this process, if it is killed: ${reason}`;
      return plainMemory(name, bytes);
    }
  };

  /** The earlier data is safe elsewhere; until `begin` the files belong to no run. */
  forget(): void {
    removeRunManifest(this.#folder);
  }

  /** The files belong to this run from now on. */
  begin(life: RunManifest): void {
    try {
      writeRunManifest(this.#folder, life);
    } catch (error) {
      const reason = systemReason(error);
      this.failure ??= `Replies in memory end with this process, if it is killed: ${reason}`;
    }
  }
}

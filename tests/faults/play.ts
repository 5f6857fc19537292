/** Plays one fault after the other, and measures how long it takes until all is well again. */
import { allIsWell } from "./canary.ts";
import type { Fault } from "./fault.ts";
import type { Scene } from "./scene.ts";

export interface Played {
  readonly fault: Fault;
  /** Milliseconds since the epoch. */
  readonly struckAtMs: number;
  /** From the fault to its end; of a process that was killed, 0. */
  readonly awayMs: number;
  /** From then until new measurements and leases work again. */
  readonly backAfterMs: number;
  /** Requests for leases meanwhile that had no good answer. */
  readonly refusedLeases: number;
}

/** `tell`: progress, for people. */
export async function playAll(
  scene: Scene,
  faults: readonly Fault[],
  tell: (line: string) => void,
): Promise<Played[]> {
  const played: Played[] = [];
  for (const fault of faults) {
    await fault.prepare?.();
    const one = await play(scene, fault);
    played.push(one);
    tell(`${fault.name}: well again after ${(one.backAfterMs / 1000).toFixed(1)} s`);
  }
  return played;
}

async function play(scene: Scene, fault: Fault): Promise<Played> {
  const refusedBefore = scene.leaseLoad.refused;
  const struckAtMs = Date.now();
  await fault.play();
  const liftedAtMs = Date.now();
  await allIsWell(scene, fault.campaign?.() ?? scene.campaign);
  return {
    fault,
    struckAtMs,
    awayMs: liftedAtMs - struckAtMs,
    backAfterMs: Date.now() - liftedAtMs,
    refusedLeases: scene.leaseLoad.refused - refusedBefore,
  };
}

import { ticksPerWrap } from "../../lib/net/packet/time-code.ts";

/** The latest tick, no later than `receivedTick`, that has this code: right if the probe is no older than a wrap. */
export function latestTickOf(wireCode: number, receivedTick: number): number {
  const age = (receivedTick - wireCode) % ticksPerWrap;
  return receivedTick - (age < 0 ? age + ticksPerWrap : age);
}

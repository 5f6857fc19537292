/**
 * Results as scamper's binary format, for its own tools and all that read them (warts(5); objects of type 1, 2, 4, and
 * 6, 7, 8 for traces, pings and multipaths).
 *
 * A list and a cycle for each measurement and agent, which is the list's monitor, stand before their results. An RTT
 * that is not known is left out, and readers show 0.
 */
import { WartsBytes, wartsObject, wartsTypes } from "./warts-bytes.ts";

/** The measurement and agent of a result, and its time. */
export interface WartsResult {
  readonly measurement: string;
  readonly agent: string;
  /** Microseconds since the epoch; null = unknown. */
  readonly startUs: number | null;
  readonly endUs: number | null;
  readonly type: number;
  /** With the number of its list, which is that of its cycle. */
  readonly content: (list: number) => WartsBytes;
}

/** Objects, one after the other. */
export class WartsWriter {
  /** By measurement and agent. */
  readonly #lists = new Map<string, { readonly id: number; stopUs: number }>();

  add({ measurement, agent, startUs, endUs, type, content }: WartsResult): Uint8Array {
    const key = JSON.stringify([measurement, agent]);
    const known = this.#lists.get(key);
    const list = known ?? { id: this.#lists.size + 1, stopUs: 0 };
    this.#lists.set(key, list);
    list.stopUs = Math.max(list.stopUs, endUs ?? 0);
    const heads = known === undefined ? listAndCycle(list.id, measurement, agent, startUs ?? 0) : [];
    return Buffer.concat([...heads, wartsObject(type, content(list.id))]);
  }

  /** The ends of the cycles. */
  end(): Uint8Array {
    return Buffer.concat(
      [...this.#lists.values()].map(({ id, stopUs }) =>
        wartsObject(
          wartsTypes.cycleStop,
          new WartsBytes()
            .u32(id)
            .u32(Math.floor(stopUs / 1e6))
            .parameters([]),
        ),
      ),
    );
  }
}

function listAndCycle(id: number, measurement: string, agent: string, us: number): Uint8Array[] {
  const list = new WartsBytes().u32(id).u32(id).text(measurement);
  list.parameters([[2, (to) => to.text(agent)]]);
  const cycle = new WartsBytes()
    .u32(id)
    .u32(id)
    .u32(id)
    .u32(Math.floor(us / 1e6));
  cycle.parameters([[2, (to) => to.text(agent)]]);
  return [wartsObject(wartsTypes.list, list), wartsObject(wartsTypes.cycleStart, cycle)];
}

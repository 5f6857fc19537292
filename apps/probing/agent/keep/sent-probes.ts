/**
 * The probes that a killed agent had sent, from the rings of its senders.
 *
 * A record in a ring names measurement, list and index. Removed records were sent, and up to a batch of 64 may have
 * been sent without being removed; the others were not sent. A list goes into the rings in its order, so all probes
 * before its last sent one were sent too, unless some wait in another ring.
 */
import {
  probeBytes,
  probeIndexAt,
  probeListAt,
  probeMeasurementAt,
  probeTtlAt,
} from "../../../../ffi/hotpath/memory-layout.ts";
import { ByteRing } from "../engine/byte-ring.ts";
import { keptNames } from "../engine/shared-memory.ts";
import { MeasurementTable, noMeasurement } from "../measurement-table.ts";
import type { KeptMemory } from "./kept-memory.ts";

/** Sent probes of one list: all of those from `from` on and before `to`. */
export interface SentProbes {
  readonly measurementId: string;
  /** See ProbeMetadata. */
  readonly list: number;
  readonly from: number;
  readonly to: number;
}

interface Found {
  readonly measurement: number;
  readonly list: number;
  first: number;
  last: number;
  firstWaiting: number;
}

export function sentProbesOf(memory: KeptMemory): SentProbes[] {
  const names = memory.read(keptNames.measurements);
  const found = new Map<string, Found>();
  for (const instance of memory.left?.instances ?? []) {
    const buffer = memory.read(keptNames.probes(instance));
    if (buffer !== null) {
      look(new ByteRing(buffer), found);
    }
  }
  const table = names === null ? null : new MeasurementTable(names);
  return [...found.values()].flatMap(({ measurement, list, first, last, firstWaiting }) => {
    const measurementId = table?.nameOf(measurement) ?? null;
    const to = Math.min(last + 1, firstWaiting);
    return measurementId === null || to <= first ? [] : [{ measurementId, list, from: first, to }];
  });
}

function look(ring: ByteRing, found: Map<string, Found>): void {
  const record = new Uint8Array(probeBytes);
  const view = new DataView(record.buffer);
  const note = (hasLeft: boolean) => {
    const [measurement, list] = [view.getUint32(probeMeasurementAt, true), view.getUint16(probeListAt, true)];
    const index = view.getUint32(probeIndexAt, true);
    const name = `${measurement}/${list}`;
    const known = found.get(name) ?? {
      ...{ measurement, list, first: Number.POSITIVE_INFINITY },
      ...{ last: -1, firstWaiting: Number.POSITIVE_INFINITY },
    };
    if (hasLeft) {
      known.first = Math.min(known.first, index);
      known.last = Math.max(known.last, index);
    } else {
      known.firstWaiting = Math.min(known.firstWaiting, index);
    }
    // Probes without a measurement cannot be attributed.
    if (measurement !== noMeasurement) {
      found.set(name, known);
    }
  };
  // Memory that was never written has TTL 0.
  const hasPassed = (back: number) =>
    ring.peekBack(record, back, probeBytes) && view.getUint8(probeTtlAt) !== 0;
  for (let back = probeBytes; hasPassed(back); back += probeBytes) {
    note(true);
  }
  for (let ahead = 0; ring.peek(record, 0, probeBytes, ahead) === probeBytes; ahead += probeBytes) {
    note(false);
  }
}

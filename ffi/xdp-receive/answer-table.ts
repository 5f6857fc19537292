/**
 * The table of prefixes whose answers `answer-program.ts` takes: the value of a BPF map that this process has
 * mmapped, so that it can be written without any privilege.
 *
 *     0     which half is in force u32: 0 or 1
 *     4096  entries of half 0; the first that fits decides
 *     8192  entries of half 1
 *
 *     an entry: 0 what to do u64 (0 = the table ends here, 1 = take, 2 = leave) | 8 base 16 | 24 mask 16
 *
 * The inactive half is written, and then made active at once.
 */
import { networkInterfaces } from "node:os";
import { type Prefix, parsePrefix, prefixContains, prefixMask } from "../../lib/net/ip/prefix.ts";
import { createArrayMap } from "../bpf/bpf.ts";
import { mapOver, pagedMemory } from "../paged-memory.ts";

export const halfBytes = 4096;
const tableBytes = 3 * halfBytes;
export const answerEntry = { bytes: 40, verdict: 0, base: 8, mask: 24 } as const;
export const answerVerdict = { end: 0, take: 1, leave: 2 } as const;
/** Each costs the kernel a few nanoseconds a packet; with the end, they fit into a half. */
export const answerEntriesMax = 100;

export class AnswerTable {
  /** Descriptor of the map; its owner closes it. */
  readonly map = createArrayMap(tableBytes);
  readonly #bytes = new Uint8Array(pagedMemory(tableBytes), 0, tableBytes);

  /** Nothing is taken before `set`. Throws SystemError. */
  constructor() {
    mapOver(this.map, this.#bytes, "the table of answers");
  }

  /**
   * Takes answers to these prefixes from now on, except to addresses of this host, whose kernel needs them.
   * False when there are too many prefixes and addresses: then none is taken.
   */
  set(prefixes: readonly Prefix[]): boolean {
    const hosts = ownAddresses().filter(({ base }) =>
      prefixes.some((prefix) => prefixContains(prefix, base)),
    );
    const entries = [...hosts, ...prefixes];
    const fits = entries.length <= answerEntriesMax;
    const inForce = new Int32Array(this.#bytes.buffer, 0, 1);
    const half = 1 - Atomics.load(inForce, 0);
    const bytes = this.#bytes.subarray((1 + half) * halfBytes, (2 + half) * halfBytes).fill(0);
    for (const [i, prefix] of (fits ? entries : []).entries()) {
      const at = i * answerEntry.bytes;
      bytes[at + answerEntry.verdict] = i < hosts.length ? answerVerdict.leave : answerVerdict.take;
      bytes.set(prefix.base, at + answerEntry.base);
      bytes.set(prefixMask(prefix), at + answerEntry.mask);
    }
    Atomics.store(inForce, 0, half);
    return fits;
  }
}

/** Addresses of all interfaces of this network namespace. */
function ownAddresses(): Prefix[] {
  const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return found.flatMap(({ address }) => parsePrefix(address.replace(/%.*/, "")) ?? []);
}

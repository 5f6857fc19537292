/** Records of `bmp-updates` to one block of `bmp.updates`. A broken message is returned with its reason. */

import { decodeUpdates, type RouteUpdate } from "../../wire/update-codec.ts";
import type { WireReason } from "../../wire/wire-reason.ts";
import { ByteBuffer, type NativeColumn, NativeRows } from "./native-block.ts";

const dayNs = 86_400_000_000_000n;
/** What DateTime64(9) can hold: up to the year 2262. */
const timeMaxNs = 2n ** 63n - 1n;

type Write = (buffer: ByteBuffer, update: RouteUpdate) => void;

/** Columns with one value a row, in the order of the table. */
const plain: readonly (readonly [name: string, type: string, write: Write])[] = [
  ["date", "Date", (to, one) => to.u16(Number(one.timeReceivedNs / dayNs))],
  ["time_received_ns", "DateTime64(9, 'UTC')", (to, one) => to.u64(one.timeReceivedNs)],
  ["time_bmp_header_ns", "DateTime64(9, 'UTC')", (to, one) => to.u64(one.timeBmpHeaderNs)],
  ["router_addr", "IPv6", (to, one) => to.raw(one.routerAddr)],
  ["router_port", "UInt16", (to, one) => to.u16(one.routerPort)],
  ["peer_addr", "IPv6", (to, one) => to.raw(one.peerAddr)],
  ["peer_bgp_id", "IPv4", (to, one) => to.u32(one.peerBgpId)],
  ["peer_asn", "UInt32", (to, one) => to.u32(one.peerAsn)],
  ["prefix_addr", "IPv6", (to, one) => to.raw(one.prefixAddr)],
  ["prefix_len", "UInt8", (to, one) => to.u8(one.prefixLen)],
  ["is_post_policy", "Bool", (to, one) => to.u8(Number(one.isPostPolicy))],
  ["is_adj_rib_out", "Bool", (to, one) => to.u8(Number(one.isAdjRibOut))],
  ["announced", "Bool", (to, one) => to.u8(Number(one.announced))],
  ["synthetic", "Bool", (to, one) => to.u8(Number(one.synthetic))],
  ["origin", "String", (to, one) => to.text(Buffer.from(one.origin))],
  ["next_hop", "IPv6", (to, one) => to.raw(one.nextHop)],
  ["multi_exit_disc", "UInt32", (to, one) => to.u32(one.multiExitDisc)],
  ["local_preference", "UInt32", (to, one) => to.u32(one.localPreference)],
  ["only_to_customer", "UInt32", (to, one) => to.u32(one.onlyToCustomer)],
  ["atomic_aggregate", "Bool", (to, one) => to.u8(Number(one.atomicAggregate))],
  ["aggregator_asn", "UInt32", (to, one) => to.u32(one.aggregatorAsn)],
  ["aggregator_bgp_id", "IPv4", (to, one) => to.u32(one.aggregatorBgpId)],
  ["originator_id", "IPv4", (to, one) => to.u32(one.originatorId)],
  ["mp_reach_afi", "UInt16", (to, one) => to.u16(one.mpReachAfi)],
  ["mp_reach_safi", "UInt8", (to, one) => to.u8(one.mpReachSafi)],
  ["mp_unreach_afi", "UInt16", (to, one) => to.u16(one.mpUnreachAfi)],
  ["mp_unreach_safi", "UInt8", (to, one) => to.u8(one.mpUnreachSafi)],
];

/** A list a row: where it ends, and the columns of its elements. */
class ListColumn {
  readonly data: readonly ByteBuffer[];
  readonly #ends = new ByteBuffer();
  readonly #parts: readonly ByteBuffer[];
  #count = 0;

  constructor(parts: number) {
    this.#parts = Array.from({ length: parts }, () => new ByteBuffer());
    this.data = [this.#ends, ...this.#parts];
  }

  add<T>(elements: readonly T[], write: readonly ((buffer: ByteBuffer, element: T) => void)[]): void {
    // A block that was cleared begins anew.
    this.#count = this.#ends.length === 0 ? 0 : this.#count;
    for (const element of elements) {
      for (const [i, part] of this.#parts.entries()) {
        write[i]?.(part, element);
      }
    }
    this.#count += elements.length;
    this.#ends.count(this.#count);
  }
}

interface RejectedUpdate {
  readonly reason: WireReason | "timeReceived";
  readonly bytes: Uint8Array;
}

export class UpdateBlock extends NativeRows {
  readonly #plain = plain.map(([name, type, write]) => ({ name, type, write, buffer: new ByteBuffer() }));
  readonly #path = new ListColumn(1);
  readonly #clusters = new ListColumn(1);
  readonly #communities = new ListColumn(2);
  readonly #extended = new ListColumn(3);
  readonly #large = new ListColumn(3);
  protected readonly columns: readonly NativeColumn[] = [
    ...this.#plain.map(({ name, type, buffer }) => ({ name, type, data: [buffer] })),
    { name: "as_path", type: "Array(UInt32)", data: this.#path.data },
    { name: "cluster_list", type: "Array(UInt32)", data: this.#clusters.data },
    { name: "communities", type: "Array(Tuple(UInt32, UInt16))", data: this.#communities.data },
    { name: "extended_communities", type: "Array(Tuple(UInt8, UInt8, String))", data: this.#extended.data },
    { name: "large_communities", type: "Array(Tuple(UInt32, UInt32, UInt32))", data: this.#large.data },
  ];

  /** Adds the messages of one record; returns those that are not updates. */
  add(record: Uint8Array): RejectedUpdate[] {
    const rejected: RejectedUpdate[] = [];
    for (const result of decodeUpdates(record)) {
      if (!result.ok) {
        rejected.push(result);
      } else if (result.update.timeReceivedNs > timeMaxNs || result.update.timeBmpHeaderNs > timeMaxNs) {
        rejected.push({ reason: "timeReceived", bytes: record });
      } else {
        this.#addRow(result.update);
      }
    }
    return rejected;
  }

  #addRow(update: RouteUpdate): void {
    for (const { write, buffer } of this.#plain) {
      write(buffer, update);
    }
    this.#path.add(update.asPath, [(to, asn) => to.u32(asn)]);
    this.#clusters.add(update.clusterList, [(to, id) => to.u32(id)]);
    this.#communities.add(update.communities, [(to, [asn]) => to.u32(asn), (to, [, value]) => to.u16(value)]);
    this.#extended.add(update.extendedCommunities, [
      (to, [high]) => to.u8(high),
      (to, [, low]) => to.u8(low),
      (to, [, , value]) => to.text(value),
    ]);
    this.#large.add(update.largeCommunities, [
      (to, [asn]) => to.u32(asn),
      (to, [, first]) => to.u32(first),
      (to, [, , second]) => to.u32(second),
    ]);
    this.rows++;
  }
}

/**
 * Records of `measure-probes` to one block of `measure.probes`: a row for each probe and each agent that it is for.
 *
 * Invalid parts of a record are handled by the agents, which set them aside; here they are counted and left
 * out.
 */
import { addressBytes, parseAddress } from "../../../net/ip/address.ts";
import { ianaNumber } from "../../../net/packet/probe.ts";
import { ProbeCursor } from "../../../net/wire/probe-codec.ts";
import { decodeTargetHeader, type TargetHeader } from "../../../net/wire/target-header.ts";
import { headerBytesMax } from "./limits.ts";
import { ByteBuffer, NativeRows } from "./native-block.ts";

const dayMs = 86_400_000;
const utf8 = new TextEncoder();

interface RowTarget {
  readonly agentId: Uint8Array;
  readonly srcAddr: Uint8Array;
  readonly measurementId: Uint8Array;
  readonly firstProbe: number;
  /** 0 = as short as the TTL allows. */
  readonly sizeBytes: number;
  /** 0 or 1. */
  readonly dontFragment: number;
}

export class ProbeBlock extends NativeRows {
  readonly #date = new ByteBuffer();
  readonly #time = new ByteBuffer();
  readonly #measurementId = new ByteBuffer();
  readonly #agentId = new ByteBuffer();
  readonly #index = new ByteBuffer();
  readonly #srcAddr = new ByteBuffer();
  readonly #dstAddr = new ByteBuffer();
  readonly #srcPort = new ByteBuffer();
  readonly #dstPort = new ByteBuffer();
  readonly #ttl = new ByteBuffer();
  readonly #protocol = new ByteBuffer();
  readonly #sizeBytes = new ByteBuffer();
  readonly #dontFragment = new ByteBuffer();
  protected readonly columns = [
    { name: "date", type: "Date", data: [this.#date] },
    { name: "time_submitted", type: "DateTime64(3, 'UTC')", data: [this.#time] },
    { name: "measurement_id", type: "String", data: [this.#measurementId] },
    { name: "agent_id", type: "String", data: [this.#agentId] },
    { name: "probe_index", type: "UInt64", data: [this.#index] },
    { name: "probe_src_addr", type: "IPv6", data: [this.#srcAddr] },
    { name: "probe_dst_addr", type: "IPv6", data: [this.#dstAddr] },
    { name: "probe_src_port", type: "UInt16", data: [this.#srcPort] },
    { name: "probe_dst_port", type: "UInt16", data: [this.#dstPort] },
    { name: "probe_ttl", type: "UInt8", data: [this.#ttl] },
    { name: "probe_protocol", type: "UInt8", data: [this.#protocol] },
    { name: "probe_size_bytes", type: "UInt16", data: [this.#sizeBytes] },
    { name: "probe_dont_fragment", type: "UInt8", data: [this.#dontFragment] },
  ];

  /** Adds the probes of one record; returns how many headers and messages were left out. */
  add(value: Uint8Array, headers: Readonly<Record<string, string>>, submittedMs: number): number {
    const entries = Object.entries(headers);
    const targets = entries
      .map(([agentId, text]) => targetOf(agentId, text))
      .filter((target) => target !== null);
    let refused = entries.length - targets.length;
    const cursor = new ProbeCursor(value);
    for (let index = 0; cursor.next < value.length; index++) {
      cursor.advance();
      if (cursor.reason !== null) {
        refused++;
        continue;
      }
      for (const target of targets) {
        this.#addRow(cursor, target, target.firstProbe + index, submittedMs);
      }
    }
    return refused;
  }

  #addRow(probe: ProbeCursor, target: RowTarget, index: number, submittedMs: number): void {
    this.#date.u16(Math.floor(submittedMs / dayMs));
    this.#time.count(submittedMs);
    this.#measurementId.text(target.measurementId);
    this.#agentId.text(target.agentId);
    this.#index.count(index);
    this.#srcAddr.raw(target.srcAddr);
    this.#dstAddr.raw(probe.dst);
    this.#srcPort.u16(probe.srcPort);
    this.#dstPort.u16(probe.dstPort);
    this.#ttl.u8(probe.ttl);
    this.#protocol.u8(ianaNumber[probe.protocol]);
    this.#sizeBytes.u16(target.sizeBytes);
    this.#dontFragment.u8(target.dontFragment);
    this.rows++;
  }
}

/** Null for a header that is not a target: other programs add headers of their own. */
function targetOf(agentId: string, text: string): RowTarget | null {
  const decoded = decodeTargetHeader(text);
  return decoded.ok && agentId.length <= headerBytesMax ? described(agentId, decoded.header) : null;
}

function described(
  agentId: string,
  { srcIp, measurementId, firstProbe, shape = {} }: TargetHeader,
): RowTarget | null {
  const srcAddr = srcIp === "" ? new Uint8Array(addressBytes) : parseAddress(srcIp);
  if (srcAddr === null || (measurementId ?? "").length > headerBytesMax) {
    return null;
  }
  return {
    agentId: utf8.encode(agentId),
    srcAddr,
    measurementId: utf8.encode(measurementId ?? ""),
    firstProbe: firstProbe ?? 0,
    sizeBytes: shape.sizeBytes ?? 0,
    dontFragment: shape.dontFragment === true ? 1 : 0,
  };
}

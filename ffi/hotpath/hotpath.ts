/**
 * The WebAssembly module of the hot path, one instance for each sender or receiver.
 *
 * Sources in assembly/, compiled by build.ts; memory-layout.ts has the layout of its fixed-size memory. lib/net/packet
 * and lib/net/wire define what it computes, and tests compare the two.
 */
import { readFileSync } from "node:fs";
import { mapped } from "../../lib/net/ip/address.ts";
import type { Prefix } from "../../lib/net/ip/prefix.ts";
import { prefixMask, prefixOf } from "../../lib/net/ip/prefix.ts";
import type { SipKey } from "../../lib/net/packet/siphash.ts";
import type { EchoTargets, TcpProof } from "../../lib/net/packet/tag.ts";
import modulePath from "./build/hotpath.wasm" with { type: "file" };
import * as at from "./memory-layout.ts";

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly stopReason: WebAssembly.Global;
  readonly repliesEnd: WebAssembly.Global;
  fill(first: number, count: number, wireCode: number, wrap: number, isDeparture: number): number;
  receive(from: number, to: number, linkType: number, fractionNs: number): number;
  rememberNeighbour(at: number): number;
  forgetNeighbours(): void;
}

interface ReceiveConfig {
  readonly agentId: string;
  readonly keys: readonly SipKey[];
  readonly sources: readonly Prefix[];
  readonly integrityCheck: boolean;
  /** Called for each answer to TCP whose tag matches. */
  readonly tcp: TcpProof;
  /** Called for each echo reply whose tag matches no probe of its source address; none = the sender remembers none. */
  readonly echoes?: EchoTargets;
}

/** Where a route leads. `mac` null = the gateway is not resolved yet. */
type NextHop =
  | { readonly kind: "onLink" }
  | { readonly kind: "gateway"; readonly mac: Uint8Array | null }
  | { readonly kind: "none" };

/** A route of the sender's interface. */
export type SendRoute = NextHop & { readonly prefix: Prefix };

interface SendConfig {
  readonly key: SipKey;
  readonly layer: "ethernet" | "ip";
  readonly mac: Uint8Array;
}

export const ethernetHeaderBytes = 14;
const macBytes = 6;
const noEchoes: EchoTargets = { copy: () => 0 };
const allIpv4 = prefixOf(mapped([0, 0, 0, 0]), 0);

export class Hotpath {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly #exports: Exports;
  readonly #tcpPrints: Uint32Array;
  #tcp: TcpProof = { hasLeft: () => false };
  #echoes: EchoTargets = noEchoes;
  /** All of the memory. */
  readonly words: Int32Array;
  readonly #echoTargets: Int32Array;

  constructor() {
    const module = new WebAssembly.Module(readFileSync(modulePath));
    // WebAssembly's integers are signed here.
    const hasLeft = (key: number, sentTick: number, print: number) =>
      this.#tcp.hasLeft(key, sentTick, print >>> 0);
    const echoTargets = (key: number, sentTick: number) =>
      this.#echoes.copy(key, sentTick, this.#echoTargets);
    const instance = new WebAssembly.Instance(module, { match: { hasLeft, echoTargets } });
    this.#exports = instance.exports as unknown as Exports;
    const { buffer } = this.#exports.memory;
    this.words = new Int32Array(buffer);
    this.#echoTargets = new Int32Array(buffer, at.echoTargetsAt, at.echoTargetsMax * 4);
    this.#tcpPrints = new Uint32Array(this.#exports.memory.buffer, at.tcpPrintsAt, at.batchProbesMax);
    this.bytes = new Uint8Array(this.#exports.memory.buffer);
    this.view = new DataView(this.#exports.memory.buffer);
  }

  /** Throws RangeError if a list is too long for the module. */
  configureReceive(config: ReceiveConfig): void {
    const agentId = new TextEncoder().encode(config.agentId);
    limit("agent id bytes", agentId.length, at.agentIdBytesMax);
    limit("tag keys", config.keys.length, at.keysMax);
    this.view.setUint32(at.agentIdLengthAt, agentId.length, true);
    this.bytes.set(agentId, at.agentIdAt);
    config.keys.forEach((key, i) => {
      this.#setKey(i, key);
    });
    this.view.setUint32(at.keyCountAt, config.keys.length, true);
    this.setSources(config.sources);
    this.view.setUint32(at.integrityCheckAt, config.integrityCheck ? 1 : 0, true);
    this.#tcp = config.tcp;
    this.#echoes = config.echoes ?? noEchoes;
  }

  /** Answers to addresses outside these prefixes are foreign; at most `sourcesMax`. */
  setSources(sources: readonly Prefix[]): void {
    limit("source prefixes", sources.length, at.sourcesMax);
    sources.forEach((prefix, i) => {
      this.#setPrefix(at.sourcesAt + i * at.sourceBytes, prefix);
    });
    this.view.setUint32(at.sourceCountAt, sources.length, true);
  }

  configureSend(config: SendConfig): void {
    this.#setKey(0, config.key);
    this.view.setUint32(at.linkHeaderBytesAt, config.layer === "ethernet" ? ethernetHeaderBytes : 0, true);
    this.bytes.set(config.mac, at.sourceMacAt);
  }

  /** The largest frame whose zeros the back end sends; until then no probe with a size is filled. */
  setPadding(frameBytesMax: number): void {
    this.view.setUint32(at.paddedBytesMaxAt, frameBytesMax, true);
  }

  /**
   * In each family the longest prefix must come first; both families together have at most `routesMax - 1`.
   */
  setRoutes(routes: readonly SendRoute[]): void {
    limit("routes of the interface", routes.length, at.routesMax - 1);
    const ipv4 = routes.filter((route) => route.prefix.family === 4);
    const ipv6 = routes.filter((route) => route.prefix.family === 6);
    ipv4.forEach((route, i) => {
      this.#setRoute(i, route.prefix, route);
    });
    this.#setRoute(ipv4.length, allIpv4, { kind: "none" });
    ipv6.forEach((route, i) => {
      this.#setRoute(ipv4.length + 1 + i, route.prefix, route);
    });
    this.view.setUint32(at.routeCountAt, routes.length + 1, true);
  }

  /** See fill in assembly/fill.ts. */
  fill(first: number, count: number, wireCode: number, wrap: number): number {
    return this.#exports.fill(first, count, wireCode, wrap, 0);
  }

  /** Fills probes that leave at this time: stops before one that equals another of this tick. */
  fillDeparting(first: number, count: number, wireCode: number, wrap: number): number {
    return this.#exports.fill(first, count, wireCode, wrap, 1);
  }

  /** The frame of a probe that `fill` has built, with its padding: valid until its slot is filled again. */
  frame(slot: number): Uint8Array {
    const start = at.framesAt + slot * at.frameSlotBytes + at.frameStartOffset;
    const iovec = at.iovecsAt + slot * at.iovecBytes;
    const bytes = this.view.getUint32(iovec + at.iovecLengthAt, true);
    const padding = this.view.getUint32(iovec + at.iovecPaddingLengthAt, true);
    const frame = this.bytes.subarray(start, start + bytes);
    return padding === 0 ? frame : Buffer.concat([frame], bytes + padding);
  }

  /** One of the `stop…` constants of memory-layout.ts. */
  stopReason(): number {
    return this.#exports.stopReason.value as number;
  }

  /** How many of the probes that the last `fill` built are to be remembered: TCP, and those with a size. */
  tcpCount(): number {
    return this.view.getUint32(at.tcpCountAt, true);
  }

  /** The prints of these, in order; valid until the next `fill`. */
  tcpPrints(): Uint32Array {
    return this.#tcpPrints.subarray(0, this.tcpCount());
  }

  /** See receive in assembly/receive.ts; `repliesEnd()` returns where the replies end. */
  receive(from: number, to: number, linkType: number, fractionNs: 1 | 1000): number {
    return this.#exports.receive(from, to, linkType, fractionNs);
  }

  repliesEnd(): number {
    return this.#exports.repliesEnd.value as number;
  }

  /** Stores a neighbour; when the table is full around its address, clears all others first. */
  rememberNeighbour(address: Uint8Array, mac: Uint8Array): void {
    this.bytes.set(address, at.repliesAt);
    this.bytes.set(mac, at.repliesAt + address.length);
    if (this.#exports.rememberNeighbour(at.repliesAt) === 0) {
      this.#exports.forgetNeighbours();
      this.#exports.rememberNeighbour(at.repliesAt);
    }
  }

  forgetNeighbours(): void {
    this.#exports.forgetNeighbours();
  }

  /** `index`: in the order of memory-layout.ts. */
  counter(index: number): number {
    return Number(this.view.getBigUint64(at.countersAt + index * 8, true));
  }

  #setKey(index: number, key: SipKey): void {
    this.view.setBigUint64(at.keysAt + index * at.keyBytes, key.k0, true);
    this.view.setBigUint64(at.keysAt + index * at.keyBytes + 8, key.k1, true);
  }

  #setRoute(index: number, prefix: Prefix, hop: NextHop): void {
    const entry = at.routesAt + index * at.routeBytes;
    this.#setPrefix(entry, prefix);
    const mac = hop.kind === "gateway" ? hop.mac : null;
    this.bytes.set(mac ?? new Uint8Array(macBytes), entry + at.routeMacOffset);
    this.bytes[entry + at.routeKindOffset] = routeKind(hop);
  }

  #setPrefix(entry: number, prefix: Prefix): void {
    this.bytes.set(prefix.base, entry);
    this.bytes.set(prefixMask(prefix), entry + prefix.base.length);
  }
}

function routeKind(hop: NextHop): number {
  switch (hop.kind) {
    case "none":
      return at.routeKindNone;
    case "onLink":
      return at.routeKindOnLink;
    case "gateway":
      return hop.mac === null ? at.routeKindUnresolved : at.routeKindGateway;
  }
}

function limit(what: string, count: number, max: number): void {
  if (count > max) {
    throw new RangeError(`Cannot use ${count} ${what}: at most ${max}`);
  }
}

/** Decides who answers a probe, and how: the rows of the scenario applied to one packet. */
import { address } from "../../../lib/net/ip/address.ts";
import { destinationPort, writeEchoReply, writeTcpAnswer } from "./direct-answer.ts";
import { writeIcmpError } from "./icmp-error.ts";
import { destinationOf, type IpPacket, protocolNumbers, readIpPacket } from "./ip-packet.ts";
import { type Behaviour, hopAddress, targetAddress, type VirtualTarget } from "./scenario.ts";
import { forgeTag, rewriteChecksum, setTtl } from "./tamper.ts";

/** Time to live that hops and targets start their answers with. */
const hopInitialTtl = 255;
const targetInitialTtl = 64;

const timeExceeded = { 4: 11, 6: 3 } as const;
const unreachable = { 4: 3, 6: 1 } as const;
const portUnreachableCode = { 4: 3, 6: 4 } as const;

export interface ProbeResponse {
  /** A view that the next answer overwrites. */
  readonly packet: Uint8Array;
  readonly delayMs: number;
  /** How often it is sent: 1 as a rule. */
  readonly times?: number;
}

interface Row {
  readonly target: VirtualTarget;
  readonly hopSources: readonly Uint8Array[];
}

export class Answerer {
  readonly #rows = new Map<string, Row>();
  readonly #packet = new Uint8Array(2048);
  #random = 1;
  #count = 0;

  constructor(targets: readonly VirtualTarget[]) {
    for (const target of targets) {
      for (const family of ["v4", "v6"] as const) {
        const hopSources = target.hops.map((hop) => wireAddress(hopAddress(hop.id)[family]));
        this.#rows.set(keyOf(wireAddress(targetAddress(target.id)[family])), { target, hopSources });
      }
    }
  }

  /** The answer to one IP packet, which may be overwritten; null when nobody answers. */
  answer(bytes: Uint8Array): ProbeResponse | null {
    const probe = readIpPacket(bytes);
    const row = probe === null ? undefined : this.#rows.get(keyOf(destinationOf(probe)));
    if (probe === null || row === undefined) {
      return null;
    }
    const hop = row.target.hops[probe.ttl - 1];
    const behaviour: Behaviour = hop ?? row.target;
    const { answersOfEverySecond: times = 1 } = behaviour;
    if (behaviour.silent === true || this.#isLost(behaviour.lossPercent ?? 0) || this.#isPassed(times)) {
      return null;
    }
    tamper(probe, behaviour);
    const length = hop === undefined ? this.#fromTarget(probe, row) : this.#fromHop(probe, row, hop);
    return length === 0
      ? null
      : { packet: this.#packet.subarray(0, length), delayMs: behaviour.delayMs ?? 0, times };
  }

  #fromHop(probe: IpPacket, row: Row, behaviour: Behaviour): number {
    const index = probe.ttl - 1;
    setTtl(probe, 1);
    const source = row.hopSources[index] ?? new Uint8Array();
    const error = { type: timeExceeded[probe.family], code: 0, source, ttl: hopInitialTtl - index };
    return writeIcmpError(this.#packet, probe, error, behaviour);
  }

  #fromTarget(probe: IpPacket, { target }: Row): number {
    const ttl = targetInitialTtl - target.hops.length;
    if (target.unreachable !== undefined) {
      return this.#unreachable(probe, target, target.unreachable[probe.family === 4 ? "v4" : "v6"]);
    }
    switch (probe.protocol) {
      case protocolNumbers.udp:
        return this.#unreachable(probe, target, portUnreachableCode[probe.family]);
      case protocolNumbers.tcp:
        return writeTcpAnswer(
          this.#packet,
          probe,
          ttl,
          target.openTcpPorts?.includes(destinationPort(probe)) ?? false,
        );
      default:
        return writeEchoReply(this.#packet, probe, ttl);
    }
  }

  #unreachable(probe: IpPacket, target: VirtualTarget, code: number): number {
    setTtl(probe, probe.ttl - target.hops.length);
    const source = destinationOf(probe);
    const error = {
      type: unreachable[probe.family],
      code,
      source,
      ttl: targetInitialTtl - target.hops.length,
    };
    return writeIcmpError(this.#packet, probe, error, target);
  }

  /** The first of two probes, where the second is answered more than once. */
  #isPassed(times: number): boolean {
    return times > 1 && this.#count++ % 2 === 0;
  }

  /** A linear congruential generator (the constants of ANSI C), so that every run loses the same answers. */
  #isLost(percent: number): boolean {
    if (percent === 0) {
      return false;
    }
    this.#random = (Math.imul(this.#random, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (this.#random >> 16) % 100 < percent;
  }
}

function tamper(probe: IpPacket, behaviour: Behaviour): void {
  if (behaviour.forgesTag === true) {
    forgeTag(probe);
  }
  if (behaviour.rewritesChecksum === true) {
    rewriteChecksum(probe);
  }
}

/** 4 or 16 bytes, as they stand in a header. */
function wireAddress(text: string): Uint8Array {
  return address(text).subarray(text.includes(":") ? 0 : 12);
}

/** A Map key of 4 or 16 bytes. */
function keyOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

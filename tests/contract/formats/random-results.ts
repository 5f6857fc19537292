/**
 * Stored results by chance, as agents leave them: destinations in the middle of the probed TTLs, and some that nothing
 * answers; silent hops, copies of answers, refusals, numbers of probes that differ from TTL to TTL, flows of several
 * rounds, pings.
 */
import fc from "fast-check";
import type { RawProbe, RawReply, RawRows } from "../results/raw-rows.ts";

const unknownRtt = 65_535;
const agents = ["west", "east"];
const protocols = { udp: 17, tcp: 6, icmp: 1 } as const;
/** Ticks of 0.1 ms between probes. */
const spacing = 7n;

const flow = fc.record({
  agent: fc.integer({ min: 0, max: agents.length - 1 }),
  isV6: fc.boolean(),
  target: fc.integer({ min: 1, max: 3 }),
  protocol: fc.constantFrom("udp", "udp", "icmp", "tcp"),
  flow: fc.integer({ min: 0, max: 3 }),
  firstTtl: fc.integer({ min: 1, max: 2 }),
  /** TTL of the destination, or of the router that refuses; null = it never answers. */
  distance: fc.option(fc.integer({ min: 2, max: 6 }), { freq: 3 }),
  isRefused: fc.boolean(),
  isDark: fc.boolean(),
  /** Probes of each TTL. */
  sent: fc.array(
    fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.constantFrom(101, 130)),
    {
      minLength: 6,
      maxLength: 9,
    },
  ),
  /** What becomes of the probes, one after another: lost, answered, answered twice, answered without a time. */
  fates: fc.array(fc.constantFrom("lost", "answered", "answered", "answered", "copied", "untimed"), {
    minLength: 5,
    maxLength: 23,
  }),
  silentTtls: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
});
type Flow = typeof flow extends fc.Arbitrary<infer Value> ? Value : never;

interface Extent {
  /** Whether probes were sent beyond the ends of flows. */
  readonly isBeyond: boolean;
}

export function randomResults(measurement: string, { isBeyond }: Extent): fc.Arbitrary<RawRows> {
  const name = ({ agent, isV6, target, protocol, flow: port }: Flow) =>
    JSON.stringify([agent, isV6, target, protocol, port]);
  return fc
    .uniqueArray(flow, { minLength: 4, maxLength: 14, selector: name })
    .map((flows) => rowsOf(measurement, flows, isBeyond));
}

function rowsOf(measurement: string, flows: readonly Flow[], isBeyond: boolean): RawRows {
  const made = new Rows(measurement);
  for (const one of flows) {
    const last = one.distance === null || isBeyond ? 255 : one.distance;
    for (const [i, count] of one.sent.entries()) {
      const ttl = one.firstTtl + i;
      for (let probe = 0; probe < count && ttl <= last; probe++) {
        made.probe(one, ttl, probe);
      }
    }
    made.ping(one);
  }
  return made;
}

class Rows implements RawRows {
  readonly probes: RawProbe[] = [];
  readonly replies: RawReply[] = [];
  readonly #measurement: string;
  readonly #startTick = BigInt(Math.floor((Date.now() - 3_600_000) / 1000)) * 10_000n;

  constructor(measurement: string) {
    this.#measurement = measurement;
  }

  probe(one: Flow, ttl: number, number: number): void {
    const fate = one.isDark ? "lost" : (one.fates[(number + 3 * ttl) % one.fates.length] ?? "lost");
    const place = { ...flowOf(one), measurement: this.#measurement, ttl };
    const tick = this.#sent(one, place);
    const isSilent = one.silentTtls.includes(ttl) || (one.distance === null && ttl > 4);
    if (fate !== "lost" && !isSilent) {
      this.#answer(one, { ...place, ...answerOf(one, ttl) }, { tick, fate });
    }
  }

  /** Ten probes of one TTL to another port. */
  ping(one: Flow): void {
    if (one.protocol !== "udp" || one.flow !== 0) {
      return;
    }
    const place = { ...flowOf(one), dstPort: 7, ttl: 64, measurement: this.#measurement };
    for (let number = 0; number < 10; number++) {
      const tick = this.#sent(one, place);
      const fate = one.fates[number % one.fates.length] ?? "lost";
      if (fate !== "lost" && !one.isDark && one.distance !== null) {
        const own = answerOf({ ...one, isRefused: false }, one.distance);
        this.#answer(one, { ...place, ...own }, { tick, fate });
      }
    }
  }

  #sent(one: Flow, place: Place): bigint {
    const tick = this.#startTick + spacing * BigInt(this.probes.length);
    const timeMs = Number(this.#startTick / 10n);
    const sending = {
      agent: agents[one.agent] ?? "",
      source: sourceOf(one),
      timeMs,
      index: this.probes.length,
    };
    this.probes.push({ ...place, ...sending });
    return tick;
  }

  #answer(one: Flow, reply: Place & ReturnType<typeof answerOf>, { tick, fate }: Answering): void {
    const agent = agents[one.agent] ?? "";
    const sender = { agent, sender: agent, instance: 0, source: sourceOf(one), replyTtl: 60, replyId: 0 };
    for (let copy = 0; copy < (fate === "copied" ? 2 : 1); copy++) {
      const rttTenthMs = 20 + 10 * reply.ttl + copy * 3 + (this.replies.length % 7);
      // No two at one time.
      const timeNs = (tick + BigInt(rttTenthMs)) * 100_000n + BigInt(this.replies.length % 90_000);
      const isTimed = fate !== "untimed";
      // Half of the probes left somewhere in their tick, and their agent noted when.
      const withinUs = Number(tick % 89n);
      const rttUs =
        isTimed && withinUs % 2 === 0 ? 100 * rttTenthMs + Number((timeNs % 100_000n) / 1000n) - withinUs : 0;
      this.replies.push({
        ...reply,
        ...sender,
        timeNs,
        rttTenthMs: isTimed ? rttTenthMs : unknownRtt,
        rttUs,
      });
    }
  }
}

interface Answering {
  readonly tick: bigint;
  readonly fate: string;
}

type Place = ReturnType<typeof flowOf> & { readonly measurement: string; readonly ttl: number };

function sourceOf({ isV6 }: Flow): string {
  return isV6 ? "2001:db8:f::1" : "192.0.2.1";
}

function flowOf({ isV6, target, protocol, flow: port }: Flow) {
  const number = protocol === "icmp" && isV6 ? 58 : protocols[protocol];
  return {
    destination: isV6 ? `2001:db8:51::${target}` : `203.0.113.${target}`,
    protocol: number,
    srcPort: 24_000 + port,
    dstPort: { udp: 33_434, tcp: 80, icmp: 0 }[protocol],
  };
}

/** From the end of the flow on as there; routers before it differ from flow to flow. */
function answerOf(one: Flow, ttl: number) {
  const { isV6, protocol, distance, isRefused, flow: port } = one;
  const icmp = isV6 ? 58 : 1;
  const router = isV6 ? `2001:db8:${ttl}::${port % 2}` : `198.51.100.${10 * ttl + (port % 2)}`;
  const label = { label: 24_000 + ttl, exp: 1, bottomOfStack: true, ttl: 1 };
  if (distance === null || ttl < distance) {
    const labels = ttl === 3 ? [label] : [];
    return { from: router, replyProtocol: icmp, icmpType: isV6 ? 3 : 11, icmpCode: 0, labels };
  }
  if (isRefused) {
    const code = [13, 3, 10][one.target % 3] ?? 13;
    return { from: router, replyProtocol: icmp, icmpType: isV6 ? 1 : 3, icmpCode: code, labels: [] };
  }
  const { destination: from } = flowOf(one);
  if (protocol === "tcp") {
    return { from, replyProtocol: 6, icmpType: 0, icmpCode: port % 2 === 0 ? 18 : 20, labels: [] };
  }
  const [type, code] = protocol === "icmp" ? [isV6 ? 129 : 0, 0] : isV6 ? [1, 4] : [3, 3];
  return { from, replyProtocol: icmp, icmpType: type, icmpCode: code, labels: [] };
}

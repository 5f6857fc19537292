/**
 * Reads results of RIPE Atlas (traceroutes, pings) and Iris, each as the text of a JSON object, as rows from which ours
 * are written. What cannot be read is skipped, and noted: a result, or one answer of it.
 */
import * as v from "valibot";
import type { PassedOver } from "../../base/list/passed-over.ts";
import { parseAddress } from "../../net/ip/address.ts";
import { tickUs } from "../../net/packet/time-code.ts";
import { atlasAnswerKind } from "./atlas-answer-kind.ts";
import { type ImportedTrace, timeText } from "./imported-trace.ts";
import { isOfIris, issueText, tracesOfIris } from "./iris-reader.ts";
import type { TraceReply } from "./trace.ts";

/** Bytes of one line: a traceroute has some 5 kB. */
export const lineBytesMax = 4 << 20;
/** Hops, and answers of one: far more than Atlas sends. */
const hopsMax = 256;
const answersMax = 1000;

const seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(2 ** 32 - 1));
const address = v.pipe(
  v.string(),
  v.check((text) => parseAddress(text) !== null, "is not an address"),
);
const byte = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)), 0);
const kindByte = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)));
/** Some 35 years. */
const sentUs = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 50));
const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));
const size = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_000)), 0);

/** Ours: Atlas has a number for the flow in their place. */
const ports = v.optional(v.object({ src_port: port, dst_port: port }));

const common = {
  ...{ prb_id: v.pipe(v.number(), v.integer(), v.minValue(0)), timestamp: seconds, dst_addr: address },
  ...{ src_addr: v.optional(v.string(), ""), from: v.optional(v.string(), "") },
  proto: v.optional(v.string(), "ICMP"),
  ...{ size, vantage: ports },
};
const upTo = (most: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most)), 0);
const label = v.object({ label: upTo(2 ** 20 - 1), exp: upTo(7), s: upTo(1), ttl: upTo(255) });
const answer = v.object({
  ...{ from: v.optional(address), src_addr: v.optional(address), ttl: byte, size, ittl: byte },
  // Up to a day.
  rtt: v.optional(v.pipe(v.number(), v.maxValue(86_400_000))),
  err: v.optional(v.union([v.string(), v.number()])),
  flags: v.optional(v.string()),
  // Ours: when its probe left, in microseconds from `timestamp` on; the kind, where the others do not say it.
  vantage: v.optional(v.object({ sent_us: sentUs, icmp_type: kindByte, icmp_code: kindByte })),
  late: v.optional(v.number()),
  dup: v.optional(v.union([v.boolean(), v.number()])),
  icmpext: v.optional(
    v.object({ obj: v.optional(v.array(v.object({ mpls: v.optional(v.array(label), []) })), []) }),
  ),
});
type AtlasReply = v.InferOutput<typeof answer> & {
  /** It had an RTT, which is left out. */
  readonly hasBadRtt?: boolean;
};
const answers = v.pipe(v.array(v.unknown()), v.maxLength(answersMax));

const traceroute = v.object({
  ...common,
  paris_id: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), 0),
  result: v.pipe(
    v.array(
      v.object({
        hop: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)), 0),
        result: v.optional(answers, []),
      }),
    ),
    v.maxLength(hopsMax),
  ),
});
const ping = v.object({ ...common, ttl: byte, sent: v.optional(v.number(), 0), result: answers });

/** Reads one answer of a result; null for one that is left out. */
type ReadAnswer = (given: unknown) => AtlasReply | null;

export class JsonTraceReader {
  /** Results that are neither traceroutes nor pings. */
  passed = 0;
  #line = 0;
  readonly #note: PassedOver["note"];

  /** `note` receives what is not taken. */
  constructor(note: PassedOver["note"] = () => {}) {
    this.#note = note;
  }

  /** Null for a blank line, and a skipped one. */
  line(text: string): ImportedTrace | null {
    this.#line++;
    return text.trim() === "" ? null : (this.results(text, `line ${this.#line}`)[0] ?? null);
  }

  /** None for a skipped one; one of Iris has a trace for each flow. */
  results(text: string, place: string): ImportedTrace[] {
    const given = parsed(text);
    if (given === null) {
      this.#damaged("text that is not a JSON object", place);
      return [];
    }
    const own = isOfIris(given) ? tracesOfIris(given, place, this.#note) : [this.#result(given, place)];
    return own.filter((trace) => trace !== null);
  }

  #result(given: Parsed, place: string): ImportedTrace | null {
    if (given.type !== "traceroute" && given.type !== "ping") {
      this.passed++;
      return null;
    }
    if (given.dst_addr === undefined || given.dst_addr === "") {
      // The name of the target was not found: Atlas says so in place of answers.
      this.#note({ reason: "result without the address of a target", place, isDamage: false });
      return null;
    }
    const read: ReadAnswer = (one) => this.#answer(one, place);
    return given.type === "ping"
      ? this.#checked(ping, given, { place, of: (one) => pingOf(one, read) })
      : this.#checked(traceroute, given, { place, of: (one) => traceOf(one, read) });
  }

  #damaged(reason: string, place: string, detail: string | null = null): null {
    this.#note({ reason, place, detail, isDamage: true });
    return null;
  }

  #checked<Schema extends v.GenericSchema>(
    schema: Schema,
    given: unknown,
    { place, of }: { readonly place: string; readonly of: (output: v.InferOutput<Schema>) => ImportedTrace },
  ): ImportedTrace | null {
    const result = v.safeParse(schema, given);
    return result.success
      ? of(result.output)
      : this.#damaged("result that cannot be read", place, issueText(result.issues[0]));
  }

  /** Null for an answer that is left out. A clock that was set may give a negative RTT: that alone is left out. */
  #answer(given: unknown, place: string): AtlasReply | null {
    const result = v.safeParse(answer, given);
    if (!result.success) {
      const detail = issueText(result.issues[0]);
      const reason = "answer that cannot be read";
      this.#note({ reason, place, detail, isDamage: true, fate: "left out" });
      return null;
    }
    const { rtt, late, ...others } = result.output;
    if (late !== undefined) {
      // To a probe of an earlier hop, and Atlas does not say of which.
      this.#note({ reason: "late answer", place, isDamage: false, fate: "left out" });
      return null;
    }
    if (rtt === undefined || rtt >= 0) {
      return result.output;
    }
    const detail = `${rtt} ms`;
    this.#note({ reason: "negative RTT", place, detail, isDamage: true, fate: "left out" });
    return { ...others, hasBadRtt: true };
  }
}

interface Parsed {
  readonly type?: unknown;
  readonly dst_addr?: unknown;
}

function parsed(text: string): Parsed | null {
  try {
    const given: unknown = JSON.parse(text);
    return typeof given === "object" && given !== null && !Array.isArray(given) ? given : null;
  } catch {
    return null;
  }
}

interface AtlasMeasurement {
  readonly startUs: number;
  readonly isV6: boolean;
  readonly target: string;
  readonly source: string;
  readonly protocol: string;
  readonly size: number;
}

function placeOf(given: v.InferOutput<typeof ping> | v.InferOutput<typeof traceroute>): AtlasMeasurement {
  const isV6 = given.dst_addr.includes(":");
  const own = [given.src_addr, given.from].find(
    (text) => parseAddress(text) !== null && text.includes(":") === isV6,
  );
  return {
    startUs: Math.round(given.timestamp * 1e6),
    ...{ isV6, target: given.dst_addr, source: own ?? (isV6 ? "::" : "0.0.0.0") },
    protocol: given.proto === "ICMP" && isV6 ? "ICMPv6" : given.proto,
    size: given.size,
  };
}

/** Numbers the probes of a result: each left a tick of 0.1 ms after the one before, as Atlas does not say when. */
class ProbeCount {
  sent = 0;
  /** The answers, each with the number of its probe. A copy has that of the answer before it. */
  numbered(given: readonly unknown[], read: ReadAnswer): { reply: AtlasReply; number: number }[] {
    return given.flatMap((one) => {
      const reply = read(one);
      this.sent += isFurther(one) ? 0 : 1;
      return reply === null ? [] : [{ reply, number: Math.max(0, this.sent - 1) }];
    });
  }
}

/** Whether it is a copy of an answer, or a late one, and so not to a further probe. */
function isFurther(given: unknown): boolean {
  const own: { readonly dup?: unknown; readonly late?: unknown } = Object(given);
  return own.late !== undefined || Boolean(own.dup);
}

function traceOf(given: v.InferOutput<typeof traceroute>, read: ReadAnswer): ImportedTrace {
  const place = placeOf(given);
  const count = new ProbeCount();
  // After five silent hops, Atlas sends one more probe with a TTL of 255.
  const hops = given.result.filter(({ hop, result }) => hop > 0 && result.length > 0);
  return {
    ...rowOf(place, given, given.paris_id),
    probes: hops
      .map(({ hop, result }) => ({ ttl: hop, sent: result.filter((one) => !isFurther(one)).length }))
      .filter(({ sent }) => sent > 0),
    replies: hops.flatMap(({ hop, result }) =>
      count
        .numbered(result, read)
        .flatMap(({ reply, number }) => replyOf(sentBy(place, number, reply), hop, reply, reply.from)),
    ),
  };
}

/** From when its probe left. */
function sentBy(place: AtlasMeasurement, number: number, { vantage: own }: AtlasReply): AtlasMeasurement {
  return { ...place, startUs: place.startUs + (own?.sent_us ?? tickUs * number) };
}

function pingOf(given: v.InferOutput<typeof ping>, read: ReadAnswer): ImportedTrace {
  const place = placeOf(given);
  const count = new ProbeCount();
  const replies = count.numbered(given.result, read).flatMap(({ reply, number }) => {
    const { rtt, hasBadRtt = false, src_addr: from, ttl } = reply;
    const own = { ...reply, ttl: ttl || given.ttl };
    const isNone = rtt === undefined && !hasBadRtt && from === undefined;
    return isNone ? [] : replyOf(sentBy(place, number, reply), 64, own, from ?? place.target);
  });
  const sent = Math.min(answersMax, Math.max(given.sent, count.sent));
  return { ...rowOf(place, given, 0), probes: [{ ttl: 64, sent }], replies };
}

function rowOf(
  { target, protocol, source, startUs }: AtlasMeasurement,
  { prb_id: probeId, vantage: own }: Pick<v.InferOutput<typeof ping>, "prb_id" | "vantage">,
  flow: number,
) {
  const isIcmp = protocol.startsWith("ICMP");
  return {
    ...{ agent: `atlas-${probeId}`, address: target, protocol, source, startUs },
    // Atlas gives the number of a flow, not its ports.
    ...{ src_port: flow, dst_port: isIcmp ? 0 : protocol === "TCP" ? 80 : 33_434, ...own },
  };
}

function replyOf(
  place: AtlasMeasurement,
  ttl: number,
  given: AtlasReply,
  from: string | undefined,
): TraceReply[] {
  if (from === undefined) {
    return [];
  }
  const { startUs, isV6, target, source, protocol } = place;
  const { err, flags } = given;
  const own = given.vantage;
  const [type, code] = atlasAnswerKind({ err, flags, isV6, isTarget: from === target, protocol });
  const rttMs = given.rtt ?? null;
  const labels = (given.icmpext?.obj ?? []).flatMap(({ mpls }) => mpls);
  return [
    {
      time_received: timeText(startUs + Math.round((rttMs ?? 0) * 1000)),
      ...{ probe_ttl: ttl, reply_src_addr: from, rtt_ms: rttMs, reply_ttl: given.ttl },
      ...{ reply_quoted_ttl: given.ittl || 1, reply_size: given.size + 8 + (isV6 ? 0 : 20), reply_id: 0 },
      reply_protocol: flags === undefined ? (isV6 ? 58 : 1) : 6,
      ...{ reply_icmp_type: own?.icmp_type ?? type, reply_icmp_code: own?.icmp_code ?? code },
      reply_mpls_labels: labels.map(({ s, ...one }) => ({ ...one, bottom_of_stack: s === 1 })),
      ...{ probe_src_addr: source, probe_size: place.size + 8 + (isV6 ? 0 : 20) },
    },
  ];
}

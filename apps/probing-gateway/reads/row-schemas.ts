/** Rows of results, for the OpenAPI document: a test compares them with what is sent. */
import * as v from "valibot";

const address = v.pipe(v.string(), v.union([v.pipe(v.string(), v.ipv4()), v.pipe(v.string(), v.ipv6())]));
const number = v.pipe(v.number(), v.integer());
const time = v.pipe(v.string(), v.isoTimestamp());
const words = (description: string) => v.pipe(v.string(), v.description(description));

export const replySchema = v.object({
  time_received: v.pipe(v.string(), v.description("Capture time, UTC, RFC 3339 with nanoseconds")),
  measurement_id: v.pipe(v.string(), v.uuid()),
  attribution: v.pipe(
    v.picklist(["exact", "by_time"]),
    v.description("exact: the agent said which measurement; by_time: it fits a probe of this one alone"),
  ),
  agent_id: words("Agent that captured the answer"),
  probe_agent: words("Agent that sent the probe; empty when it is not known"),
  probe_instance: number,
  probe_src_addr: address,
  probe_dst_addr: address,
  probe_protocol: words("UDP, ICMP, ICMPv6 or TCP"),
  probe_src_port: number,
  probe_dst_port: number,
  probe_ttl: number,
  reply_src_addr: address,
  rtt_ms: v.nullable(v.pipe(v.number(), v.description("Null when it is not known"))),
  reply_dst_addr: address,
  reply_protocol: number,
  reply_icmp_type: number,
  reply_icmp_code: number,
  reply_ttl: number,
  reply_quoted_ttl: number,
  reply_id: number,
  reply_size: number,
  probe_id: number,
  probe_size: number,
  reply_mpls_labels: v.array(
    v.object({ label: number, exp: number, bottom_of_stack: v.boolean(), ttl: number }),
  ),
  says: words("The kind of answer, in words; empty for time exceeded"),
});

export const probeSchema = v.object({
  probe_index: v.pipe(number, v.description("Place in the measurement, from 0")),
  time_submitted: time,
  agent_id: v.string(),
  probe_src_addr: v.nullable(v.pipe(address, v.description("Null leaves it to the agent"))),
  probe_dst_addr: address,
  probe_protocol: v.string(),
  probe_src_port: number,
  probe_dst_port: number,
  probe_ttl: number,
  replies: v.optional(
    v.pipe(number, v.description("To the agent's probes of the same destination, ports and TTL")),
  ),
});

export const lossSchema = v.object({
  agent: v.string(),
  destination: address,
  submitted: number,
  answered: number,
  lost: number,
  loss_percent: v.number(),
  replies: number,
});

export const catchmentSchema = v.object({
  probe_agent: v.string(),
  probe_instance: number,
  heard_by: v.string(),
  replies: number,
  share_percent: v.number(),
  destinations: number,
  responders: number,
});

export const pathSchema = v.object({
  agent: v.string(),
  address,
  protocol: v.string(),
  flows: v.array(v.object({ src_port: number, dst_port: number, end_ttl: v.nullable(number) })),
  reached: v.boolean(),
  probes: v.object({ submitted: number, answered: number, lost: number }),
  hops: v.array(v.looseObject({ ttl: number })),
});

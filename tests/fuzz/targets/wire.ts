/** Messages of the broker, probe lines and bodies of submissions, as the fuzzer gives them. */
import fc from "fast-check";
import { SourceRules } from "../../../apps/probing/agent/consume/source-rules.ts";
import { readTargetRecord } from "../../../apps/probing/agent/consume/target-record.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { jsonExcess } from "../../../lib/net/wire/json-bounds.ts";
import { JsonItemsReader, JsonSyntaxError } from "../../../lib/net/wire/json-items.ts";
import { decodeProbe, encodeProbe, probeMessageBytes } from "../../../lib/net/wire/probe-codec.ts";
import { ProbeJsonParser } from "../../../lib/net/wire/probe-json.ts";
import { formatProbeLine, parseProbeLine } from "../../../lib/net/wire/probe-line.ts";
import { ProbeMessageReader } from "../../../lib/net/wire/probe-message-reader.ts";
import { decodeReply, encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { decodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { arbitraryProbe, arbitraryReply } from "../../property/arbitrary.ts";
import { bytesOf, type FuzzTarget, refusing, textOf } from "../fuzz-target.ts";

const probes = fc.sample(arbitraryProbe, { numRuns: 50, seed: 12 });
const replies = fc.sample(arbitraryReply, { numRuns: 50, seed: 11 }).map(encodeReply);
const lines = probes.map((probe) => `${formatProbeLine(probe)}\n`);
const arrays = lines.map((line) => {
  const [dst, src, port, ttl, protocol] = line.trim().split(",");
  return `["${dst}", ${src}, ${port}, ${ttl}, "${protocol}"]`;
});
const header = '{"src_ip":"192.0.2.1","measurement_id":"m","end_of_measurement":true,"first_probe":7,';

/** A decoder must move on, and never beyond the message. */
function decoded(bytes: Uint8Array, { next }: { readonly next: number }): void {
  if (next > bytes.length || (next <= 0 && bytes.length > 0)) {
    throw new Error(`a decoder went from 0 to ${next} in ${bytes.length} bytes`);
  }
}

const parser = new ProbeJsonParser();
const message = new Uint8Array(probeMessageBytes);
const prefixes = ["192.0.2.0/24", "2001:db8::/32"].flatMap((text) => parsePrefix(text) ?? []);

const rules = new SourceRules(prefixes.map((prefix) => [prefix]));

/** Cut in three, so that tokens go over the cuts. */
function inPieces(bytes: Uint8Array, push: (piece: Uint8Array) => void): void {
  const third = Math.ceil(bytes.length / 3);
  for (let at = 0; at < bytes.length; at += third) {
    push(bytes.subarray(at, at + third));
  }
}

export const wireTargets: readonly FuzzTarget[] = [
  { name: "reply messages", share: 2, seeds: replies, read: (bytes) => decoded(bytes, decodeReply(bytes)) },
  {
    name: "probe messages",
    share: 4,
    seeds: probes.map(encodeProbe),
    read: (bytes) => decoded(bytes, decodeProbe(bytes)),
  },
  {
    name: "probe records",
    share: 1,
    seeds: [0, 10, 20].map((from) => Buffer.concat(probes.slice(from, from + 4).map(encodeProbe))),
    read: (value) => {
      const headers = { west: '{"src_ip":"192.0.2.1"}' };
      const place = { key: "", topic: "", partition: 0, offset: 0n, timestampMs: 0 };
      return readTargetRecord({ ...place, headers, value }, "west", { sources: rules, allowsDns: true });
    },
  },
  {
    name: "headers of records",
    share: 2,
    seeds: [bytesOf(`${header}"not_after":"2026-01-01T00:00:00Z"}`), bytesOf("{}")],
    read: (bytes) => decodeTargetHeader(textOf(bytes)),
  },
  {
    name: "probe lines",
    share: 2,
    seeds: lines.map((line) => bytesOf(line.trim())),
    read: (bytes) => {
      const result = parseProbeLine(bytes);
      // What was read can be written and read again.
      if (result.ok && !parseProbeLine(bytesOf(formatProbeLine(result.probe))).ok) {
        throw new Error("a probe that was read cannot be read again");
      }
    },
  },
  {
    name: "bodies of probe lines",
    share: 1,
    seeds: [0, 10, 20].map((from) => bytesOf(lines.slice(from, from + 8).join(""))),
    read: (bytes) => {
      const reader = new ProbeMessageReader("fuzz", { onMessages: () => {}, onError: () => {} });
      inPieces(bytes, (piece) => reader.push(piece));
      reader.finish();
    },
  },
  {
    name: "probes in JSON",
    share: 2,
    seeds: arrays.map(bytesOf),
    read: (bytes) => parser.read(bytes, message, 0),
  },
  {
    name: "bodies in JSON",
    share: 1,
    seeds: [0, 10].map((from) =>
      bytesOf(
        `{"metadata": [{"id": "west"}], "probes": [${arrays.slice(from, from + 5).join(",")}], "a": {"b": []}}`,
      ),
    ),
    read: (bytes) =>
      refusing(
        (error) => error instanceof JsonSyntaxError,
        () => {
          const onItem = (text: Uint8Array) => void parser.read(text, message, 0);
          const order = { member: "probes", itemBytesMax: 256, restBytesMax: 4096, onItem };
          const reader = new JsonItemsReader(order);
          inPieces(bytes, (piece) => reader.push(piece));
          return reader.finish();
        },
      ),
  },
  {
    name: "bounds of JSON",
    share: 2,
    seeds: [bytesOf('{"a": [1, "]\\"", {"b": [[[[]]]]}], "c": null}')],
    read: (bytes) => jsonExcess(bytes, { depthMax: 4, valuesMax: 10 }),
  },
];

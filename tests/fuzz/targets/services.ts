/** What services and agents read of one another, and of their own disks, as the fuzzer gives it. */
import { createParser } from "eventsource-parser";
import { journalLines } from "../../../apps/probing/agent/consume/progress-journal.ts";
import { decodeBatch } from "../../../apps/probing/agent/produce/spool.ts";
import { readReplyRow } from "../../../lib/answers/results/stored-reply.ts";
import { eventCharsMax } from "../../../lib/engines/gateway-client/limits.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { readHeadscaleNodes } from "../../../lib/peering/policy/headscale-nodes.ts";
import { joinDevices } from "../../../lib/peering/policy/join.ts";
import { readMappings } from "../../../lib/peering/policy/mapping.ts";
import { readInputs } from "../../../lib/peering/policy/stored-inputs.ts";
import { bodyBytesMax, sampleApp } from "../../contract/http/sample-app.ts";
import { asnPool, issuer, mappingsAnswer, nodesAnswer, sampleUser } from "../../exchange/samples.ts";
import { kept } from "../corpus.ts";
import { bytesOf, type FuzzTarget, jsonOf, textOf } from "../fuzz-target.ts";

const users = [sampleUser(1), sampleUser(2)];
const mappings = JSON.stringify(mappingsAnswer(users));
const nodes = JSON.stringify(nodesAnswer(users));
const goodNodes = readHeadscaleNodes(nodesAnswer(users))?.nodes ?? [];
const goodMappings = readMappings(mappingsAnswer(users), asnPool)?.mappings ?? [];
const rules = { issuer, allowEmailJoin: false };
const { app } = sampleApp({ log: jsonLog("fuzz", () => {}) });
const stored = { atMs: 1, value: [{ userHash: "a".repeat(64), asn: 65_000, leases: [] }] };
const inputs = {
  version: 1,
  mappings: stored,
  nodes: { atMs: 1, value: [{ userHash: "a", addresses: ["b"] }] },
};

/** A batch of two records, as the agent's spool has it. */
function batch(): Buffer {
  const head = Buffer.from('{"key":"k","headers":{"agent":"west"},"replies":2}');
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(head.length, 0);
  sizes.writeUInt32LE(4, 4);
  const record = Buffer.concat([sizes, head, Buffer.from("abcd")]);
  return Buffer.concat([record, record]);
}

/** Whatever is asked, the service answers, and never with a failure of its own. */
async function answered(request: () => Request): Promise<void> {
  let made: Request;
  try {
    made = request();
  } catch {
    // What is not an address never leaves a client.
    return;
  }
  const { status } = await app.fetch(made);
  if (status >= 500) {
    throw new Error(`answered with ${status}`);
  }
}

export const serviceTargets: readonly FuzzTarget[] = [
  {
    name: "mappings",
    share: 1,
    seeds: [bytesOf(mappings)],
    read: (bytes) => {
      const read = readMappings(jsonOf(bytes), asnPool);
      return joinDevices({ mappings: read?.mappings ?? [], nodes: goodNodes, excluded: [] }, rules);
    },
  },
  {
    name: "nodes of Headscale",
    share: 1,
    seeds: [bytesOf(nodes)],
    read: (bytes) => {
      const read = readHeadscaleNodes(jsonOf(bytes));
      return joinDevices({ mappings: goodMappings, nodes: read?.nodes ?? [], excluded: [] }, rules);
    },
  },
  {
    name: "inputs kept by a generator",
    share: 1,
    seeds: [bytesOf(JSON.stringify(inputs))],
    read: (bytes) => readInputs(textOf(bytes)),
  },
  {
    name: "event streams",
    share: 2,
    seeds: kept("events"),
    read: (bytes) => {
      const parser = createParser({ maxBufferSize: eventCharsMax, onEvent: () => {}, onRetry: () => {} });
      parser.feed(textOf(bytes));
    },
  },
  {
    name: "rows of replies",
    share: 1,
    seeds: kept("rows"),
    read: (bytes) => readReplyRow(jsonOf(bytes)),
  },
  {
    name: "journal of an agent",
    share: 1,
    seeds: kept("journal"),
    read: (bytes) => journalLines(textOf(bytes)),
  },
  {
    name: "spool of an agent",
    share: 2,
    seeds: [batch()],
    read: (bytes) => {
      const { records, replies } = decodeBatch(Buffer.from(bytes));
      if (!Number.isSafeInteger(replies) || records.some(({ key }) => typeof key !== "string")) {
        throw new Error("a damaged batch is published");
      }
    },
  },
  {
    name: "targets of HTTP",
    share: 1,
    seeds: ["/items/a?limit=20", "/items/%61%2e?limit=1&limit=2", "//items/..;/b", "/openapi.json"].map(
      bytesOf,
    ),
    read: (bytes) => answered(() => new Request(`http://service.example${textOf(bytes)}`)),
  },
  {
    name: "bodies of HTTP",
    share: 1,
    seeds: [bytesOf('{"count": 1, "kind": "a", "x": {"__proto__": [1, null]}}')],
    read: (bytes) =>
      answered(() => {
        const headers = { "content-type": "application/json" };
        const body = bytes.slice(0, bodyBytesMax + 1);
        return new Request("http://service.example/items", { method: "POST", headers, body });
      }),
  },
];

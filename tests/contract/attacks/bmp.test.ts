/**
 * What routers, and whoever else reaches the port, can send to the collector by BMP: a router that behaves is served
 * meanwhile, and its routes are in the table.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collector } from "../../../apps/peering/collector/collector.ts";
import { readCollectorConfig } from "../../../apps/peering/collector/config.ts";
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { announce, bgp, bmp, peer, peerUp, routes } from "../../run/route-bytes.ts";
import { until } from "../../run/until.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-bmp-attacks-"));
const sessionsMax = 8;
const stopping = new AbortController();
const logged: string[] = [];
let broker: Broker;
let collector: Collector;
let running: Promise<void>;
let port: number;

beforeAll(async () => {
  broker = await openBroker(`embedded:${join(folder, "broker")}`);
  const text = `collector: {state_dir: ${join(folder, "state")}, hold_sec: 3600}
bmp: {address: "127.0.0.1:0", routers: [127.0.0.0/8], sessions_max: ${sessionsMax}}
kafka: {brokers: "embedded:${folder}"}`;
  const config = readCollectorConfig({ name: "collector.yaml", text }, {});
  const log = jsonLog("collector", (line) => void logged.push(line));
  collector = new Collector({ config, broker, log, nowUs: () => BigInt(Date.now()) * 1000n });
  port = await collector.start();
  running = collector.run(stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await running;
  await collector[Symbol.asyncDispose]();
  await broker[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function from(address: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: address });
  socket.on("error", () => {});
  socket.setNoDelay(true);
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

const number = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, "0");
const hexOf = (text: string) => Buffer.from(text).toString("hex");
/** A TLV of an Initiation message: 1 = description, 2 = name. */
const tlv = (type: number, text: string) =>
  `${number(type, 2)}${number(Buffer.byteLength(text), 2)}${hexOf(text)}`;
/** The head that states this length. */
const headOf = (length: number, version = 3, type = 0) =>
  Buffer.from(`${number(version, 1)}${number(length, 4)}${number(type, 1)}`, "hex");
const random = Buffer.from(Array.from({ length: 1 << 20 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 24));
const manyPeers = Array.from({ length: 5000 }, (_, i) => {
  const own = peer.replace("c0000209", number(0x0a000000 + i, 4));
  return bmp(3, Buffer.from(peerUp).toString("hex").slice(12).replace(peer, own));
});
const hostileName = "edge\u001b[2J\u202e<img src=x>\r\nvantage: all is well\u0000";

type Send = (socket: Socket) => Promise<void> | void;
const bytes =
  (...given: Uint8Array[]): Send =>
  (socket) =>
    void socket.write(Buffer.concat(given));
const slowly =
  (message: Uint8Array, size: number): Send =>
  async (socket) => {
    for (let at = 0; at < message.length; at += size) {
      if (!socket.write(message.subarray(at, at + size))) {
        await new Promise((resolve) => socket.once("drain", resolve));
      }
    }
  };

const attacks: readonly (readonly [what: string, send: Send])[] = [
  ["nothing", () => {}],
  ["half a head", bytes(headOf(100).subarray(0, 3))],
  ["version 2", bytes(headOf(48, 2))],
  ["version 255", bytes(headOf(48, 255))],
  ["length 0", bytes(headOf(0))],
  ["length 5", bytes(headOf(5))],
  ["length 256 KiB and one", bytes(headOf(262_145))],
  ["length 4 GiB", bytes(headOf(0xffffffff))],
  ["a TLS hello", bytes(Buffer.from("16030100a5010000a10303", "hex"), random.subarray(0, 160))],
  ["a request of HTTP", bytes(Buffer.from("GET / HTTP/1.1\r\nHost: collector\r\n\r\n"))],
  ["a megabyte of zeros", bytes(new Uint8Array(1 << 20))],
  ["a megabyte of noise", bytes(random)],
  ["10,000 messages of an unknown type", bytes(...Array.from({ length: 10_000 }, () => bmp(250, "")))],
  ["heads alone, of each type", bytes(...Array.from({ length: 7 }, (_, type) => bmp(type, "")))],
  ["a message that is never finished", bytes(headOf(262_144), random.subarray(0, 1000))],
  [
    "a message of 256 KiB, 16 bytes at a time",
    slowly(Buffer.concat([headOf(262_144, 3, 6), random.subarray(6, 262_144)]), 16),
  ],
  ["a peer whose OPENs are cut off", bytes(bmp(3, `${peer}${"00".repeat(20)}ffff`))],
  ["a peer whose OPENs are noise", bytes(bmp(3, `${peer}${random.subarray(0, 400).toString("hex")}`))],
  ["routes of a peer that is not up", bytes(routes(announce(9)).fill(0xee, 20, 32))],
  ["5,000 peers of one router", bytes(...manyPeers)],
  [
    "an UPDATE whose attributes are longer than it",
    bytes(peerUp, routes(bgp("", "", "").replace(/0000$/, "ffff"))),
  ],
  [
    "a prefix of 255 bits",
    bytes(peerUp, routes(bgp("", "4001010040020602010000fbf4400304c0000209", `ff${"01".repeat(32)}`))),
  ],
  [
    "an AS path of 60,000 bytes",
    bytes(peerUp, routes(bgp("", `5002${number(60_000, 2)}${"02010000fbf4".repeat(10_000)}`, "18c63309"))),
  ],
  ["an UPDATE of noise", bytes(peerUp, routes(bgp("", random.subarray(0, 2000).toString("hex"), "")))],
  [
    "a name that drives terminals and forges lines",
    bytes(bmp(4, `${tlv(2, hostileName)}${tlv(1, hostileName)}`)),
  ],
  ["a name of 60,000 characters", bytes(bmp(4, tlv(2, "x".repeat(60_000))))],
  ["a name longer than its message", bytes(bmp(4, `0002ffff${hexOf("edge")}`))],
  ["4 billion statistics", bytes(peerUp, bmp(1, `${peer}ffffffff`))],
  ["the end, and then more", bytes(bmp(5, "0001000200ff"), peerUp, routes(announce(8)))],
  ["a peer that goes down for an unknown reason", bytes(peerUp, bmp(2, `${peer}ff`))],
];

let third = 20;

/** A router that behaves announces a prefix, which is then in the table. */
async function mustServe(address: string): Promise<void> {
  const honest = await from(address);
  const number = third++;
  honest.write(Buffer.concat([peerUp, routes(announce(number))]));
  const prefix = parsePrefix(`198.51.${number}.0/24`);
  await until(() => prefix !== null && collector.table.exact(prefix).length === 1);
  honest.destroy();
}

test.each(attacks)("%s", async (_what, send) => {
  const attacker = await from("127.0.0.66");
  await send(attacker);
  await mustServe("127.0.0.2");
  attacker.destroy();
  await until(() => collector.station.sessions.length === 0);
  // Nothing that a router says is in the log as it is.
  for (const raw of ["\u001b", "\u202e", "<img src=x>\r\n"]) {
    expect(logged.join("")).not.toContain(raw);
  }
});

test("as many sessions as there may be, and 200 connections of one address", async () => {
  const held: Socket[] = [];
  for (let i = 0; i < sessionsMax - 1; i++) {
    held.push(await from(`127.0.1.${i + 1}`));
  }
  for (let i = 0; i < 200; i++) {
    held.push(await from("127.0.1.1"));
  }
  // One more address has a place, and each address has one only.
  await mustServe("127.0.0.2");
  await until(() => collector.station.sessions.length === sessionsMax - 1);
  const last = await from("127.0.0.3");
  await until(() => collector.station.sessions.length === sessionsMax);
  const refused = collector.station.counts.refused;
  await from("127.0.0.4");
  await until(() => collector.station.counts.refused > refused);
  for (const one of [...held, last]) {
    one.destroy();
  }
  await until(() => collector.station.sessions.length === 0);
});

/**
 * Many BGP peers in one process: each says who it is, announces one prefix, and throws away what it receives. Run in a
 * namespace; a peer is a JSON line on standard input, and a line on standard output says how many sessions are up.
 */
import { createConnection, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { announce, keepalive, open } from "../../lab/exchange/bgp-message.ts";

export interface LightPeer {
  readonly asn: number;
  readonly source: string;
  readonly prefix: string;
}

/** BIRD's queue of those who dial is short. */
const dialsAtOnce = 8;
const retryMs = 500;
const keepaliveMs = 20_000;
const holdSec = 240;
const exchange = { port: 179, host: "100.64.0.1" };

const waiting: LightPeer[] = [];
const sessions = new Set<Socket>();
let dialling = 0;

function next(): void {
  while (dialling < dialsAtOnce) {
    const peer = waiting.shift();
    if (peer === undefined) {
      return;
    }
    dialling++;
    dial(peer);
  }
}

function dial(peer: LightPeer): void {
  const { asn, source, prefix } = peer;
  const socket = createConnection({ ...exchange, localAddress: source });
  let isUp = false;
  socket.on("connect", () => socket.write(open({ asn, routerId: source, holdSec })));
  socket.on("data", () => {
    if (!isUp) {
      isUp = true;
      dialling--;
      sessions.add(socket);
      socket.write(keepalive);
      socket.write(announce({ prefix, path: [asn], nextHop: source }));
      console.log(sessions.size);
      next();
    }
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    dialling -= isUp ? 0 : 1;
    sessions.delete(socket);
    setTimeout(() => {
      waiting.push(peer);
      next();
    }, retryMs);
  });
}

if (import.meta.main) {
  setInterval(() => {
    for (const socket of sessions) {
      socket.write(keepalive);
    }
  }, keepaliveMs);
  for await (const line of createInterface({ input: process.stdin })) {
    waiting.push(JSON.parse(line) as LightPeer);
    next();
  }
  process.exit();
}

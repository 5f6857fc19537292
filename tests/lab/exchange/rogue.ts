/**
 * A scripted BGP speaker: run in a namespace, a JSON order a line on standard input, a JSON event a
 * line on standard output. It takes routes and forgets them; it does not know route refresh.
 */
import { createConnection, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { announce, keepalive, messageType, open, withdraw } from "./bgp-message.ts";
import type { RogueEvent, RogueOrder } from "./rogue-order.ts";

const headerBytes = 19;
const sessions = new Map<number, Socket>();

function tell(event: RogueEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function connect({ session, exchange, source, opening }: RogueOrder & { kind: "open" }): void {
  const socket = createConnection({ port: 179, host: exchange, localAddress: source });
  sessions.set(session, socket);
  let rest = Buffer.alloc(0);
  let routes = 0;
  socket.on("connect", () => socket.write(open(opening)));
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= headerBytes && rest.length >= rest.readUInt16BE(16)) {
      const length = rest.readUInt16BE(16);
      const type = rest[18];
      if (type === messageType.open) {
        socket.write(keepalive);
      } else if (type === messageType.keepalive && routes++ === 0) {
        tell({ session, kind: "up" });
      } else if (type === messageType.notification) {
        tell({ session, kind: "notified", code: rest[19] ?? 0, subcode: rest[20] ?? 0 });
      }
      rest = rest.subarray(length);
    }
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    sessions.delete(session);
    tell({ session, kind: "closed" });
  });
}

function obey(order: RogueOrder): void {
  if (order.kind === "open") {
    connect(order);
    return;
  }
  const socket = sessions.get(order.session);
  if (order.kind === "silence") {
    sessions.delete(order.session);
    return;
  }
  if (order.kind === "close") {
    socket?.destroy();
    return;
  }
  for (const announcement of order.announce ?? []) {
    socket?.write(announce(announcement));
  }
  for (const prefix of order.withdraw ?? []) {
    socket?.write(withdraw(prefix));
  }
  for (const raw of order.raw ?? []) {
    socket?.write(Uint8Array.from(raw));
  }
}

setInterval(() => {
  for (const socket of sessions.values()) {
    socket.write(keepalive);
  }
}, 5000);
for await (const line of createInterface({ input: process.stdin })) {
  obey(JSON.parse(line) as RogueOrder);
}
process.exit();

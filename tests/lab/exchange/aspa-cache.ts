/**
 * An RTR server of version 2 (draft-ietf-sidrops-8210bis) with ASPA objects and nothing else. In the namespace of the
 * exchange: `bun aspa-cache.ts PORT FILE`; the file is JSON, `[[customer, [provider, …]], …]`, and is read once a
 * second.
 */
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";

const version = 2;
const pdu = { notify: 0, serialQuery: 1, resetQuery: 2, response: 3, endOfData: 7, reset: 8, aspa: 11 };
const session = 7;

function message(type: number, field: number, ...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 + 4 * words.length);
  bytes.writeUInt8(version, 0);
  bytes.writeUInt8(type, 1);
  bytes.writeUInt16BE(field, 2);
  bytes.writeUInt32BE(bytes.length, 4);
  for (const [i, word] of words.entries()) {
    bytes.writeUInt32BE(word, 8 + 4 * i);
  }
  return bytes;
}

/** Flags 1: it is announced. They are the first byte of the field. */
const announced = 1 << 8;

const [, , port = "", file = ""] = process.argv;
const routers = new Set<Socket>();
let serial = 1;
let text = readFileSync(file, "utf8");

function whole(): Buffer {
  const objects = JSON.parse(text) as [number, number[]][];
  return Buffer.concat([
    message(pdu.response, session),
    ...objects.map(([customer, providers]) => message(pdu.aspa, announced, customer, ...providers)),
    message(pdu.endOfData, session, serial, 900, 5, 7200),
  ]);
}

createServer((router) => {
  routers.add(router);
  router.on("close", () => routers.delete(router)).on("error", () => router.destroy());
  router.on("data", (query) => {
    // A router sends one query at a time, in one packet on the loopback.
    if (query[1] === pdu.resetQuery) {
      router.write(whole());
    } else if (query[1] === pdu.serialQuery) {
      router.write(message(pdu.reset, 0));
    }
  });
}).listen(Number(port), "127.0.0.1");

setInterval(() => {
  const now = readFileSync(file, "utf8");
  if (now !== text) {
    text = now;
    serial++;
    for (const router of routers) {
      router.write(message(pdu.notify, session, serial));
    }
  }
}, 1000);

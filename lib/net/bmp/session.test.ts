import { expect, test } from "bun:test";
import { formatAddress } from "../ip/address.ts";
import { formatPrefix } from "../ip/prefix.ts";
import { bmpMessages } from "./messages.ts";
import { BmpSession } from "./session.ts";

const hex = (number: number, bytes: number) => number.toString(16).padStart(2 * bytes, "0");

function message(type: number, body: string): Uint8Array {
  return Uint8Array.fromHex(`03${hex(6 + body.length / 2, 4)}${hex(type, 1)}${body}`);
}

/** A peer 192.0.2.9 of AS 64500. */
function peer({ type = 0, flags = 0, timeSec = 1_700_000_000 } = {}): string {
  const address = `${"00".repeat(12)}c0000209`;
  const times = `${hex(timeSec, 4)}${hex(5, 4)}`;
  return `${hex(type, 1)}${hex(flags, 1)}${"00".repeat(8)}${address}${hex(64_500, 4)}0a000001${times}`;
}

const marker = "ff".repeat(16);
/** ORIGIN, AS_PATH, NEXT_HOP: routes without them are malformed (RFC 7606 s.3 d). */
const mandatory = `40010100400206020100${hex(64_500, 3)}400304c0000209`;

function update(announced: string, more = ""): string {
  const attributes = `${mandatory}${more}`;
  const size = 23 + (attributes.length + announced.length) / 2;
  return `${marker}${hex(size, 2)}020000${hex(attributes.length / 2, 2)}${attributes}${announced}`;
}

/** With a capability of several paths to a prefix of IPv4: 1 = takes, 2 = sends, 3 = both. */
function open(paths: number): string {
  const capabilities = `4104${hex(64_500, 4)}4504000101${hex(paths, 1)}`;
  const parameters = `02${hex(capabilities.length / 2, 1)}${capabilities}`;
  const body = `04${hex(64_500, 2)}00b40a000001${hex(parameters.length / 2, 1)}${parameters}`;
  return `${marker}${hex(19 + body.length / 2, 2)}01${body}`;
}

const peerUp = (sent: number, received: number) =>
  message(3, `${peer()}${"00".repeat(16)}00b3c000${open(sent)}${open(received)}`);

test("routes name the peer, its table and the router's time", () => {
  const session = new BmpSession();
  const tables = [
    peer(),
    peer({ flags: 0x40 }),
    peer({ flags: 0x10 }),
    peer({ flags: 0x50 }),
    peer({ type: 3 }),
  ].map((head) => session.take(message(0, `${head}${update("18c63364")}`))[0]);
  expect(tables.map((event) => event?.peer.table)).toEqual([
    "in",
    "in-post-policy",
    "out",
    "out-post-policy",
    "local",
  ]);
  const [first] = tables;
  expect(first?.timeUs).toBe(1_700_000_000_000_005n);
  expect(first?.peer).toMatchObject({ asn: 64_500, routerId: "10.0.0.1" });
  expect(formatAddress(first?.peer.address ?? new Uint8Array(16))).toBe("192.0.2.9");
  expect(session.take(message(0, `${peer({ timeSec: 0 })}${update("18c63364")}`))[0]?.timeUs).toBeNull();
});

test.each([
  ["one takes and the other sends", 1, 2, 7],
  ["both do both", 3, 3, 7],
  ["the router does not take them", 2, 2, null],
  ["the peer does not send them", 3, 1, null],
])("path ids are read where %s", (_, sent, received, pathId) => {
  const session = new BmpSession();
  expect(session.take(peerUp(sent, received)).map(({ kind }) => kind)).toEqual(["peer-up"]);
  const nlri = pathId === null ? "18c63364" : "0000000718c63364";
  const [event] = session.take(message(0, `${peer()}${update(nlri)}`));
  expect([event?.route?.pathId, event?.route && formatPrefix(event.route.prefix)]).toEqual([
    pathId,
    "198.51.100.0/24",
  ]);
  // What was agreed on ends with the session.
  expect(session.take(message(2, `${peer()}01`)).map(({ kind }) => kind)).toEqual(["peer-down"]);
  expect(session.take(message(0, `${peer()}${update("18c63364")}`))[0]?.route?.pathId).toBeNull();
});

test("a router says its name; statistics and copies are passed over", () => {
  const session = new BmpSession();
  expect(session.take(message(4, "0002000372743100010002786f"))).toEqual([]);
  expect(session.name).toBe("rt1");
  expect([session.take(message(1, peer())), session.take(message(6, peer()))]).toEqual([[], []]);
});

test.each([
  ["an unknown type", message(9, ""), "a message of type 9"],
  ["half a head", message(0, "00".repeat(9)), "the head of a peer has 9 of 42 bytes"],
  [
    "a peer of an unknown type",
    message(0, `${peer({ type: 4 })}${update("")}`),
    "a peer of the unknown type 4",
  ],
  ["no UPDATE", message(0, `${peer()}${open(3)}`), "a message of routes has no whole UPDATE"],
  ["no OPEN", message(3, `${peer()}${"00".repeat(20)}`), "a peer that is up has no OPEN at byte 20"],
])("a message with %s is refused", (_, bytes, reason) => {
  expect(() => new BmpSession().take(bytes)).toThrow(new RangeError(reason));
});

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

test("a stream is cut into its messages, whatever its pieces are", async () => {
  const all = [peerUp(1, 2), message(0, `${peer()}${update("18c63364")}`), message(5, "")];
  for (const size of [1, 5, 6, 7, 100, 10_000]) {
    const found: string[] = [];
    for await (const some of bmpMessages(inPieces(Buffer.concat(all), size))) {
      found.push(...some.map((one) => one.toHex()));
    }
    expect(found).toEqual(all.map((one) => one.toHex()));
  }
});

test("a stream that is not BMP, or ends within a message, is refused", async () => {
  const read = (bytes: Uint8Array) => Array.fromAsync(bmpMessages(inPieces(bytes, 100)));
  await expect(read(Buffer.from("GET / HTTP/1.1"))).rejects.toThrow("no message of BMP 3: version 71");
  await expect(read(Uint8Array.fromHex("03ffffffff00"))).rejects.toThrow("length 4294967295");
  await expect(read(message(5, "0000").subarray(0, 7))).rejects.toThrow("the stream ends within a message");
});

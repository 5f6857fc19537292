/** BMP of a router with full tables: prefixes that share attributes, and different paths, as at an exchange. */

/** As a full table has: some four prefixes of a /16 share their attributes. */
export const prefixesPerUpdate = 4;
const ways = 30_000;

/** The prefix `10.0.0.0 + 256 index` of 24 bits, of the 4 million from 1.0.0.0 on. */
function prefixBytes(index: number): readonly number[] {
  const at = 0x01_0000 + index;
  return [24, at >>> 16, (at >>> 8) & 0xff, at & 0xff];
}

/** The address of a peer: 192.0.2.N. */
function peerHead(peer: number): Buffer {
  const head = Buffer.alloc(42);
  head.set([0xc0, 0, 2, peer], 22);
  head.writeUInt32BE(64_500 + peer, 26);
  head.set([10, 0, 0, peer], 30);
  head.writeUInt32BE(1_700_000_000, 34);
  return head;
}

/** AS paths of three to six, communities of two kinds, by the number of the way. */
function attributesOf(peer: number, way: number): Buffer {
  const path = [
    64_500 + peer,
    3000 + (way % 50),
    10_000 + (way % 7000),
    ...Array<number>(way % 4).fill(200_000 + way),
  ];
  const asPath = Buffer.alloc(2 + 4 * path.length);
  asPath.set([2, path.length]);
  for (const [i, asn] of path.entries()) {
    asPath.writeUInt32BE(asn, 2 + 4 * i);
  }
  const communities = Buffer.alloc(8);
  communities.writeUInt32BE((3000 + (way % 50)) * 65_536 + (way % 100));
  communities.writeUInt32BE(64_500 * 65_536 + peer, 4);
  return Buffer.concat([
    Buffer.from([0x40, 1, 1, 0, 0x40, 2, asPath.length]),
    asPath,
    Buffer.from([0x40, 3, 4, 192, 0, 2, peer, 0xc0, 8, 8]),
    communities,
  ]);
}

/** The UPDATE of these prefixes, by `way`. */
export function updateMessage(peer: number, first: number, count: number, way: number): Buffer {
  const attributes = attributesOf(peer, way % ways);
  const prefixes = Buffer.from(Array.from({ length: count }, (_, i) => prefixBytes(first + i)).flat());
  const head = Buffer.alloc(23, 0xff);
  head.writeUInt16BE(23 + attributes.length + prefixes.length, 16);
  head.set([2, 0, 0], 18);
  head.writeUInt16BE(attributes.length, 21);
  return Buffer.concat([head, attributes, prefixes]);
}

/** Route monitoring (RFC 7854 s.4.6) of such an UPDATE. */
export function bmpMessage(peer: number, update: Buffer): Buffer {
  const head = Buffer.alloc(6);
  head[0] = 3;
  head.writeUInt32BE(6 + 42 + update.length, 1);
  return Buffer.concat([head, peerHead(peer), update]);
}

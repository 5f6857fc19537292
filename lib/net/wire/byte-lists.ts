/** Addresses and texts: the byte lists in our messages. */
import { type Address, addressBytes } from "../ip/address.ts";
import { elementByte, type MessageReader } from "./message-reader.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A copy of the address behind pointer `index` of the root struct; see `readAddressInto`. */
export function readAddress(reader: MessageReader, index: number): Address {
  const address = new Uint8Array(addressBytes);
  readAddressInto(reader, index, address, 0);
  return address;
}

/**
 * Copies an address to 16 bytes of `target`: 16 bytes as they are, 4 bytes mapped, an absent one as `::`.
 *
 * Any other length is refused as `addressLength`, and gives `::`.
 */
export function readAddressInto(reader: MessageReader, index: number, target: Uint8Array, at: number): void {
  target.fill(0, at, at + addressBytes);
  openBytes(reader, index);
  if (reader.listCount === 4) {
    target.fill(0xff, at + 10, at + 12);
  } else if (reader.listCount !== addressBytes) {
    if (reader.listCount !== 0) {
      reader.fail("addressLength");
    }
    return;
  }
  const first = at + addressBytes - reader.listCount;
  for (let i = 0; i < reader.listCount; i++) {
    target[first + i] = reader.bytes[reader.listAt + i] ?? 0;
  }
}

/**
 * The text behind pointer `index` of the root struct; an absent one is empty.
 *
 * Refused as `text`: more than `bytesMax` bytes, no NUL at the end, not UTF-8.
 */
export function readText(reader: MessageReader, index: number, bytesMax: number): string {
  openBytes(reader, index);
  // A present text has its NUL even when it is empty.
  if (reader.listCount === 0) {
    return "";
  }
  const end = reader.listAt + reader.listCount - 1;
  if (reader.listCount > bytesMax + 1 || reader.bytes[end] !== 0) {
    reader.fail("text");
    return "";
  }
  try {
    // A copy, because shared memory cannot be decoded in place.
    return utf8.decode(reader.bytes.slice(reader.listAt, end));
  } catch {
    reader.fail("text");
    return "";
  }
}

function openBytes(reader: MessageReader, index: number): void {
  reader.openList(index);
  if (reader.listElement !== elementByte) {
    reader.fail("listElement");
    reader.listCount = 0;
  }
}

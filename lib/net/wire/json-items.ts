/**
 * Reads a JSON object from a stream of bytes, one item of one of its arrays at a time, in constant memory.
 *
 * `{"metadata": …, "probes": [ITEM, ITEM, …]}`: the text of each item of the array is passed on as it arrives; every
 * other member is kept as text, up to a limit, and parsed at the end. The text between values is checked here, and the
 * values by their parsers, so invalid JSON never passes.
 */
import { jsonExcess, jsonExcessText } from "./json-bounds.ts";
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  isBlank,
  isCloser,
  openBrace,
  openBracket,
  quote,
} from "./json-bytes.ts";
import { JsonValueEnd } from "./json-value-end.ts";

interface JsonItemsOrder {
  /** Member whose items are passed on. */
  readonly member: string;
  /** Bytes of one item. */
  readonly itemBytesMax: number;
  /** Bytes of all other members together. */
  readonly restBytesMax: number;
  /** `text` is valid only until the call returns; `index` counts from 0. */
  readonly onItem: (text: Uint8Array, index: number) => void;
  /** Tried first: reads the array at `from` itself, and returns where it ends; -1 = use `onItem`. */
  readonly plainItem?: (chunk: Uint8Array, from: number, index: number) => number;
}

/** The text without the items. */
interface JsonRest {
  /** Values of the other members. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether the member was an array; any other value of it is in `members`. */
  readonly hasItems: boolean;
}

/** The text is not JSON, or exceeds a limit. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

type Expected =
  | "object"
  | "nameOrEnd"
  | "name"
  | "colon"
  | "value"
  | "commaOrEnd"
  | "item"
  | "itemOrEnd"
  | "end";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `push` each chunk, then `finish` once. Both throw JsonSyntaxError. */
export class JsonItemsReader {
  readonly #order: JsonItemsOrder;
  /** Without a prototype: a member may have any name. */
  readonly #members: Record<string, unknown> = Object.create(null);
  #expected: Expected = "object";
  #name = "";
  #isInItems = false;
  #hasItems = false;
  #items = 0;
  #restBytes = 0;
  #position = 0;
  /** The start of a token that continues in the next chunk. */
  #carry = new Uint8Array(1024);
  #carried = 0;
  readonly #end = new JsonValueEnd();
  #isToken = false;

  constructor(order: JsonItemsOrder) {
    this.#order = order;
  }

  push(chunk: Uint8Array): void {
    let tokenAt = 0;
    let at = 0;
    while (at < chunk.length) {
      if (!this.#isToken) {
        at = this.#plainItems(chunk, at);
        if (at === chunk.length) {
          break;
        }
        const byte = chunk[at] ?? 0;
        tokenAt = at++;
        if (isBlank(byte) || this.#mark(byte, tokenAt)) {
          continue;
        }
        this.#isToken = true;
        this.#end.start(byte);
      }
      const end = this.#end.in(chunk, at);
      if (end < 0) {
        break;
      }
      this.#endToken(chunk, tokenAt, end);
      at = end;
    }
    if (this.#isToken) {
      this.#keep(chunk.subarray(tokenAt));
    }
    this.#position += chunk.length;
  }

  finish(): JsonRest {
    if (this.#isToken || this.#expected !== "end") {
      throw new JsonSyntaxError(`The JSON ends too early, after ${this.#position} bytes`);
    }
    return { members: this.#members, hasItems: this.#hasItems };
  }

  /** Takes consecutive plain items; returns the offset of anything else. */
  #plainItems(chunk: Uint8Array, from: number): number {
    const { plainItem } = this.#order;
    let at = from;
    while (
      plainItem !== undefined &&
      chunk[at] === openBracket &&
      (this.#expected === "item" || this.#expected === "itemOrEnd")
    ) {
      const end = plainItem(chunk, at, this.#items);
      if (end < 0) {
        break;
      }
      this.#items++;
      const isMore = chunk[end] === comma;
      this.#expected = isMore ? "item" : "commaOrEnd";
      at = isMore ? end + 1 : end;
    }
    return at;
  }

  /** Takes a byte of punctuation between values; false when a name or a value starts instead. */
  #mark(byte: number, at: number): boolean {
    const next = this.#after(byte);
    if (next !== null) {
      this.#expected = next;
      return true;
    }
    const startsName = byte === quote && (this.#expected === "nameOrEnd" || this.#expected === "name");
    const startsValue =
      this.#expected === "item" || this.#expected === "itemOrEnd" || this.#expected === "value";
    if (!startsName && (!startsValue || isCloser(byte) || byte === comma || byte === colon)) {
      throw new JsonSyntaxError(`Unexpected ${shown(byte)} in JSON at byte ${this.#position + at}`);
    }
    return false;
  }

  #after(byte: number): Expected | null {
    switch (this.#expected) {
      case "object":
        return byte === openBrace ? "nameOrEnd" : null;
      case "nameOrEnd":
        return byte === closeBrace ? "end" : null;
      case "colon":
        return byte === colon ? "value" : null;
      case "value":
        return byte === openBracket ? this.#startItems() : null;
      case "itemOrEnd":
        return byte === closeBracket ? this.#endItems() : null;
      case "commaOrEnd":
        return this.#afterValue(byte);
      default:
        return null;
    }
  }

  #afterValue(byte: number): Expected | null {
    if (byte === comma) {
      return this.#isInItems ? "item" : "name";
    }
    if (this.#isInItems) {
      return byte === closeBracket ? this.#endItems() : null;
    }
    return byte === closeBrace ? "end" : null;
  }

  /** Null when the array that starts is not the one whose items are passed on. */
  #startItems(): Expected | null {
    if (this.#name !== this.#order.member) {
      return null;
    }
    if (this.#hasItems) {
      throw new JsonSyntaxError(`"${this.#order.member}" is given twice`);
    }
    this.#isInItems = true;
    this.#hasItems = true;
    return "itemOrEnd";
  }

  #endItems(): Expected {
    this.#isInItems = false;
    return "commaOrEnd";
  }

  #endToken(chunk: Uint8Array, from: number, to: number): void {
    this.#isToken = false;
    let text = chunk.subarray(this.#carried > 0 ? 0 : from, to);
    if (this.#carried > 0) {
      this.#keep(text);
      text = this.#carry.subarray(0, this.#carried);
    }
    this.#take(text);
    this.#carried = 0;
  }

  #take(text: Uint8Array): void {
    if (this.#isInItems) {
      this.#checkSize(text.length, this.#order.itemBytesMax);
      this.#order.onItem(text, this.#items++);
      this.#expected = "commaOrEnd";
      return;
    }
    this.#restBytes += text.length;
    this.#checkSize(this.#restBytes, this.#order.restBytesMax);
    const value = parsed(text);
    if (this.#expected === "value") {
      this.#members[this.#name] = value;
      this.#expected = "commaOrEnd";
    } else {
      this.#name = String(value);
      this.#expected = "colon";
    }
  }

  #keep(part: Uint8Array): void {
    const bytes = this.#carried + part.length;
    this.#checkSize(bytes, this.#isInItems ? this.#order.itemBytesMax : this.#order.restBytesMax);
    if (bytes > this.#carry.length) {
      const larger = new Uint8Array(2 * bytes);
      larger.set(this.#carry.subarray(0, this.#carried));
      this.#carry = larger;
    }
    this.#carry.set(part, this.#carried);
    this.#carried = bytes;
  }

  #checkSize(bytes: number, bytesMax: number): void {
    if (bytes > bytesMax) {
      const what = this.#isInItems
        ? `Item ${this.#items} of "${this.#order.member}"`
        : "The rest of the JSON";
      throw new JsonSyntaxError(`${what} has more than ${bytesMax} bytes`);
    }
  }
}

function shown(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte ${byte}`;
}

function parsed(text: Uint8Array): unknown {
  const excess = jsonExcess(text);
  if (excess !== null) {
    throw new JsonSyntaxError(jsonExcessText[excess]);
  }
  try {
    return JSON.parse(utf8.decode(text));
  } catch (cause) {
    throw new JsonSyntaxError("A value is not JSON", { cause });
  }
}

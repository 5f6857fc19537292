/** Messages that are not replies, as rows of `measure.from_broker` with `_error`: a view sets them aside. */
import { rejectedBytesMax } from "./limits.ts";
import { ByteBuffer, NativeRows } from "./native-block.ts";

interface RejectedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly reason: string;
  readonly bytes: Uint8Array;
}

const utf8 = new TextEncoder();

export class RejectedBlock extends NativeRows {
  readonly #topic = new ByteBuffer();
  readonly #partition = new ByteBuffer();
  readonly #offset = new ByteBuffer();
  readonly #error = new ByteBuffer();
  readonly #raw = new ByteBuffer();
  protected readonly columns = [
    { name: "_topic", type: "String", data: [this.#topic] },
    { name: "_partition", type: "UInt64", data: [this.#partition] },
    { name: "_offset", type: "UInt64", data: [this.#offset] },
    { name: "_error", type: "String", data: [this.#error] },
    { name: "_raw_message", type: "String", data: [this.#raw] },
  ];

  /** Only the first `rejectedBytesMax` bytes are kept. */
  add({ topic, partition, offset, reason, bytes }: RejectedRecord): void {
    this.#topic.text(utf8.encode(topic));
    this.#partition.count(partition);
    this.#offset.u64(offset);
    this.#error.text(utf8.encode(reason));
    this.#raw.text(bytes.subarray(0, rejectedBytesMax));
    this.rows++;
  }
}

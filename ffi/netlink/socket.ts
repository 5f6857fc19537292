/** An rtnetlink socket: a request, then its replies up to the last one. */
import { check, libc, SystemError } from "../libc.ts";
import { afNetlink, sockCloexec, sockRaw, solSocket, soRcvtimeo } from "../linux-abi.ts";
import { messageFlag, messageType, netlinkRoute } from "./constants.ts";
import { decodeMessages, encodeMessage, type NetlinkMessage } from "./message.ts";

/** A dump arrives in chunks of at most 32 KiB. */
const receiveBytes = 65536;
/** The kernel replies at once; this only prevents a lost reply from hanging the caller. */
const receiveTimeoutSeconds = 2n;

export class NetlinkSocket implements Disposable {
  readonly #fd: number;
  readonly #buffer = new Uint8Array(receiveBytes);
  #sequence = 0;

  constructor() {
    this.#fd = check(
      libc().socket(afNetlink, sockRaw | sockCloexec, netlinkRoute),
      "open an rtnetlink socket",
    );
    const timeout = BigInt64Array.of(receiveTimeoutSeconds, 0n);
    check(
      libc().setsockopt(this.#fd, solSocket, soRcvtimeo, timeout, timeout.byteLength),
      "set the time limit of an rtnetlink socket",
    );
  }

  /** Replies to a request that returns one object; throws SystemError with the kernel's errno. */
  request(type: number, flags: number, parts: Uint8Array[]): NetlinkMessage[] {
    return this.#exchange(type, flags | messageFlag.request | messageFlag.acknowledge, parts);
  }

  /** All objects of a kind. Throws SystemError. */
  dump(type: number, parts: Uint8Array[]): NetlinkMessage[] {
    return this.#exchange(type, messageFlag.request | messageFlag.dump, parts);
  }

  [Symbol.dispose](): void {
    libc().close(this.#fd);
  }

  #exchange(type: number, flags: number, parts: Uint8Array[]): NetlinkMessage[] {
    const message = encodeMessage(type, flags, ++this.#sequence, parts);
    check(Number(libc().send(this.#fd, message, message.length, 0)), "send an rtnetlink request");
    const answers: NetlinkMessage[] = [];
    for (;;) {
      const size = Number(libc().recv(this.#fd, this.#buffer, this.#buffer.length, 0));
      for (const answer of decodeMessages(this.#buffer.subarray(0, check(size, "read an rtnetlink reply")))) {
        if (answer.type === messageType.done) {
          return answers;
        }
        if (answer.type === messageType.error) {
          throwUnlessAcknowledged(answer);
          return answers;
        }
        answers.push(answer);
      }
    }
  }
}

function throwUnlessAcknowledged(answer: NetlinkMessage): void {
  const code = new DataView(answer.body.buffer, answer.body.byteOffset).getInt32(0, true);
  if (code !== 0) {
    throw new SystemError("complete an rtnetlink request", -code);
  }
}

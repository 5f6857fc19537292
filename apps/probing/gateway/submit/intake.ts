/** Accepts the probes of one submission as they are read: valid ones go to the spool, others to the list of faults. */
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import { addressBytes } from "../../../../lib/net/ip/address.ts";
import { dnsPort } from "../../../../lib/net/packet/dns-question.ts";
import {
  dstPortOfProbe,
  isTcpProbe,
  probeMessageBytes,
  protocolOfProbe,
} from "../../../../lib/net/wire/probe-codec.ts";
import { protocolNumber } from "../../../../lib/net/wire/protocol-number.ts";
import { problemsShownMax, retryAfterSeconds } from "../limits.ts";
import type { DestinationReview } from "../safety/safety.ts";
import type { SpoolFolder } from "./spool-folder.ts";
import { SummarizedProbes } from "./summarized-probes.ts";

interface IntakeOrder {
  readonly spool: ProbeSpool;
  readonly folder: SpoolFolder;
  readonly review: DestinationReview;
  /** They ask name servers, and count as TCP does. */
  readonly isDns: boolean;
  readonly probesMax: number;
  /** The user's daily quota of probes; more cannot be accepted, so they are not read. */
  readonly probesPerDayMax: number;
}

/** Offset of the destination in a message. */
const destinationAt = probeMessageBytes - addressBytes;

interface Blocked {
  readonly index: number;
  readonly reason: string;
}

interface Fault {
  /** `probes.3`, `line 3`. */
  readonly path: string;
  readonly reason: string;
}

export class ProbeIntake {
  readonly #order: IntakeOrder;
  readonly #faults: Fault[] = [];
  #firstFault = "";
  #blocked: Blocked | null = null;
  #blockedCount = 0;
  #reviewed = 0;
  readonly #destination = new Uint8Array(addressBytes);
  readonly summarized = new SummarizedProbes();
  #hasTcp = false;
  #areQueries = true;
  /** Bytes reserved in the spool folder. */
  #bytesTaken = 0;

  constructor(order: IntakeOrder) {
    this.#order = order;
  }

  get probes(): number {
    return this.#order.spool.probes;
  }

  get hasTcp(): boolean {
    return this.#hasTcp;
  }

  /** All are UDP to port 53. */
  get areQueries(): boolean {
    return this.#areQueries;
  }

  get bytesTaken(): number {
    return this.#bytesTaken;
  }

  /** Adds messages of valid probes (lib/net/wire/probe-codec.ts) in order; their memory may be reused afterwards. */
  take(messages: Uint8Array): void {
    for (let at = destinationAt; at < messages.length; at += probeMessageBytes) {
      this.#review(messages, at);
    }
    if (this.#faults.length === 0) {
      this.#order.spool.appendMessages(messages);
    }
  }

  /** Reuses one buffer: there may be millions. */
  #review(messages: Uint8Array, at: number): void {
    for (let i = 0; i < addressBytes; i++) {
      this.#destination[i] = messages[at + i] ?? 0;
    }
    const message = at - destinationAt;
    this.summarized.take(messages, message);
    const isTcp = isTcpProbe(messages, message);
    this.#hasTcp ||= isTcp;
    const isQuery =
      protocolOfProbe(messages, message) === protocolNumber.udp &&
      dstPortOfProbe(messages, message) === dnsPort;
    this.#areQueries &&= isQuery;
    const reason = this.#order.review.check(this.#destination, isTcp || this.#order.isDns);
    if (reason !== null) {
      this.#blocked ??= { index: this.#reviewed, reason };
      this.#blockedCount++;
    }
    this.#reviewed++;
  }

  /** `message` contains the position, as existing clients show it to their users. */
  refuse(path: string, place: string, message: string): void {
    if (this.#faults.length === 0) {
      this.#firstFault = `${place}: ${message}`;
    }
    this.#faults.push({ path, reason: message });
    if (this.#faults.length >= problemsShownMax) {
      this.#throwFaults();
    }
  }

  /** Call it between chunks. Throws Problem when there is no room, or the body is too large. */
  checkSize(): void {
    const { folder, probesMax, probesPerDayMax } = this.#order;
    if (this.probes > probesMax) {
      throw problem(413, "too_many_probes", `More than ${probesMax} probes: split the measurement`);
    }
    if (this.probes > probesPerDayMax) {
      throw new Problem({
        status: 429,
        code: "quota_exceeded",
        message: "Daily probe limit exceeded",
        extra: { limit: probesPerDayMax },
      });
    }
    const bytes = this.probes * probeMessageBytes - this.#bytesTaken;
    if (!folder.take(bytes)) {
      throw noRoom("Too many probes wait for the broker");
    }
    this.#bytesTaken += bytes;
  }

  /** Call it after the last chunk. Throws Problem unless there are probes and all are valid. */
  finish(): void {
    if (this.#faults.length > 0) {
      this.#throwFaults();
    }
    if (this.#blocked !== null) {
      const { index, reason } = this.#blocked;
      throw new Problem({
        status: 422,
        code: "destination_blocked",
        message: `Probe at index ${index} must not be sent: ${reason}`,
        extra: { blocked_probes: this.#blockedCount, first_blocked_index: index },
      });
    }
    if (this.probes === 0) {
      throw problem(400, "no_probes", "Probe list cannot be empty");
    }
    this.checkSize();
  }

  /** Reviews the whole submission, given the number of agents that send it; null = accepted. */
  async review(targets: number): Promise<Problem | null> {
    const reason = await this.#order.review.finish(targets);
    return reason === null
      ? null
      : problem(422, "destination_cap", `The measurement must not be sent: ${reason}`);
  }

  #throwFaults(): never {
    throw new Problem({
      status: 400,
      code: "invalid_probe",
      message: `Probe validation failed: ${this.#firstFault}`,
      fields: this.#faults,
    });
  }
}

export function noRoom(message: string, headers: Readonly<Record<string, string>> = {}): Problem {
  return new Problem({
    status: 503,
    code: "no_room",
    message: `${message}; try again in ${retryAfterSeconds} s`,
    headers: { "retry-after": String(retryAfterSeconds), ...headers },
  });
}

/** How much the path of one target's first flow carries, once it has been traced: `vantage trace --mtu`. */
import { findLink } from "../../../ffi/netlink/link.ts";
import {
  type HopMtu,
  type MtuAnswer,
  type MtuProbe,
  MtuSearch,
} from "../../../lib/measuring/paths/mtu-search.ts";
import type { Path } from "../../../lib/measuring/paths/path.ts";
import { familyOf } from "../../../lib/net/ip/address.ts";
import { type Probe, sizeBytesMax, sizeBytesMin } from "../../../lib/net/packet/probe.ts";
import { answeringTtls, mtuAnswerOf } from "./mtu-answers.ts";
import type { Options } from "./options.ts";
import type { Ending, Outstanding } from "./outstanding.ts";
import type { Way } from "./session.ts";
import type { TraceTarget } from "./target.ts";

export class MtuProber {
  readonly #target: TraceTarget;
  readonly #options: Options;
  readonly #outstanding: Outstanding;
  readonly #way: Way;
  readonly #search: MtuSearch;
  #waiting: MtuProbe[];
  #inFlight = 0;
  #answers: (readonly [MtuProbe, MtuAnswer])[] = [];

  constructor(target: TraceTarget, path: Path, way: Way, options: Options, outstanding: Outstanding) {
    this.#target = target;
    this.#way = way;
    this.#options = options;
    this.#outstanding = outstanding;
    const family = familyOf(target.address);
    const linkBytes = findLink(target.interfaceName)?.mtuBytes ?? 0;
    // Loopback takes 65,536, one more than a packet's length can say.
    const largestBytes = Math.min(linkBytes, options.mtuBytesMax ?? sizeBytesMax, sizeBytesMax);
    this.#search = new MtuSearch(answeringTtls(path, options.firstTtl), sizeBytesMin[family], largestBytes);
    this.#waiting = this.#search.round();
  }

  /** Sends what is due; true when all is known. */
  step(): boolean {
    while (this.#waiting[0] !== undefined && this.#send(this.#waiting[0])) {
      this.#waiting.shift();
    }
    if (this.#waiting.length + this.#inFlight === 0 && this.#answers.length > 0) {
      this.#search.take(this.#answers);
      this.#answers = [];
      this.#waiting = this.#search.round();
    }
    return this.#waiting.length + this.#inFlight === 0;
  }

  hops(): readonly HopMtu[] {
    return this.#search.hops();
  }

  #send(asked: MtuProbe): boolean {
    const { address: dst, protocol } = this.#target;
    const { srcPort, dstPort, shape } = this.#options;
    const size = asked.sizeBytes === null ? {} : { sizeBytes: asked.sizeBytes };
    const probe: Probe = {
      ...{ dst, protocol, srcPort, dstPort, ttl: asked.ttl },
      shape: { ...shape, ...size, dontFragment: true },
    };
    const sent = this.#outstanding.send(this.#way.instance, probe, this.#way.source, (ending) => {
      this.#inFlight--;
      this.#answers.push([asked, answerOf(ending)]);
    });
    this.#inFlight += sent ? 1 : 0;
    return sent;
  }
}

function answerOf(ending: Ending): MtuAnswer {
  return typeof ending === "string" ? { kind: "lost" } : mtuAnswerOf(ending.reply);
}

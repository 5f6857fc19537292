/** Limits of callers without a login, per address and in total, so that users have priority. */
import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { callerAddress } from "../../../../lib/engines/http/caller.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { isIpv4, parseAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix, prefixOf } from "../../../../lib/net/ip/prefix.ts";
import type { ProbingGatewayConfig } from "../config.ts";
import { UserPace } from "../safety/user-pace.ts";

/** Prefix length in the 128 bits of an IPv6 address that one network has: its hosts choose the rest. */
const networkBits = 64;

export class Strangers {
  readonly #config: Pick<ProbingGatewayConfig, "limits">;
  readonly #paces = new UserPace();
  readonly #all = new UserPace();

  constructor(config: Pick<ProbingGatewayConfig, "limits">) {
    this.#config = config;
  }

  /** Identifies a caller: by IPv4 address or IPv6 /64; all callers without a known address count as one. */
  nameOf(c: Context<HttpEnv>): string {
    const text = callerAddress(c);
    const address = text === null ? null : parseAddress(text);
    if (address === null) {
      return "unknown";
    }
    return isIpv4(address) ? `${text}` : formatPrefix(prefixOf(address, networkBits));
  }

  /** 429 with `Retry-After` beyond the requests of a minute. */
  admit(): MiddlewareHandler<HttpEnv> {
    const { publicRequestsPerMinute: ofOne, publicRequestsPerMinuteAll: ofAll } = this.#config.limits;
    return async (c, next) => {
      const nowMs = performance.now();
      // A caller over its own limit does not use up the total.
      const waitSec =
        this.#paces.request(this.nameOf(c), { requestsPerMinute: ofOne, probesPerSec: null }, nowMs) ||
        this.#all.request("all", { requestsPerMinute: ofAll, probesPerSec: null }, nowMs);
      if (waitSec > 0) {
        throw new Problem({
          status: 429,
          code: "too_many_requests",
          message: `Too many requests without a login; try again in ${waitSec} s, or log in`,
          headers: { "retry-after": String(waitSec) },
        });
      }
      await next();
    };
  }
}

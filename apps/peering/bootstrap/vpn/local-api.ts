/**
 * tailscaled's own HTTP service on its unix socket (tested with 1.94.1): who is in the VPN, and which prefixes this
 * device offers to carry. Neither the `tailscale` command nor a container engine is needed.
 */
import * as v from "valibot";
import { boundedBody } from "../../../../lib/base/api/bounded-body.ts";
import { Failure } from "../../../../lib/base/failure/failure.ts";
import { vpnAnswerBytesMax, vpnAnswerMsMax } from "../limits.ts";
import { type VpnStatus, vpnStatus } from "./vpn-status.ts";

/** It refuses requests for any other host: a web page must not be able to reach it. */
const base = "http://local-tailscaled.sock/localapi/v0";

const prefsAnswer = v.object({
  AdvertiseRoutes: v.nullish(v.array(v.string()), []),
  NoSNAT: v.optional(v.boolean(), false),
  RouteAll: v.optional(v.boolean(), false),
});

interface VpnSettings {
  /** Prefixes that this device offers, by any setting. */
  readonly offers: readonly string[];
  /** Packets that pass through get this device's own address as their source. */
  readonly rewritesSources: boolean;
  /** Takes the routes that others offer. */
  readonly acceptsRoutes: boolean;
}

export class LocalApi {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Throws Failure `vpn`. */
  async status(): Promise<VpnStatus> {
    return this.#read("/status", vpnStatus);
  }

  /** Throws Failure `vpn`. */
  async settings(): Promise<VpnSettings> {
    const { AdvertiseRoutes, NoSNAT, RouteAll } = await this.#read("/prefs", prefsAnswer);
    return { offers: AdvertiseRoutes ?? [], rewritesSources: !NoSNAT, acceptsRoutes: RouteAll };
  }

  /** Offers exactly these, and changes no other setting. Throws Failure `vpn`. */
  async advertise(routes: readonly string[]): Promise<void> {
    const body = JSON.stringify({ AdvertiseRoutes: routes, AdvertiseRoutesSet: true });
    await this.#read("/prefs", v.unknown(), { method: "PATCH", body });
  }

  async #read<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    request: { readonly method?: string; readonly body?: string } = {},
  ): Promise<v.InferOutput<Schema>> {
    const read = v.safeParse(schema, await this.#ask(path, request));
    if (!read.success) {
      const [issue] = read.issues;
      const form = `${v.getDotPath(issue) ?? "as a whole"}: ${issue.message}`;
      throw this.#failure("badAnswer", `it answers ${path} in another form (${form}); is it tailscaled?`);
    }
    return read.output;
  }

  async #ask(path: string, request: { readonly method?: string; readonly body?: string }): Promise<unknown> {
    const response = await fetch(`${base}${path}`, {
      ...request,
      unix: this.#socket,
      redirect: "error",
      signal: AbortSignal.timeout(vpnAnswerMsMax),
    }).catch((cause: unknown) => {
      throw this.#failure("unreachable", "does it run, and is its socket there?", cause);
    });
    const tooLong = () => this.#failure("badAnswer", `its answer is longer than ${vpnAnswerBytesMax} bytes`);
    const text = (await boundedBody(response, vpnAnswerBytesMax, tooLong)).toString();
    if (!response.ok) {
      const said = text.slice(0, 200).trim();
      const advice = response.status === 403 ? "; run as root, or as tailscaled's operator" : "";
      throw this.#failure("badAnswer", `it refuses ${path} with ${response.status}: ${said}${advice}`);
    }
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw this.#failure("badAnswer", `it answers ${path} with no JSON; is it tailscaled?`, cause);
    }
  }

  #failure(code: "unreachable" | "badAnswer", why: string, cause?: unknown): Failure<"vpn"> {
    return new Failure("vpn", code, `Cannot ask tailscaled at ${this.#socket}: ${why}`, { cause });
  }
}

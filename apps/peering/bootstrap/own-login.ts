/**
 * The service's own login at the gateway, where no one runs `vantage login`: the status page shows link and code.
 *
 * It is kept as `vantage login` keeps it, so that commands with the same settings folder use it too. When it ends, the
 * page asks for the next one.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { DevicePrompt } from "../../../lib/engines/gateway-client/issuer.ts";
import { logIn } from "../../../lib/engines/gateway-client/log-in.ts";
import { profileNameOf } from "../../../lib/engines/gateway-client/profile.ts";
import { Profiles } from "../../../lib/engines/gateway-client/profiles.ts";
import { StoredToken } from "../../../lib/engines/gateway-client/stored-token.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { GatewayLogin } from "./gateway-login.ts";
import { loginEveryMs } from "./limits.ts";

/** Who uses the login. */
interface LoginUser {
  readonly parts: { readonly log: Logger };
  /** Never rejects: a failure is shown. */
  attempt(part: "login", work: () => Promise<void>): Promise<void>;
  /** Something is new at the gateway. */
  hurry(): void;
}

export class OwnLogin {
  /** What the user is to do; null = nothing, or not known yet. */
  prompt: DevicePrompt | null = null;
  readonly #address: string;
  readonly #name: string;
  readonly #profiles: Profiles;

  constructor(address: string, settingsFolder: string) {
    this.#address = address;
    this.#name = profileNameOf(address);
    this.#profiles = new Profiles(settingsFolder);
  }

  isLoggedIn(): boolean {
    return (this.#profiles.read(this.#name)?.tokens ?? null) !== null;
  }

  /** Null = no one is logged in. Throws GatewayError where the login cannot be read, or names no peering gateway. */
  gateway(): GatewayLogin | null {
    const profile = this.#profiles.read(this.#name);
    if (profile === null || profile.tokens === null) {
      return null;
    }
    const { peering_gateway: url } = profile;
    if (url === null) {
      throw new Error(`${this.#address} names no peering gateway: its operator sets gateway.peering_gateway`);
    }
    return { url, tokens: new StoredToken(this.#profiles, this.#name) };
  }

  /** Until the signal. A code that has expired is followed by the next one. */
  async follow(client: LoginUser, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await client.attempt("login", async () => {
        if (this.gateway() === null) {
          await this.#start(client, signal);
        }
      });
      await pause(loginEveryMs, null, { signal }).catch(() => undefined);
    }
  }

  /** Resolves at the prompt, which then is followed up; rejects where none can be had. */
  async #start(client: LoginUser, signal: AbortSignal): Promise<void> {
    if (this.prompt !== null) {
      return;
    }
    const { promise: shown, resolve } = Promise.withResolvers<void>();
    const show = (prompt: DevicePrompt) => {
      this.prompt = prompt;
      client.parts.log.info("Waiting for a login", { url: prompt.completeUrl ?? prompt.url });
      resolve();
    };
    const place = { address: this.#address, name: this.#name, profiles: this.#profiles, retryDelaysMs: [] };
    const loggedIn = logIn({ ...place, userAgent: `vantage/${packageJson.version}` }, show, signal);
    const done = loggedIn.then(() => this.#use(client));
    void done
      .catch((error: unknown) => client.parts.log.info("No login yet", { error }))
      .finally(() => {
        this.prompt = null;
      });
    await Promise.race([shown, done]);
  }

  #use(client: LoginUser): void {
    if (this.#profiles.current() === null) {
      this.#profiles.use(this.#name);
    }
    client.parts.log.info("Logged in", { gateway: this.#address });
    client.hurry();
  }
}

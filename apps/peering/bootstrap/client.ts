/**
 * The client of an exchange: reads the VPN's state, configures the routing daemon accordingly, and
 * gathers what both sides say of the sessions.
 *
 * Rounds never overlap. What cannot be queried in one stays as it was, so that a VPN or gateway that is unavailable
 * for a while ends no session.
 */
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { feedPorts } from "../../../lib/peering/policy/feed-ports.ts";
import { announcementStates } from "./announcement-states.ts";
import type { BootstrapConfig } from "./config.ts";
import type { RoutingDaemon } from "./daemon/routing-daemon.ts";
import { sessionPlan } from "./daemon/session-plan.ts";
import { leasesAt } from "./exchange-status.ts";
import { ExchangeWatch } from "./exchange-watch.ts";
import type { GatewayLogin } from "./gateway-login.ts";
import { identityOf } from "./identity.ts";
import { leaseState, leasesAtGateway, requestAsn } from "./leases.ts";
import { absenceMsMax, gatewayAgainMs, gatewayEveryMs } from "./limits.ts";
import { type Order, withOrder } from "./orders.ts";
import type { OwnLogin } from "./own-login.ts";
import { allPrefixes, type GatewayRequests, ordersWith } from "./requests.ts";
import { nothingKnown, type Part, type Snapshot } from "./snapshot.ts";
import type { StateFile } from "./state-file.ts";
import { discover } from "./vpn/discover.ts";
import { KnownExchanges } from "./vpn/known-exchanges.ts";
import type { LocalApi } from "./vpn/local-api.ts";
import { Reoffer } from "./vpn/reoffer.ts";
import { subnetRoutes } from "./vpn/subnet-routes.ts";

interface ClientParts {
  readonly config: BootstrapConfig;
  /** The service's own login; null = it has none. */
  readonly login: OwnLogin | null;
  readonly vpn: LocalApi;
  readonly daemon: RoutingDaemon;
  readonly state: StateFile;
  readonly log: Logger;
  readonly nowMs: () => number;
  /** A clock that never jumps, from any start: a wall clock that is set must not end a session. */
  readonly elapsedMs: () => number;
}

export class Client {
  readonly parts: ClientParts;
  snapshot: Snapshot = nothingKnown;
  readonly #known = new KnownExchanges();
  readonly #watch: ExchangeWatch;
  readonly #reoffer = new Reoffer();
  readonly #startedAtMs: number;
  #rounds: Promise<void> = Promise.resolve();
  #gatewayAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ClientParts) {
    this.parts = parts;
    this.#startedAtMs = parts.elapsedMs();
    const { vpn, exchangeEveryMs: everyMs } = parts.config;
    this.#watch = new ExchangeWatch({ port: vpn.statusPort, everyMs, elapsedMs: parts.elapsedMs });
  }

  /** One round. Never rejects for what is unavailable; rejects when the own state cannot be read or written. */
  look(): Promise<void> {
    return this.#next(() => this.#round());
  }

  /** Stores the orders, and applies them together. Rejects when they cannot be stored. */
  order(...orders: readonly Order[]): Promise<void> {
    return this.#next(async () => {
      const state = await this.parts.state.read();
      await this.parts.state.write({ ...state, orders: [...orders.reduce(withOrder, state.orders)] });
      this.#watch.hurry();
      await this.#round();
    });
  }

  /** Stores the gateway's announcement requests, and applies them. Rejects when they cannot be stored. */
  take(requests: GatewayRequests): Promise<void> {
    return this.#next(async () => {
      const state = await this.parts.state.read();
      await this.parts.state.write({ ...state, requests });
      // A prefix may have been leased a moment before.
      this.hurry();
      await this.#round();
    });
  }

  /** Queries the gateway and the exchange servers in the next round. */
  hurry(): void {
    this.#gatewayAtMs = Number.NEGATIVE_INFINITY;
    this.#watch.hurry();
  }

  /** Null = none is configured, or no one is logged in there. Throws GatewayError where the login cannot be read. */
  gateway(): GatewayLogin | null {
    const { config, login } = this.parts;
    return config.gateway ?? login?.gateway() ?? null;
  }

  #next(work: () => Promise<void>): Promise<void> {
    const next = this.#rounds.then(work);
    this.#rounds = next.catch(() => undefined);
    return next;
  }

  async #round(): Promise<void> {
    const { state, nowMs, config } = this.parts;
    const { orders, requests, known } = await state.read();
    const atMs = nowMs();
    this.#update({ atMs, requests, leases: this.snapshot.leases ?? known });
    await this.attempt("vpn", () => this.#lookAtVpn());
    if (this.parts.elapsedMs() - this.#gatewayAtMs >= this.#gatewayEveryMs()) {
      await this.attempt("gateway", () => this.#lookAtGateway());
    }
    this.#update(this.#loginUpdate());
    // What the gateway has leased is announced everywhere, until an announcement request says where.
    const own = config.user.prefixes ?? [];
    const user = identityOf(config, this.snapshot.leases);
    this.#update({ user, orders: ordersWith(orders, requests, { atMs, own }) });
    await this.attempt("daemon", () => this.#configure());
    await this.#lookAtExchanges();
    this.#update({ states: announcementStates(this.snapshot, this.#prefixes(), this.snapshot.states) });
    await this.attempt("routes", () => this.#offerRoutes());
  }

  #update(update: Partial<Snapshot>): void {
    this.snapshot = { ...this.snapshot, ...update };
  }

  /** A failure is logged once, and shown on the page until the part works again. */
  async attempt(part: Part, work: () => Promise<void>): Promise<void> {
    const before = this.snapshot.failures[part];
    // Other parts may work meanwhile, so theirs are as they are at the end.
    const others = () => {
      const { [part]: _own, ...rest } = this.snapshot.failures;
      return rest;
    };
    try {
      await work();
      this.#update({ failures: others() });
    } catch (error) {
      const failure = systemReason(error);
      this.#update({ failures: { ...others(), [part]: failure } });
      if (failure !== before) {
        this.parts.log.warn("Cannot do a part of the work; what was before stays", { part, error });
      }
    }
  }

  async #lookAtVpn(): Promise<void> {
    const { vpn, config } = this.parts;
    const found = discover(await vpn.status(), config.rule);
    const { state, loginUrl, ownAddress, servedRoutes, exchanges, passedOver } = found;
    this.#update({ vpnState: state, vpnLoginUrl: loginUrl, servedRoutes });
    if (state === "Running" && ownAddress !== null) {
      const known = this.#known.learn(exchanges, this.parts.elapsedMs());
      this.#update({ ownAddress, exchanges: known, passedOver });
    }
  }

  #loginUpdate(): Pick<Snapshot, "login" | "loginPrompt"> {
    const { login } = this.parts;
    if (login === null) {
      return { login: "none", loginPrompt: null };
    }
    return { login: login.isLoggedIn() ? "there" : "missing", loginPrompt: login.prompt };
  }

  #gatewayEveryMs(): number {
    const { failures, user } = this.snapshot;
    return failures.gateway === undefined && user.asn !== null ? gatewayEveryMs : gatewayAgainMs;
  }

  async #lookAtGateway(): Promise<void> {
    const { config, state, elapsedMs } = this.parts;
    const gateway = this.gateway();
    if (gateway === null) {
      return;
    }
    this.#gatewayAtMs = elapsedMs();
    let leases = await leasesAtGateway(gateway);
    if (leases.asn === null && config.user.asn === null) {
      await requestAsn(gateway);
      leases = await leasesAtGateway(gateway);
    }
    this.#update({ leases });
    const kept = await state.read();
    if (!Bun.deepEquals(kept.known, leases)) {
      await state.write({ ...kept, known: leases });
    }
  }

  #prefixes(): string[] {
    return allPrefixes(this.snapshot.user.prefixes, this.snapshot.requests);
  }

  /** What the gateway knows not to be leased. An exchange refuses by itself, so its word is only shown. */
  #withheld(): Set<string> {
    const { leases, atMs } = this.snapshot;
    const isLeased = (prefix: string) =>
      leases?.source !== "gateway" || leaseState(leases, prefix, atMs) === "leased";
    return new Set(this.#prefixes().filter((prefix) => !isLeased(prefix)));
  }

  async #configure(): Promise<void> {
    const { config, daemon, log } = this.parts;
    const { ownAddress, exchanges, orders, user } = this.snapshot;
    const { asn, platformAsn } = user;
    const { vpn } = config;
    if (ownAddress !== null && asn !== null && platformAsn !== null && !(await this.#isTooEarly())) {
      const common = {
        asn,
        prefixes: this.#prefixes(),
        platformAsn,
        ownAddress,
        device: vpn.device,
        port: feedPorts[config.daemon.feed],
      };
      const plan = sessionPlan({ ...common, exchanges, orders, withheld: this.#withheld() });
      this.#update({ plan, isInForce: false });
      if (await daemon.put(plan)) {
        log.info("New configuration active", { exchanges: exchanges.map(({ name }) => name) });
      }
      this.#update({ isInForce: true });
    }
    this.#update({ sessions: null });
    this.#update({ sessions: await daemon.sessions() });
  }

  /** A VPN that has just started has no devices yet; sessions of a daemon that runs must not end for that. */
  async #isTooEarly(): Promise<boolean> {
    const { daemon, elapsedMs } = this.parts;
    const isYoung = elapsedMs() - this.#startedAtMs < absenceMsMax;
    return this.snapshot.exchanges.length === 0 && isYoung && (await daemon.isConfigured());
  }

  async #lookAtExchanges(): Promise<void> {
    const { exchanges, ownAddress } = this.snapshot;
    const received = await this.#watch.look(
      exchanges.map(({ address }) => address),
      ownAddress,
    );
    this.#update({ received });
    const reported = [...received.values()].flatMap(({ session }) =>
      session === null ? [] : [leasesAt(session)],
    );
    const leases = reported.find((one) => one !== null);
    const { config, login } = this.parts;
    if (config.gateway === null && login === null && leases !== undefined) {
      this.#update({ leases });
    }
  }

  async #offerRoutes(): Promise<void> {
    const { vpn, state, log } = this.parts;
    if (this.snapshot.vpnState !== "Running") {
      return;
    }
    const withheld = this.#withheld();
    const prefixes = this.#prefixes();
    const leased = prefixes.filter((prefix) => !withheld.has(prefix));
    const kept = await state.read();
    const managed = [...new Set([...kept.offered, ...prefixes])];
    const { offers } = await vpn.settings();
    const wanted = subnetRoutes(offers, { leased, managed });
    const isUnserved =
      wanted === null && leased.some((prefix) => !this.snapshot.servedRoutes.includes(prefix));
    if (this.#reoffer.isDue(isUnserved, this.parts.elapsedMs())) {
      await vpn.advertise(offers.filter((route) => !leased.includes(route)));
      await vpn.advertise(offers);
      log.info("Offered routes anew, as the VPN does not deliver them here", { routes: leased });
    }
    if (wanted !== null) {
      // Written before it is done: a route that was offered and then forgotten would stay permanently.
      await state.write({ ...kept, offered: managed });
      await vpn.advertise(wanted);
      log.info("Offered routes to the VPN", { routes: wanted });
    }
  }
}

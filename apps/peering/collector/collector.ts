/**
 * The collector: routes from routers and files go into the live table, and from it to the broker, with
 * synthetic withdrawals. The table is restored from the state folder; routes that went down meanwhile are
 * found when each router has sent its tables again.
 */
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import { type Address, formatAddress } from "../../../lib/net/ip/address.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import type { ReceivedEvent } from "../../../lib/net/rib/received-event.ts";
import { topicPartitions, topicRetentionMs, updatesTopic } from "../../../lib/net/wire/target-header.ts";
import { decodeUpdates } from "../../../lib/net/wire/update-codec.ts";
import type { CollectorConfig, MrtSource } from "./config.ts";
import { DamagedRoutes } from "./damaged-routes.ts";
import { type FilePosition, KeptEntries } from "./kept-entries.ts";
import { KeptRoutes } from "./kept-routes.ts";
import { aliveMs, batchBytes } from "./limits.ts";
import { withPeer } from "./lost-session.ts";
import { MrtFollower } from "./mrt-follower.ts";
import { Outbox } from "./outbox.ts";
import { PastRoutes } from "./past-routes.ts";
import { birdRefusals } from "./refused/bird-refusals.ts";
import { exchangeRefusals } from "./refused/exchange-refusals.ts";
import { RefusedLook } from "./refused/refused-look.ts";
import { eventOf, updateOf } from "./route-update.ts";
import type { VrpSource } from "./rpki/vrp-source.ts";
import { vrpSourceOf } from "./rpki/vrp-source-of.ts";
import { type RouterSession, Station } from "./station.ts";

interface CollectorParts {
  readonly config: CollectorConfig;
  readonly broker: Broker;
  readonly log: Logger;
  readonly nowUs: () => bigint;
}

interface NamedRouter {
  readonly router: Address;
  readonly key: string;
  readonly port: number;
}

export class Collector implements AsyncDisposable {
  readonly table: LiveTable;
  readonly past: PastRoutes;
  readonly outbox: Outbox;
  readonly station: Station;
  readonly followers: readonly MrtFollower[];
  readonly looks: readonly RefusedLook[];
  /** Source of VRPs for origin validation; null = none. */
  readonly vrps: VrpSource | null;
  readonly #parts: CollectorParts;
  readonly #kept: KeptRoutes;
  readonly #positions = new Map<string, FilePosition>();
  readonly #ports = new Map<string, number>();
  readonly #holds = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #unpublished = new KeptEntries();
  /** The router of the last event; the same object for the same router. */
  #named: NamedRouter | null = null;
  readonly #seenFiles = new Set<string>();
  /** When an earlier run was last alive; null = there was none. */
  #awaySinceUs: bigint | null = null;

  constructor(parts: CollectorParts) {
    const { config, broker, log, nowUs } = parts;
    this.#parts = parts;
    this.table = new LiveTable({ rejectReasons: config.rejectReasons });
    this.#kept = new KeptRoutes(config.stateDir);
    this.past = new PastRoutes(this.#kept.history, config.rejectReasons);
    const damage = new DamagedRoutes({ table: this.table, log, nowUs });
    const tell = (trouble: string | null) =>
      trouble === null
        ? log.info("The broker takes updates again")
        : log.warn("The broker is unavailable", { trouble });
    this.outbox = new Outbox({ broker, kept: this.#kept, standing: () => this.#standing(), tell, nowUs });
    this.#restore();
    const room = () => this.outbox.room();
    this.station = new Station({
      ...{ ...config.bmp, log, room, damage },
      begun: (session) => this.#begun(session),
      received: ({ router }, event, raw) => this.#hear(router, event, raw),
      ended: (session, reason) => this.#ended(session, reason),
    });
    this.followers = config.mrt.map(
      (source) =>
        new MrtFollower({
          ...{ source, room, damage, from: this.#positions.get(source.file) ?? null },
          received: (event, raw) => {
            const named = withPeer(this.table, { router: source.router, event, nowUs: nowUs() });
            if (named !== null) {
              this.#hear(source.router, named, raw);
            }
          },
          read: (position) => this.#note(source.router, position),
          missed: (reason) => this.#missed(source.router, reason),
        }),
    );
    this.looks = config.mrt.flatMap((source) => this.#lookAt(source));
    this.vrps = vrpSourceOf(config.rpki, log);
    this.table.listen((received) => this.#send(received));
  }

  get #sources(): readonly { run(stop: AbortSignal): Promise<void> }[] {
    return [...this.followers, ...this.looks, ...(this.vrps === null ? [] : [this.vrps])];
  }

  /** Resolves when it listens. */
  async start(): Promise<number> {
    const topic = { name: updatesTopic, partitions: topicPartitions, retentionMs: topicRetentionMs };
    await this.#parts.broker.ensureTopic(topic);
    return await this.station.listen();
  }

  /** None where no one can be queried. */
  #lookAt({ router, controlSocket, policyGenerator }: MrtSource): RefusedLook[] {
    const { config, nowUs, log } = this.#parts;
    const asked = [
      ...(controlSocket === null ? [] : [() => birdRefusals(controlSocket, config.rejectReasons)]),
      ...(policyGenerator === null ? [] : [() => exchangeRefusals(policyGenerator)]),
    ];
    return asked.length === 0 ? [] : [new RefusedLook({ router, table: this.table, nowUs, log, asked })];
  }

  /** Runs until the signal. */
  async run(stop: AbortSignal): Promise<void> {
    const alive = setInterval(() => this.#kept.touch(Date.now()), aliveMs);
    try {
      await this.outbox.again(this.#unpublished, stop);
      this.#unpublished.clear();
      await Promise.all([this.outbox.run(stop), ...this.#sources.map((one) => one.run(stop))]);
    } finally {
      clearInterval(alive);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.station[Symbol.asyncDispose]();
    for (const timer of this.#holds.values()) {
      clearTimeout(timer);
    }
    this.#kept[Symbol.dispose]();
  }

  /** Restores the table of an earlier run: stale where a router will send it again. */
  #restore(): void {
    const { config, nowUs } = this.#parts;
    const sinceUs = this.#kept.lastAliveUs;
    this.#awaySinceUs = sinceUs;
    for (const entry of this.#kept.read()) {
      this.#take(entry);
    }
    this.#kept.rewrite(this.#standing(), nowUs());
    this.#kept.append(this.#unpublished);
    for (const { router } of config.mrt) {
      this.#setPort(router, 0);
    }
    const followed = new Set(config.mrt.map(({ router }) => formatAddress(router)));
    const routers = new Map(this.table.peers().map(({ router }) => [formatAddress(router), router]));
    for (const [text, router] of routers) {
      if (!followed.has(text)) {
        this.#lose(router, sinceUs ?? nowUs(), "the collector was not running");
      }
    }
  }

  #take(entry: ReturnType<KeptRoutes["read"]> extends Iterable<infer Entry> ? Entry : never): void {
    if (entry.kind === "position") {
      this.#positions.set(entry.file, entry);
    } else if (entry.kind === "published") {
      this.#unpublished.clear();
    } else {
      this.#takeUpdates(entry);
    }
  }

  /** Those of an entry have one router. */
  #takeUpdates({
    pathId,
    messages,
  }: {
    readonly pathId: number | null;
    readonly messages: Uint8Array;
  }): void {
    let [router, count]: [Address | null, number] = [null, 0];
    for (const result of decodeUpdates(messages)) {
      if (result.ok) {
        const { update } = result;
        router = update.routerAddr;
        this.#setPort(router, update.routerPort);
        this.table.apply(router, eventOf(update, pathId), update.timeReceivedNs / 1000n);
        count++;
      }
    }
    if (router !== null) {
      this.#unpublished.addMessages(this.#name(router).key, pathId, messages, count);
    }
  }

  /** All that stands, as announcements, all of them published, and how far files were read. */
  *#standing(): Generator<KeptEntries> {
    const entries = new KeptEntries();
    for (const { router, peer, table, prefix, pathId, attributes, changedUs } of this.table.all()) {
      const { address, asn, routerId } = peer;
      const eventPeer = { table, address, asn, routerId };
      const event: RouteEvent = {
        ...{ timeUs: changedUs, peer: eventPeer, kind: "announce", family: null },
        ...{ route: { prefix, pathId }, attributes },
      };
      const { key, port } = this.#name(router);
      const received = { router, event, isSynthetic: false, receivedUs: changedUs };
      const update = updateOf(received, port);
      if (update !== null) {
        entries.addUpdate(key, pathId, update);
      }
      if (entries.length >= batchBytes) {
        entries.addPublished();
        yield entries;
        entries.clear();
      }
    }
    entries.addPublished();
    for (const position of this.#positions.values()) {
      entries.addPosition(position);
    }
    yield entries;
  }

  #hear(router: Address, event: RouteEvent, raw: Uint8Array | null): void {
    this.table.apply(router, event, this.#parts.nowUs(), raw);
  }

  #send(received: ReceivedEvent): void {
    const { key, port } = this.#name(received.router);
    const update = updateOf(received, port);
    if (update !== null) {
      this.outbox.add(key, received.event.route?.pathId ?? null, update);
    }
  }

  /** A session uses one object for its router. */
  #name(router: Address): NamedRouter {
    if (this.#named?.router !== router) {
      const key = formatAddress(router);
      this.#named = { router, key, port: this.#ports.get(key) ?? 0 };
    }
    return this.#named;
  }

  #setPort(router: Address, port: number): void {
    this.#ports.set(formatAddress(router), port);
    this.#named = null;
  }

  #note(router: Address, position: FilePosition): void {
    this.#positions.set(position.file, position);
    this.#seenFiles.add(formatAddress(router));
    this.outbox.note(position);
  }

  #begun({ router, port }: RouterSession): void {
    const { log, nowUs } = this.#parts;
    log.info("Router connected", { router: formatAddress(router), port });
    this.#setPort(router, port);
    const gap = this.table.gaps.findLast(({ router: one, toUs }) => {
      return toUs === null && one !== null && formatAddress(one) === formatAddress(router);
    });
    if (gap !== undefined) {
      this.table.gap({ ...gap, toUs: nowUs() });
    }
    this.#holdFor(router);
  }

  #ended({ router }: RouterSession, reason: string): void {
    this.#parts.log.warn("Router lost", { router: formatAddress(router), reason });
    this.#lose(router, this.#parts.nowUs(), reason);
  }

  #lose(router: Address, fromUs: bigint, reason: string): void {
    this.table.lose(router);
    this.table.gap({ router, fromUs, toUs: null, reason });
    this.#holdFor(router);
  }

  /** The tables of a file are not sent again, so nothing is withdrawn for it. */
  #missed(router: Address, reason: string): void {
    const nowUs = this.#parts.nowUs();
    this.#parts.log.warn("Updates missed", { router: formatAddress(router), reason });
    this.table.lose(router);
    const fromUs = this.#seenFiles.has(formatAddress(router)) ? this.#kept.lastAliveUs : this.#awaySinceUs;
    this.table.gap({ router, fromUs: fromUs ?? nowUs, toUs: nowUs, reason });
  }

  #holdFor(router: Address): void {
    const key = formatAddress(router);
    clearTimeout(this.#holds.get(key));
    const sweep = () => this.table.sweep(router, this.#parts.nowUs());
    this.#holds.set(key, setTimeout(sweep, this.#parts.config.holdMs));
  }
}

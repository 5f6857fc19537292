/**
 * One client of RIS Live's WebSocket (ris-live.ripe.net/manual). It is answered at once; messages wait for a
 * slow client, and a `ris_error` gives the number that it has missed.
 *
 * | client            | answer                                                                                     |
 * |-------------------|--------------------------------------------------------------------------------------------|
 * | ris_subscribe     | with `acknowledge`: ris_subscribe_ok with the subscription and its options; then messages   |
 * | ris_unsubscribe   | none: the subscription with the same data ends                                              |
 * | request_rrc_list  | ris_rrc_list: the addresses of routers                                                      |
 * | ping              | pong                                                                                        |
 * | anything else     | ris_error                                                                                   |
 *
 * `includeRaw` holds for all subscriptions of the connection until one says otherwise. A message of BGP whose prefixes
 * come in several messages is in each of them.
 */
import * as v from "valibot";
import type { OpenSocket, SocketHandler } from "../../../../lib/engines/http/serve.ts";
import type { ReceivedEvent } from "../../../../lib/net/rib/received-event.ts";
import { heartbeatMs, writtenMax } from "../watch/limits.ts";
import type { Change } from "../watch/route-filter.ts";
import type { RouteWatch } from "../watch/route-watch.ts";
import { messageBytes, saidBytesAtOnce, saidBytesPerSec, subscriptionsMax } from "./limits.ts";
import { risMessage, runsOf } from "./ris-message.ts";
import { Subscription, subscriptionSchema } from "./subscription.ts";

const clientMessage = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ type: v.string(), data: v.optional(v.unknown()) }),
);

interface Opened {
  readonly watch: RouteWatch;
  moved(bytes: number): void;
  leave(): void;
}

interface SessionParts {
  /** Begins a watch of what the function lets through; null = there is no room. */
  readonly begin: (wants: (change: Change) => boolean) => Opened | null;
  readonly hosts: () => readonly string[];
  /** Whether this event is of the table that stands for its peer. */
  readonly isShown: (received: ReceivedEvent) => boolean;
  readonly missed: (count: number) => void;
}

export class RisSession implements SocketHandler {
  readonly #parts: SessionParts;
  /** By what they were asked for with. */
  readonly #subscriptions = new Map<string, Subscription>();
  #socket: OpenSocket | null = null;
  #drained: (() => void) | null = null;
  #watch: Opened | null = null;
  #sayable = saidBytesAtOnce;
  #saidAtMs = performance.now();
  #sent = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  opened(socket: OpenSocket): void {
    this.#socket = socket;
    this.#watch = this.#parts.begin((change) => this.#wants(change));
    if (this.#watch === null) {
      this.#error("too many clients; try again later");
      socket.close(1013, "too many clients");
      return;
    }
    void this.#tell(this.#watch.watch);
  }

  message(text: string): void {
    if (this.#socket === null) {
      return;
    }
    if (!this.#maySay(text.length)) {
      this.#socket.close(1008, `say at most ${saidBytesPerSec} bytes a second`);
      this.closed();
      return;
    }
    const parsed = v.safeParse(clientMessage, text);
    if (!parsed.success) {
      this.#error('not a message: send JSON with "type" and "data"');
      return;
    }
    const { type, data } = parsed.output;
    if (type === "ris_subscribe") {
      this.#subscribe(data ?? {});
    } else if (type === "ris_unsubscribe") {
      this.#subscriptions.delete(keyOf(data ?? {}));
    } else if (type === "request_rrc_list") {
      this.#send("ris_rrc_list", this.#parts.hosts());
    } else if (type === "ping") {
      this.#send("pong", null);
    } else {
      this.#error(`"${type.slice(0, 40)}" is not a type of message that is known here`);
    }
  }

  #maySay(bytes: number): boolean {
    const nowMs = performance.now();
    const regained = ((nowMs - this.#saidAtMs) * saidBytesPerSec) / 1000;
    this.#saidAtMs = nowMs;
    this.#sayable = Math.min(saidBytesAtOnce, this.#sayable + regained) - bytes - messageBytes;
    return this.#sayable >= 0;
  }

  drained(): void {
    this.#drained?.();
  }

  closed(): void {
    this.#socket = null;
    this.#watch?.leave();
    this.#watch?.watch.wake();
    this.#drained?.();
  }

  #subscribe(data: unknown): void {
    const parsed = v.safeParse(subscriptionSchema, data);
    if (!parsed.success) {
      const [issue] = parsed.issues;
      this.#error(`${v.getDotPath(issue) ?? "data"}: ${issue.message}`);
      return;
    }
    const subscription = Subscription.of(parsed.output);
    if (typeof subscription === "string") {
      this.#error(subscription);
      return;
    }
    const key = keyOf(data);
    if (this.#subscriptions.size >= subscriptionsMax && !this.#subscriptions.has(key)) {
      this.#error(`a connection has at most ${subscriptionsMax} subscriptions`);
      return;
    }
    this.#subscriptions.set(key, subscription);
    const { socketOptions: options } = parsed.output;
    const watch = this.#watch?.watch;
    if (watch !== undefined) {
      watch.wantsRaw = options?.includeRaw ?? watch.wantsRaw;
    }
    if (options?.acknowledge === true) {
      const { socketOptions: _, ...asked } = data as Record<string, unknown>;
      const socketOptions = { includeRaw: watch?.wantsRaw ?? false, acknowledge: true };
      this.#send("ris_subscribe_ok", { subscription: asked, socketOptions });
    }
  }

  /** Called for each change. */
  #wants(change: Change): boolean {
    for (const one of this.#subscriptions.values()) {
      if (one.wants(change)) {
        return true;
      }
    }
    return false;
  }

  async #tell(watch: RouteWatch): Promise<void> {
    let from = watch.next;
    while (this.#socket !== null && watch.endReason === null) {
      const { missed, changes, next } = watch.read(from, writtenMax);
      from = next;
      if (missed > 0) {
        this.#parts.missed(missed);
        this.#error(`${missed} changes were missed: more has changed than waits for one client`);
      }
      this.#tellAll(changes);
      await (this.#socket?.isFull() === true ? this.#room() : watch.more(from, heartbeatMs));
    }
    this.#socket?.close(1001, watch.endReason ?? "");
  }

  /** What a subscription lets through of them, each message once. */
  #tellAll(changes: readonly Change[]): void {
    const shown = changes.flatMap((change) =>
      change.kind === "event" && this.#parts.isShown(change.received) && this.#wants(change) ? [change] : [],
    );
    for (const run of runsOf(shown)) {
      const message = risMessage(run, this.#sent);
      const [event] = run;
      const isWanted = [...this.#subscriptions.values()].some(
        (one) => (one.require === null || one.require in message) && one.wants(event),
      );
      if (isWanted) {
        this.#sent++;
        this.#send("ris_message", message);
      }
    }
  }

  async #room(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    await promise;
    this.#drained = null;
  }

  #error(message: string): void {
    this.#send("ris_error", { message });
  }

  #send(type: string, data: unknown): void {
    const text = JSON.stringify({ type, data });
    this.#watch?.moved(text.length);
    this.#socket?.send(text);
  }
}

/** The same for the same data, whatever the order of its members. */
function keyOf(data: unknown): string {
  const { socketOptions: _, ...asked } = data as Record<string, unknown>;
  return JSON.stringify(Object.entries(asked).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

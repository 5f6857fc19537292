/**
 * Keeps the agent within what its host allows: counts what has left, gives each sender the rest of the day's limits,
 * and inhibits sending while the host has paused it, outside its hours, and at a limit.
 */
import { frameSlotBytes } from "../../../../ffi/hotpath/memory-layout.ts";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import {
  type DayUse,
  type HostHold,
  type HostLimits,
  hostHold,
} from "../../../../lib/measuring/probing/host-hold.ts";
import type { AgentConfig } from "../config/config.ts";
import type { ConsumerOrder } from "../consume/consumer-orders.ts";
import type { ProgressReport } from "../consume/measurement-progress.ts";
import type { SharedEngine } from "../engine/engine-types.ts";
import { InstanceControl } from "../engine/instance-control.ts";
import { type InhibitSwitch, SendInhibit } from "../engine/send-inhibit.ts";
import { HostLedger } from "./host-ledger.ts";
import { pausedAtMs } from "./host-pause.ts";

type HostEngine = Pick<SharedEngine, "rings" | "workers" | "sendInhibit">;

export class HostControl {
  readonly #engine: HostEngine;
  readonly #stateDir: string;
  readonly #tellConsumer: (order: ConsumerOrder) => void;
  readonly #controls: readonly InstanceControl[];
  readonly #switch: InhibitSwitch<"host">;
  readonly #ledger: HostLedger;
  /** Sent by each sender since the start, at the last sample. */
  #sent: readonly DayUse[];
  #limits: HostLimits;
  #hold: HostHold | null = null;
  #failure: string | null = null;

  constructor(
    engine: HostEngine,
    { stateDir, hostLimits }: Pick<AgentConfig, "stateDir" | "hostLimits">,
    tellConsumer: (order: ConsumerOrder) => void,
  ) {
    [this.#engine, this.#stateDir, this.#tellConsumer] = [engine, stateDir, tellConsumer];
    this.#controls = engine.rings.senders.map(({ control }) => new InstanceControl(control));
    this.#switch = new SendInhibit(engine.sendInhibit).own("host");
    this.#ledger = new HostLedger(stateDir);
    this.#sent = this.#controls.map(() => ({ packets: 0, bytes: 0 }));
    this.#limits = hostLimits;
    this.look(Date.now());
  }

  /** Null = the host lets it send. */
  get hold(): HostHold | null {
    return this.#hold;
  }

  /** Applies limits of a file that was read again. */
  reload(limits: HostLimits): void {
    this.#limits = limits;
    this.look(Date.now());
  }

  hear(reports: readonly ProgressReport[]): void {
    this.#ledger.hear(reports, Date.now());
  }

  /** Call it once a second. Returns a line for the log when something has changed. */
  look(nowMs: number): string[] {
    this.#count(nowMs);
    const used = this.#ledger.used(nowMs);
    const least = { packets: this.#controls.length, bytes: this.#controls.length * frameSlotBytes };
    const paused = pausedAtMs(this.#stateDir);
    const now = hostHold({ limits: this.#limits, pausedAtMs: paused, used, least, nowMs });
    this.#share(used);
    this.#switch.set("host", now !== null);
    const before = this.#hold;
    if (before?.words === now?.words) {
      return this.#write(nowMs);
    }
    this.#hold = now;
    this.#tellConsumer({ kind: "hostHold", hold: now });
    const line =
      now === null
        ? "sending continues: the host allows it again"
        : `nothing is sent: the agent is ${now.words}`;
    return [line, ...this.#write(nowMs)];
  }

  /** At the end: keeps the last figures. */
  close(): string[] {
    this.#count(Date.now());
    return this.#write(Number.POSITIVE_INFINITY);
  }

  #count(nowMs: number): void {
    const sent = this.#engine
      .workers()
      .filter(({ role }) => role === "sender")
      .map(({ counters }) => ({ packets: counters.sender_sent ?? 0, bytes: counters.sender_bytes ?? 0 }));
    for (const [i, { packets, bytes }] of sent.entries()) {
      const before = this.#sent[i] ?? { packets: 0, bytes: 0 };
      this.#ledger.add({ packets: packets - before.packets, bytes: bytes - before.bytes }, nowMs);
    }
    this.#sent = sent;
  }

  /** Each sender gets an equal part of the rest: together they never exceed it. */
  #share(used: DayUse): void {
    const { bytesPerDay, probesPerDay } = this.#limits;
    const part = (limit: number | null, usedToday: number) =>
      limit === null
        ? Number.POSITIVE_INFINITY
        : Math.floor(Math.max(0, limit - usedToday) / this.#controls.length);
    const [packets, bytes] = [part(probesPerDay, used.packets), part(bytesPerDay, used.bytes)];
    for (const [i, control] of this.#controls.entries()) {
      const { packets: sentPackets = 0, bytes: sentBytes = 0 } = this.#sent[i] ?? {};
      control.setSentMax({ packets: sentPackets + packets, bytes: sentBytes + bytes });
    }
  }

  /** A full disk is reported once. */
  #write(nowMs: number): string[] {
    try {
      this.#ledger.write(nowMs);
      this.#failure = null;
      return [];
    } catch (error) {
      const before = this.#failure;
      this.#failure = `Cannot keep what was sent today: ${systemReason(error)}`;
      return before === this.#failure ? [] : [this.#failure];
    }
  }
}

/** Messages between the engine and its workers. */
import type { SipKey } from "../../../../lib/net/packet/siphash.ts";
import type { InstanceConfig } from "./engine-types.ts";
import type { RecordingStart } from "./thread-recording.ts";

export interface SenderStart {
  readonly instance: InstanceConfig;
  readonly key: SipKey;
  /** Int32: 0 = run, 1 = stop. */
  readonly stop: SharedArrayBuffer;
  readonly probes: SharedArrayBuffer;
  readonly ticks: SharedArrayBuffer;
  /** See tcp-memory.ts. */
  readonly tcp: SharedArrayBuffer;
  /** See echo-memory.ts. */
  readonly echoes: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
  /** See send-inhibit.ts. */
  readonly sendInhibit: SharedArrayBuffer;
  /** See instance-control.ts. */
  readonly control: SharedArrayBuffer;
  /** See measurement-board.ts. */
  readonly board: SharedArrayBuffer;
  /** Float64 each, see Engine.sentAtUs; empty = keep none. */
  readonly sentAtUs: SharedArrayBuffer;
  readonly recording: RecordingStart;
}

export interface ReceiverStart {
  readonly interfaceName: string;
  readonly agentId: string;
  readonly keys: readonly SipKey[];
  /** See source-table.ts. */
  readonly sources: SharedArrayBuffer;
  readonly integrityCheck: boolean;
  /** See EngineConfig.dns. */
  readonly dns: boolean;
  readonly stop: SharedArrayBuffer;
  /** Readable when `stop` or `sources` has changed: see ffi/wake-up.ts. */
  readonly wakeFd: number;
  readonly replies: SharedArrayBuffer;
  /** The tick table of each key's instance; keys beyond them are those of peers. */
  readonly ticks: readonly SharedArrayBuffer[];
  /** The TCP memory of each instance, in the same order. */
  readonly tcp: readonly SharedArrayBuffer[];
  /** The echo memory of each instance, in the same order. */
  readonly echoes: readonly SharedArrayBuffer[];
  readonly counters: SharedArrayBuffer;
  readonly recording: RecordingStart;
}

export type WorkerMessage =
  /** The worker runs. */
  | { readonly kind: "ready" }
  /** Something failed, and the worker continues. */
  | { readonly kind: "failure"; readonly text: string }
  /** A message of this kind of worker. */
  | { readonly kind: "custom"; readonly value: unknown }
  /** The worker has ended; a text gives the reason why it could not continue. */
  | { readonly kind: "ended"; readonly text: string | null };

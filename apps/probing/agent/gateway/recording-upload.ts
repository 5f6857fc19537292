/**
 * Uploads packet recordings to the gateway, beside the agent's reports: one at a time, oldest first. An upload that
 * fails is retried; a recording that the gateway refuses is removed.
 */
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { GatewayCounter } from "../agent-counters.ts";
import type { Counters } from "../engine/counters.ts";
import { recordingRetryMs } from "../limits.ts";
import { PacketFolder, type WholeRecording } from "../record/packet-folder.ts";
import type { GatewayApi } from "./gateway-api.ts";

interface RecordingUploadParts {
  readonly stateDir: string;
  readonly api: GatewayApi;
  readonly counters: Counters<GatewayCounter>;
  /** The agent's own path at the gateway, and its current key. */
  readonly own: (path: string) => { readonly path: string; readonly key: string };
  readonly onFailure: (text: string) => void;
}

export class RecordingUpload {
  readonly #parts: RecordingUploadParts;
  readonly #folder: PacketFolder;
  #isBusy = false;
  #retryAtMs = 0;

  constructor(parts: RecordingUploadParts) {
    this.#parts = parts;
    this.#folder = new PacketFolder(parts.stateDir);
  }

  /** Starts with the oldest, unless an upload is running; not awaited. */
  begin(): void {
    const [oldest] = this.#isBusy || performance.now() < this.#retryAtMs ? [] : this.#folder.waiting();
    if (oldest === undefined) {
      return;
    }
    this.#isBusy = true;
    void this.#upload(oldest)
      .catch((error) => {
        this.#retryAtMs = performance.now() + recordingRetryMs;
        this.#parts.onFailure(`Cannot hand over packets: ${systemReason(error)}`);
      })
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async #upload(path: string): Promise<void> {
    const recording = this.#folder.read(path);
    if (recording !== null) {
      const isTaken = await this.#hand(recording);
      this.#parts.counters.add(isTaken ? "gateway_recordings" : "gateway_recordings_refused", 1);
    }
    this.#folder.remove(path);
  }

  /** False when the gateway refuses it permanently. */
  #hand({ note, path }: WholeRecording): Promise<boolean> {
    const { measurement_id: id, interface: name, sent, heard, left_out: leftOut } = note;
    const counts = { sent: `${sent}`, heard: `${heard}`, left_out: `${leftOut}` };
    const query = new URLSearchParams({ interface: name, ...counts });
    const own = this.#parts.own(`/measurements/${encodeURIComponent(id)}/packets?${query}`);
    return this.#parts.api.upload({ ...own, body: Bun.file(path) });
  }
}

/**
 * Recordings in the state folder, one for each measurement and interface: `packets/MEASUREMENT.INTERFACE.partial` while
 * it is written, `.pcap` once it is complete, with its description in `.json`. They wait there for the gateway client.
 * Names are percent-encoded: a measurement's is from the broker.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { writeWhole } from "../state-folder.ts";

const noteSchema = v.object({
  measurement_id: v.string(),
  interface: v.string(),
  sent: v.number(),
  heard: v.number(),
  left_out: v.number(),
});
type RecordingNote = v.InferOutput<typeof noteSchema>;

export interface WholeRecording {
  readonly note: RecordingNote;
  readonly path: string;
  readonly bytes: number;
}

const partial = ".partial";
const whole = ".pcap";

export class PacketFolder {
  readonly #path: string;

  constructor(stateDir: string) {
    this.#path = join(stateDir, "packets");
  }

  /** Removes what a killed agent had begun: it is incomplete, and stays so. */
  open(): void {
    mkdirSync(this.#path, { recursive: true, mode: 0o700 });
    for (const name of this.#names(partial)) {
      rmSync(join(this.#path, name), { force: true });
    }
  }

  partialPath(measurementId: string, interfaceName: string): string {
    return join(
      this.#path,
      `${encodeURIComponent(measurementId)}.${encodeURIComponent(interfaceName)}${partial}`,
    );
  }

  /** The recording is complete, and waits for the gateway. */
  finish(partialPath: string, note: RecordingNote): void {
    const path = partialPath.slice(0, -partial.length) + whole;
    writeWhole(`${path}.json`, JSON.stringify(note), 0o600);
    renameSync(partialPath, path);
  }

  /** Waiting recordings, oldest first. */
  waiting(): string[] {
    const paths = this.#names(whole).map((name) => join(this.#path, name));
    const times = new Map(
      paths.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]),
    );
    return paths.sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0));
  }

  /** Null for one that was removed or has no description. */
  read(path: string): WholeRecording | null {
    try {
      const note = v.parse(noteSchema, JSON.parse(readFileSync(`${path}.json`, "utf8")));
      return { note, path, bytes: statSync(path).size };
    } catch {
      return null;
    }
  }

  remove(path: string): void {
    rmSync(path, { force: true });
    rmSync(`${path}.json`, { force: true });
  }

  #names(end: string): string[] {
    try {
      return readdirSync(this.#path).filter((name) => name.endsWith(end));
    } catch {
      // The folder is created by the first recording.
      return [];
    }
  }
}

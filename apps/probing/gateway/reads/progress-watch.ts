/** Polls a measurement's progress, and reports changes. */
import { Owned } from "../../../../lib/engines/http/owned.ts";
import { findMeasurement } from "../measurements/find-measurement.ts";
import { measurementView, partView } from "../measurements/measurement-view.ts";
import type { Services } from "../services.ts";
import { progressEveryMs } from "./limits.ts";
import type { MeasurementWindow } from "./measurement-window.ts";

export class ProgressWatch {
  readonly #database: Services["database"];
  readonly #own: Owned;
  readonly #measured: MeasurementWindow;
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  readonly #clockAheadMs: number;
  #polledAtMs = Number.NEGATIVE_INFINITY;
  #polled = "";
  #shown = "";
  #endedAt: Date | null = null;
  #acceptedProbes = 0;
  #publishedProbes = 0;

  constructor({ database }: Pick<Services, "database">, userHash: string, measured: MeasurementWindow) {
    this.#database = database;
    this.#own = Owned.of(userHash, { kind: "measurement", id: measured.id });
    this.#measured = measured;
    this.#clockAheadMs = measured.askedAt.getTime() - Date.now();
  }

  /** The last state that `sample` returned: the measurement with its agents, as in GET …/status, in JSON. */
  get shown(): string {
    return this.#shown;
  }

  /** Its current window. */
  get measured(): MeasurementWindow {
    return {
      ...this.#measured,
      endedAt: this.#endedAt,
      askedAt: new Date(Date.now() + this.#clockAheadMs),
    };
  }

  /** Milliseconds since its end; negative infinity while it is running. */
  get endedForMs(): number {
    const { endedAt, askedAt } = this.measured;
    return endedAt === null ? Number.NEGATIVE_INFINITY : askedAt.getTime() - endedAt.getTime();
  }

  /** Rows that `measure.probes` has once all probes accepted so far are stored; of an ended one, all it will have. */
  get submittedRows(): number {
    return (this.#endedAt === null ? this.#acceptedProbes : this.#publishedProbes) * this.#measured.targets;
  }

  /** The JSON if it has changed; null otherwise, or when it is too early to poll. */
  async sample(): Promise<string | null> {
    if (performance.now() - this.#polledAtMs >= progressEveryMs) {
      await this.refresh();
    }
    if (this.#polled === this.#shown) {
      return null;
    }
    this.#shown = this.#polled;
    return this.#shown;
  }

  /** Polls now. */
  async refresh(): Promise<void> {
    this.#polledAtMs = performance.now();
    const { row, parts } = await findMeasurement(this.#database, this.#own);
    this.#endedAt = row.ended_at;
    this.#acceptedProbes = row.probes;
    this.#publishedProbes = row.published_probes;
    this.#polled = JSON.stringify({ ...measurementView(row), agents: parts.map(partView) });
  }
}

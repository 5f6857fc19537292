/** How far the store is behind the broker: replies that are there, and those of them that are stored. */
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import { ingestGroups } from "../../../lib/engines/broker/ingest-feeds.ts";
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { until } from "../../faults/patience.ts";
import { LabError } from "../../lab/namespaces.ts";

interface LagSample {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly stored: number;
  /** In the broker and not stored yet. */
  readonly behind: number;
}

const lookEveryMs = 10;
const patienceMs = 60_000;

export class LagWatch {
  readonly #broker: Broker;

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  async now(): Promise<LagSample> {
    const positions = await this.#broker.positions(ingestGroups.replies, repliesTopic);
    const stored = positions.reduce((sum, { committed }) => sum + Number(committed), 0);
    const end = positions.reduce((sum, position) => sum + Number(position.end), 0);
    return { atMs: performance.timeOrigin + performance.now(), stored, behind: end - stored };
  }

  /** The first sample from now on that is so; rejects when it does not come. */
  until(what: string, isSo: (sample: LagSample) => boolean): Promise<LagSample> {
    const look = async () => {
      const sample = await this.now();
      if (!isSo(sample)) {
        throw new LabError(`replies ${JSON.stringify(sample)}`);
      }
      return sample;
    };
    return until(what, look, patienceMs);
  }

  /** Most that the store was behind until `over` has resolved. */
  async worstUntil(over: Promise<unknown>): Promise<number> {
    let isOver = false;
    void over.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    let worst = 0;
    while (!isOver) {
      worst = Math.max(worst, (await this.now()).behind);
      await Bun.sleep(lookEveryMs);
    }
    return worst;
  }
}

/**
 * Gauges that a service reads at a scrape from something that may be unavailable: its database, broker or daemon.
 *
 * A part that cannot be read loses only its own series, and `vantage_exporter_blind{part}` is 1 from the next
 * scrape on. Otherwise one unreachable database would hide every metric, or a stale value would appear current.
 */
import { Gauge, type Registry } from "prom-client";

/** Milliseconds that a part may take; Prometheus gives up on all metrics after 10 s. */
const readMsMax = 3000;

interface Series {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface SeenGauge {
  /** What is read: the value of the label `part`. */
  readonly part: string;
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Rejects, or throws, when it cannot see. */
  readonly read: () => Promise<readonly Series[]> | readonly Series[];
}

export class Sight {
  readonly #registry: Registry;
  readonly #blind: Gauge<"part">;
  /** Names of the gauges that could not be read, by part. */
  readonly #unseen = new Map<string, Set<string>>();

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#blind = new Gauge({
      name: "vantage_exporter_blind",
      help: "1 while the service cannot see what these of its metrics are about, and leaves them out",
      labelNames: ["part"],
      registers: [registry],
    });
  }

  add({ part, name, help, labelNames = [], read }: SeenGauge): void {
    const unseen = this.#unseen.get(part) ?? new Set<string>();
    this.#unseen.set(part, unseen);
    const blind = this.#blind;
    blind.set({ part }, 0);
    const collect = async function (this: Gauge) {
      try {
        const series = await inTime(read);
        this.reset();
        for (const { labels = {}, value } of series) {
          this.set(labels, value);
        }
        unseen.delete(name);
      } catch {
        this.reset();
        if (labelNames.length === 0) {
          // A gauge without a value would be exported as 0.
          this.remove();
        }
        unseen.add(name);
      }
      blind.set({ part }, unseen.size > 0 ? 1 : 0);
    };
    this.#registry.registerMetric(
      new Gauge({ name, help, labelNames: [...labelNames], registers: [], collect }),
    );
  }
}

async function inTime<T>(read: () => Promise<T> | T): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("no answer in time")), readMsMax);
  try {
    return await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The networks outside of the stack's exchange, and their collector: start and stop. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { defaultPorts } from "../../../../lib/engines/config/default-ports.ts";
import type { ExchangeSettings } from "../../../peering/exchange/settings.ts";
import { exchangeDirectory } from "../../gateway-folder.ts";
import { restartWaitMs } from "../../limits.ts";
import { freePort } from "../../listen.ts";
import { tellParent } from "../../parent.ts";
import { type RunningBird, startBird } from "../bird-process.ts";
import { collectorConf, upstreamConf } from "./bird-confs.ts";
import { forget, startCollector } from "./collector.ts";
import { makeLinks, removeLinks } from "./links.ts";
import { upstreams } from "./plan.ts";

interface OutsideOrder {
  readonly directory: string;
  readonly broker: string;
  readonly settings: ExchangeSettings;
}

interface Parts extends AsyncDisposable {
  /** Rejects when a part ends by itself; never resolves. */
  readonly failed: Promise<never>;
}

/** Whether the settings have both as neighbours: they are the user's, and may be of an earlier version. */
export function hasUpstreams({ neighbors }: Pick<ExchangeSettings, "neighbors">): boolean {
  return upstreams.every(({ link, asn }) =>
    neighbors.some((one) => one.address === link.upstream && one.asn === asn),
  );
}

/** All of it; started again where a part ends, so that the exchange and its users' sessions stay. */
export class Outside implements AsyncDisposable {
  readonly #order: OutsideOrder;
  readonly #port: number;
  readonly #stop = new AbortController();
  readonly #keeping: Promise<void>;

  private constructor(order: OutsideOrder, port: number, parts: Parts) {
    this.#order = order;
    this.#port = port;
    this.#keeping = this.#keep(parts);
  }

  /** Rejects with an Error, and leaves nothing, where a part cannot start. */
  static async start(order: OutsideOrder): Promise<Outside> {
    const port = freePort(defaultPorts.collector);
    return new Outside(order, port, await startParts(order, port));
  }

  /** The collector's address, without a slash at its end. */
  get collector(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#keeping;
  }

  async #keep(first: Parts): Promise<void> {
    const { signal } = this.#stop;
    const stopped = once(signal, "abort");
    for (let parts: Parts | null = first; parts !== null; parts = await this.#again()) {
      const reason = await Promise.race([stopped, parts.failed]).catch(systemReason);
      if (typeof reason === "string") {
        tellParent({ kind: "trouble", text: `${reason}; starting the networks outside again` });
      }
      await parts[Symbol.asyncDispose]();
    }
  }

  /** Null = it was stopped before. */
  async #again(): Promise<Parts | null> {
    const { signal } = this.#stop;
    for (let waitMs: number = restartWaitMs.first; !signal.aborted; ) {
      try {
        const parts = await startParts(this.#order, this.#port);
        tellParent({ kind: "well" });
        return parts;
      } catch (error) {
        tellParent({ kind: "trouble", text: systemReason(error) });
        await sleep(waitMs, null, { signal }).catch(() => undefined);
        waitMs = Math.min(2 * waitMs, restartWaitMs.last);
      }
    }
    return null;
  }
}

/** Rejects with an Error, and leaves nothing, where a part cannot start. */
async function startParts({ directory, broker, settings }: OutsideOrder, port: number): Promise<Parts> {
  await using owned = new AsyncDisposableStack();
  const at = (name: string) => join(exchangeDirectory(directory), name);
  const paths = { state: at("collector"), mrt: at("updates.mrt"), birdSocket: at("collector.ctl") };
  forget(paths);
  owned.defer(() => forget(paths));
  owned.defer(removeLinks);
  await makeLinks();
  const run = async (name: string, conf: string, namespace: string | null): Promise<RunningBird> => {
    const files = { config: at(`${name}.conf`), socket: at(`${name}.ctl`), pid: at(`${name}.pid`) };
    writeFileSync(files.config, conf, { mode: 0o600 });
    const bird = await startBird({ ...files, name: `the BIRD of ${name}`, namespace });
    owned.defer(bird.end);
    return bird;
  };
  const birds = [await run("collector", collectorConf(paths.mrt), null)];
  for (const one of upstreams) {
    birds.push(await run(one.name, upstreamConf(one, settings.exchange.asn), one.namespace));
  }
  const collector = owned.use(await startCollector(paths, { broker, port }));
  const failed = Promise.race([collector.failed, ...birds.map((bird) => bird.failed)]);
  failed.catch(() => undefined);
  const parts = owned.move();
  return { failed, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

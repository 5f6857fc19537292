/** Starts the networks outside of the stack's exchange, and the collector that hears them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExchangeSettings } from "../../../peering/exchange/settings.ts";
import { exchangeDirectory } from "../../gateway-folder.ts";
import { type RunningBird, startBird } from "../bird-process.ts";
import { collectorConf, upstreamConf } from "./bird-confs.ts";
import { forget, startCollector } from "./collector.ts";
import { makeLinks, removeLinks } from "./links.ts";
import { upstreams } from "./plan.ts";

interface Outside extends AsyncDisposable {
  /** The collector's address, without a slash at its end. */
  readonly collector: string;
  /** Rejects when a part ends by itself; never resolves. */
  readonly failed: Promise<never>;
}

interface OutsideOrder {
  readonly directory: string;
  readonly broker: string;
  readonly settings: ExchangeSettings;
}

/** Whether the settings have both as neighbours: they are the user's, and may be of an earlier version. */
export function hasUpstreams({ neighbors }: Pick<ExchangeSettings, "neighbors">): boolean {
  return upstreams.every(({ link, asn }) =>
    neighbors.some((one) => one.address === link.upstream && one.asn === asn),
  );
}

/** Rejects with an Error, and leaves nothing, where a part cannot start. */
export async function startOutside({ directory, broker, settings }: OutsideOrder): Promise<Outside> {
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
    const bird = await startBird({ ...files, namespace });
    owned.defer(bird.end);
    return bird;
  };
  const birds = [await run("collector", collectorConf(paths.mrt), null)];
  for (const one of upstreams) {
    birds.push(await run(one.name, upstreamConf(one, settings.exchange.asn), one.namespace));
  }
  const collector = owned.use(await startCollector(paths, broker));
  const failed = Promise.race([collector.failed, ...birds.map((bird) => bird.failed)]);
  failed.catch(() => undefined);
  const parts = owned.move();
  return { collector: collector.url, failed, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

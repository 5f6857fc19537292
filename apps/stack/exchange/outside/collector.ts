/** The collector of the stack's exchange: the routes at both upstreams, for `vantage routes`. */
import { renameSync, rmSync, statSync } from "node:fs";
import { openBroker } from "../../../../lib/engines/broker/open.ts";
import { serve } from "../../../../lib/engines/http/serve.ts";
import { jsonLog } from "../../../../lib/engines/observe/log.ts";
import { orderBird } from "../../../../lib/peering/bird/control.ts";
import { readCollectorConfig } from "../../../peering/collector/config.ts";
import { makeCollector } from "../../../peering/collector/service.ts";
import { mrtBytesMax, mrtLookMs } from "../../limits.ts";
import { collectorAddress } from "./plan.ts";

interface CollectorPaths {
  readonly state: string;
  /** Written by BIRD. */
  readonly mrt: string;
  readonly birdSocket: string;
}

interface RunningCollector extends AsyncDisposable {
  /** Rejects when it ends by itself; never resolves. */
  readonly failed: Promise<never>;
}

/** Routes of an earlier run belong to ended sessions. */
export function forget({ state, mrt }: CollectorPaths): void {
  for (const path of [state, mrt, rotated(mrt)]) {
    rmSync(path, { recursive: true, force: true });
  }
}

export async function startCollector(
  paths: CollectorPaths,
  { broker: brokerAddress, port }: { readonly broker: string; readonly port: number },
): Promise<RunningCollector> {
  await using owned = new AsyncDisposableStack();
  const log = jsonLog("collector");
  const broker = owned.use(await openBroker(brokerAddress, { log: (text) => log.warn(text) }));
  const { collector, watches, app } = makeCollector(configOf(paths, brokerAddress), broker, log);
  owned.use(collector);
  await collector.start();
  const listen = { host: "127.0.0.1", port, setting: "the collector's port" };
  owned.use(serve((request, connection) => app.fetch(request, connection), listen));
  owned.defer(() => watches.close());
  const stop = new AbortController();
  const running = collector.run(stop.signal);
  owned.defer(async () => {
    stop.abort();
    await running.catch(() => undefined);
  });
  const rotating = setInterval(
    () => void rotate(paths).catch((error) => log.warn("Cannot rotate", { error })),
    mrtLookMs,
  );
  owned.defer(() => clearInterval(rotating));
  const failed = running.then(() => new Promise<never>(() => {}));
  failed.catch(() => undefined);
  const parts = owned.move();
  return { failed, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

function configOf({ state, mrt }: CollectorPaths, brokers: string) {
  const given = {
    collector: { state_dir: state },
    // No router speaks BMP to it, so it shall not take that port from one that some do.
    bmp: { address: "127.0.0.1:0" },
    mrt: [{ file: mrt, router: collectorAddress }],
    kafka: { brokers },
  };
  return readCollectorConfig({ name: "the stack's collector", text: JSON.stringify(given) }, {});
}

function rotated(mrt: string): string {
  return `${mrt}.before`;
}

/** BIRD opens its file anew when it is configured; the collector reads the other one to its end. */
export async function rotate({ mrt, birdSocket }: CollectorPaths): Promise<void> {
  if ((statSync(mrt, { throwIfNoEntry: false })?.size ?? 0) > mrtBytesMax) {
    renameSync(mrt, rotated(mrt));
    await orderBird(birdSocket, "configure");
  }
}

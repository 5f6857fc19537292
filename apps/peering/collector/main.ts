/** `vantage collector`: reads its configuration, listens to routers until a signal. */
import { defineCommand } from "../../../lib/command/command/command.ts";
import { neededConfig } from "../../../lib/command/command/config-option.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { readConfigSource } from "../../../lib/engines/config/config-source.ts";
import { runService } from "../../../lib/engines/service/run-service.ts";
import { type CollectorConfig, readCollectorConfig } from "./config.ts";
import { makeCollector } from "./service.ts";

const name = "collector";

export const command = defineCommand({
  about: `Receives announcements and withdrawals by BMP and from MRT files, keeps the current table, and publishes \
each change for the column store, until SIGTERM. Keys: docs/reference/collector-configuration.md.`,
  options: { config: neededConfig },
  arguments: {},
  examples: ["vantage collector -c collector.yaml", "curl http://127.0.0.1:8096/status"],
  act: async ({ config: path }) => {
    const config = readCollectorConfig(readConfigSource(path), process.env);
    await runService({
      name,
      warnings: warningsOf(config),
      open: async (log, owned) => {
        const { address, login } = config.broker;
        const broker = owned.use(await openBroker(address, { login, log: (text) => log.warn(text) }));
        const { collector, watches, app } = makeCollector(config, broker, log);
        owned.use(collector);
        const port = await collector.start();
        return {
          fetch: (request, connection) => app.fetch(request, connection),
          listen: { ...config.listen, setting: "collector.address" },
          facts: { bmp: `${config.bmp.listen.host}:${port}`, files: config.mrt.length },
          work: (stop) => collector.run(stop),
          release: () => watches.close(),
          stays: "routes that stand are kept for the next start",
        };
      },
    });
    return exitCodes.ok;
  },
});

function warningsOf({ bmp, mrt }: CollectorConfig): string[] {
  return bmp.routers.length === 0 && mrt.length === 0
    ? ["bmp.routers is empty and no MRT file is given: no router can send routes"]
    : [];
}

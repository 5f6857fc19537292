/** `vantage probing-gateway`: reads the configuration, serves until a signal. */
import { keepFilesPrivate } from "../../../lib/base/disk/private-file.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { printErrorLine, printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { configOption } from "../../../lib/command/command/config-option.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { readConfigSource, refuseUnset } from "../../../lib/engines/config/config-source.ts";
import { gatewayWarnings, usersFact } from "../../../lib/engines/service/gateway-config.ts";
import { runService } from "../../../lib/engines/service/run-service.ts";
import { gatewayApp } from "./app.ts";
import { type ProbingGatewayConfig, readGatewayConfig } from "./config.ts";
import { openServices } from "./gateway.ts";
import { ListFile } from "./safety/list-file.ts";

export const command = defineCommand({
  about: `Runs until SIGTERM. Without a configuration, and for what it leaves out, everything is embedded in one \
folder, /var/lib/vantage/probing-gateway (docs/reference/probing-gateway-configuration.md).`,
  options: {
    config: configOption,
    check: { flag: true, default: false, meaning: "check the configuration, print a summary, and exit" },
  },
  arguments: {},
  notes: `Configuration, each key also a variable (VANTAGE_GATEWAY__ADDRESS=127.0.0.1:8093):
  gateway:
    address: 0.0.0.0:8093
  database:
    address: postgres://vantage@192.0.2.10/probing     # or pglite:DIR, for one gateway
  kafka:
    brokers: 192.0.2.11:9092                           # or embedded:DIR
  store:
    address: http://192.0.2.12:8123                    # or chdb:DIR of "vantage stack"
  oidc:
    issuer: https://login.example.net/
    audiences: [https://vantage.example.net]

SIGHUP reads the lists of destinations again. /docs of the running gateway describes the API.`,
  examples: ["vantage probing-gateway --check -c gateway.yaml", "vantage probing-gateway -c gateway.yaml"],
  exits: { ok: "stopped by a signal" },
  act: async ({ config: path, check: isCheck }) => {
    const source = readConfigSource(path);
    const config = readGatewayConfig(source, process.env);
    if (isCheck && path !== null) {
      refuseUnset(source, process.env);
    }
    return isCheck ? await check(config) : await serveUntilEnd(config);
  },
});

/** Rejects when something in the configuration cannot be used. */
async function check(config: ProbingGatewayConfig): Promise<ExitCode> {
  for (const warning of gatewayWarnings(config)) {
    printErrorLine(`warning: ${warning}`);
  }
  for (const path of [config.safety.blocklistFile, config.safety.allowlistFile]) {
    await (path === null ? null : ListFile.open(path));
  }
  return tell(config);
}

function tell(config: ProbingGatewayConfig): ExitCode {
  const { listen, stateDir, database, broker, storeAddress } = config;
  const facts = [
    ["listens on", `${listen.host}:${listen.port}`],
    ["state folder", stateDir],
    ["database", withoutPassword(database.address)],
    ["broker", `${broker.address}, topic ${broker.topic}`],
    ["column store", storeAddress === null ? "none: no results are served" : withoutPassword(storeAddress)],
    ["users", usersFact(config)],
  ] as const;
  for (const [what, value] of facts) {
    printLine(`${what.padEnd(12)}  ${value}`);
  }
  return exitCodes.ok;
}

async function serveUntilEnd(config: ProbingGatewayConfig): Promise<ExitCode> {
  keepFilesPrivate();
  await runService({
    name: "probing-gateway",
    warnings: gatewayWarnings(config),
    open: async (log, owned) => {
      const services = owned.use(await openServices(config, log));
      return {
        fetch: gatewayApp(services).fetch,
        listen: { ...config.listen, setting: "gateway.address" },
        facts: { gateway_id: services.gatewayId, database: services.database.address },
        reload: () => services.safety.reload(),
      };
    },
  });
  return exitCodes.ok;
}

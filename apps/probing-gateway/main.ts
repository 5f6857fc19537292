/** `vantage probing-gateway`: reads the configuration, serves until a signal. */
import { parseCommandLine, UsageError } from "../../lib/config/command-line.ts";
import { failedBy, readConfigSource } from "../../lib/config/config-source.ts";
import { keepFilesPrivate } from "../../lib/disk/private-file.ts";
import { gatewayWarnings } from "../../lib/service/gateway-config.ts";
import { runService } from "../../lib/service/run-service.ts";
import { withoutPassword } from "../../lib/store/without-password.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { gatewayApp } from "./app.ts";
import { type GatewayConfig, readGatewayConfig } from "./config.ts";
import { openServices } from "./gateway.ts";
import { gatewayHelp } from "./help.ts";
import { ListFile } from "./safety/list-file.ts";

const exitCodes = { ok: 0, usage: 2 } as const;

export const options = {
  config: { type: "string", short: "c", values: "file" },
  check: { type: "boolean" },
} as const;

interface Options {
  readonly config: string | null;
  readonly check: boolean;
}

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, Options>(args, {
    options,
    check: (values, positionals) => {
      if (positionals.length > 0) {
        throw new UsageError(`Unknown argument "${positionals[0]}"`);
      }
      return { config: values.config ?? null, check: values.check === true };
    },
  });
  if (parsed.kind === "help") {
    printLine(gatewayHelp.trimEnd());
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage probing-gateway: ${parsed.message} (see: vantage probing-gateway --help)`);
    return exitCodes.usage;
  }
  try {
    const config = readGatewayConfig(readConfigSource(parsed.options.config), process.env);
    return parsed.options.check ? await check(config) : await serveUntilEnd(config);
  } catch (error) {
    return failedBy("probing-gateway", error);
  }
}

/** Rejects with what cannot be used. */
async function check(config: GatewayConfig): Promise<number> {
  for (const warning of gatewayWarnings(config)) {
    printErrorLine(`warning: ${warning}`);
  }
  for (const path of [config.safety.blocklistFile, config.safety.allowlistFile]) {
    await (path === null ? null : ListFile.open(path));
  }
  return tell(config);
}

function tell({
  listen,
  stateDir,
  database,
  broker,
  storeAddress,
  oidc,
  bypassAuthentication,
}: GatewayConfig): number {
  const users = bypassAuthentication
    ? "everybody is test-user-id"
    : (oidc?.issuer ?? "none: no issuer is configured");
  const facts = [
    ["listens on", `${listen.host}:${listen.port}`],
    ["state folder", stateDir],
    ["database", withoutPassword(database.address)],
    ["broker", `${broker.address}, topic ${broker.topic}`],
    ["column store", storeAddress === null ? "none: no results are served" : withoutPassword(storeAddress)],
    ["users", users],
  ] as const;
  for (const [what, value] of facts) {
    printLine(`${what.padEnd(12)}  ${value}`);
  }
  return exitCodes.ok;
}

async function serveUntilEnd(config: GatewayConfig): Promise<number> {
  keepFilesPrivate();
  await runService({
    name: "probing-gateway",
    warnings: gatewayWarnings(config),
    open: async (log, owned) => {
      const services = owned.use(await openServices(config, log));
      return {
        fetch: gatewayApp(services).fetch,
        listen: config.listen,
        facts: { gateway_id: services.gatewayId, database: services.database.address },
        reload: () => services.safety.reload(),
      };
    },
  });
  return exitCodes.ok;
}

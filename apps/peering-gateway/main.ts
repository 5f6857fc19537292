/** `vantage peering-gateway`: reads the configuration, serves until a signal. */
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
import { poolSource } from "./pools/pool-source.ts";
import { makeSubjectKey } from "./subjects/subject-key.ts";

const exitCodes = { ok: 0, usage: 2 } as const;

export const options = {
  config: { type: "string", short: "c", values: "file" },
  check: { type: "boolean" },
  "make-key": { type: "boolean" },
} as const;

interface Options {
  readonly config: string | null;
  readonly work: "serve" | "check" | "makeKey";
}

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, Options>(args, {
    options,
    check: (values, positionals) => {
      if (positionals.length > 0) {
        throw new UsageError(`Unknown argument "${positionals[0]}"`);
      }
      const work = values["make-key"] === true ? "makeKey" : values.check === true ? "check" : "serve";
      return { config: values.config ?? null, work };
    },
  });
  if (parsed.kind === "help") {
    printLine(gatewayHelp.trimEnd());
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage peering-gateway: ${parsed.message} (see: vantage peering-gateway --help)`);
    return exitCodes.usage;
  }
  try {
    return await work(parsed.options);
  } catch (error) {
    return failedBy("peering-gateway", error);
  }
}

async function work({ config: path, work: what }: Options): Promise<number> {
  if (what === "makeKey") {
    printLine(makeSubjectKey(new Date().toISOString().slice(0, 10)));
    return exitCodes.ok;
  }
  const config = readGatewayConfig(readConfigSource(path), process.env);
  return what === "check" ? await tell(config) : await serveUntilEnd(config);
}

async function tell(config: GatewayConfig): Promise<number> {
  const { listen, database, oidc, bypassAuthentication, asnRanges, leases, email, rpki } = config;
  const runs = await (await poolSource(leases.pool)).runs();
  const prefixes = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const asns = asnRanges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const users = bypassAuthentication
    ? "everybody is test-user-id"
    : (oidc?.issuer ?? "none: no issuer is configured");
  const facts = [
    ["listens on", `${listen.host}:${listen.port}`],
    ["database", withoutPassword(database.address)],
    ["users", users],
    ["ASNs", String(asns)],
    ["prefixes", String(prefixes)],
    ["leases", `${leases.perUserMax} per user, up to ${leases.hoursMax} h`],
    ["e-mail", email === null ? "not known" : `${email.provider} at ${email.url}`],
    [
      "RPKI",
      `per ${rpki.mode}, ${rpki.adapter === "local" ? "published at /vrps.json" : "not published here"}`,
    ],
  ] as const;
  for (const [what, value] of facts) {
    printLine(`${what.padEnd(10)}  ${value}`);
  }
  for (const warning of gatewayWarnings(config)) {
    printErrorLine(`warning: ${warning}`);
  }
  return exitCodes.ok;
}

async function serveUntilEnd(config: GatewayConfig): Promise<number> {
  keepFilesPrivate();
  await runService({
    name: "peering-gateway",
    warnings: gatewayWarnings(config),
    open: async (log, owned) => {
      const services = owned.use(await openServices(config, log));
      return {
        fetch: gatewayApp(services).fetch,
        listen: config.listen,
        facts: { database: services.database.address },
        release: () => services.feed[Symbol.dispose](),
      };
    },
  });
  return exitCodes.ok;
}

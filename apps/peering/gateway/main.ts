/** `vantage peering-gateway`: reads the configuration, serves until a signal. */
import { keepFilesPrivate } from "../../../lib/base/disk/private-file.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { printErrorLine, printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { configOption } from "../../../lib/command/command/config-option.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { readConfigSource } from "../../../lib/engines/config/config-source.ts";
import { gatewayWarnings, usersFact } from "../../../lib/engines/service/gateway-config.ts";
import { runService } from "../../../lib/engines/service/run-service.ts";
import { gatewayApp } from "./app.ts";
import { type KrillConfig, type PeeringGatewayConfig, readGatewayConfig } from "./config.ts";
import { openServices } from "./gateway.ts";
import { poolSource } from "./pools/pool-source.ts";
import { makeSubjectKey } from "./subjects/subject-key.ts";

export const command = defineCommand({
  about: "Runs until SIGTERM.",
  options: {
    config: configOption,
    check: {
      flag: true,
      default: false,
      meaning: "read the configuration and the pool, say what they mean, and end",
    },
    makeKey: { flag: true, default: false, meaning: "print a new key for subjects.keys, and end" },
  },
  arguments: {},
  notes: `Configuration (docs/reference/peering-gateway-configuration.md), each key also a variable \
(VANTAGE_GATEWAY__ADDRESS=127.0.0.1:8094):
  gateway:
    address: 0.0.0.0:8094
  database:
    address: postgres://vantage@192.0.2.10/peering     # or pglite:DIR, for one gateway
  oidc:
    issuer: https://login.example.net/
    audiences: [https://vantage.example.net]
  leases:
    pool_file: /etc/vantage/prefixes.txt               # a block up to /48 per line, # comments
  subjects:
    keys_file: /etc/vantage/subject-keys               # the first line encrypts, all decrypt
  service:
    keys: [{ name: exchange-1, key_sha256: … }]        # or: POST /admin/service-keys

/docs of the running gateway describes the API.`,
  examples: [
    "vantage peering-gateway --check -c gateway.yaml",
    "vantage peering-gateway -c gateway.yaml",
    "vantage peering-gateway --make-key >> /etc/vantage/subject-keys",
  ],
  exits: { ok: "stopped by a signal" },
  act: async ({ config: path, check, makeKey }) => {
    if (makeKey) {
      printLine(makeSubjectKey(new Date().toISOString().slice(0, 10)));
      return exitCodes.ok;
    }
    const config = readGatewayConfig(readConfigSource(path), process.env);
    return check ? await tell(config) : await serveUntilEnd(config);
  },
});

async function tell(config: PeeringGatewayConfig): Promise<ExitCode> {
  const { listen, database, asnRanges, leases, email, rpki } = config;
  const runs = await (await poolSource(leases.pool)).runs();
  const prefixes = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const asns = asnRanges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const facts = [
    ["listens on", `${listen.host}:${listen.port}`],
    ["database", withoutPassword(database.address)],
    ["users", usersFact(config)],
    ["ASNs", String(asns)],
    ["prefixes", String(prefixes)],
    ["leases", `${leases.perUserMax} per user, up to ${leases.hoursMax} h`],
    ["e-mail", email === null ? "not known" : `${email.provider} at ${email.url}`],
    [
      "RPKI",
      `per ${rpki.mode}, ${rpki.adapter === "none" ? "not published here" : "published at /vrps.json"}`,
    ],
    ...(rpki.krill === null ? [] : [krillFact(rpki.krill)]),
  ] as const;
  for (const [what, value] of facts) {
    printLine(`${what.padEnd(10)}  ${value}`);
  }
  for (const warning of gatewayWarnings(config)) {
    printErrorLine(`warning: ${warning}`);
  }
  return exitCodes.ok;
}

function krillFact({ ca, url, hasAspas }: KrillConfig) {
  return [hasAspas ? "ROAs, ASPA" : "ROAs", `CA ${ca} of Krill at ${url}`] as const;
}

async function serveUntilEnd(config: PeeringGatewayConfig): Promise<ExitCode> {
  keepFilesPrivate();
  await runService({
    name: "peering-gateway",
    warnings: gatewayWarnings(config),
    open: async (log, owned) => {
      const services = owned.use(await openServices(config, log));
      return {
        fetch: gatewayApp(services).fetch,
        listen: { ...config.listen, setting: "gateway.address" },
        facts: { database: services.database.address },
        release: () => services.feed[Symbol.dispose](),
      };
    },
  });
  return exitCodes.ok;
}

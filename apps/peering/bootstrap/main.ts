/** `vantage bootstrap`: a user's side of the exchange. */
import { printLine } from "../../../lib/base/terminal/output.ts";
import { printRows } from "../../../lib/base/terminal/print-rows.ts";
import { defineCommand, defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { configOption } from "../../../lib/command/command/config-option.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import { choice } from "../../../lib/command/command/kinds.ts";
import { ConfigError } from "../../../lib/engines/config/config-error.ts";
import { readConfigSource } from "../../../lib/engines/config/config-source.ts";
import { hasVariables } from "../../../lib/engines/config/environment.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import { serveSocket } from "../../../lib/engines/http/serve-socket.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { runService } from "../../../lib/engines/service/run-service.ts";
import { askStatus } from "./ask-service.ts";
import { type BootstrapConfig, readBootstrapConfig, readStateFolder } from "./config.ts";
import { controlSocketIn } from "./control-socket.ts";
import { disagreements, leasesAtGateway } from "./leases.ts";
import { renderOnce } from "./render-once.ts";
import { followChanges, makeService } from "./service.ts";
import { statusColumns, statusRows } from "./status/status-rows.ts";
import { userText } from "./user-text.ts";

const name = "bootstrap";

const clocks = { nowMs: () => Date.now(), elapsedMs: () => performance.now() };

const config = {
  ...configOption,
  meaning: "its configuration, if any: docs/reference/bootstrap-configuration.md",
} as const;
const exits = { usage: "wrong usage, environment or configuration" } as const;
const about = `USER_ASN is the ASN that the gateway gave you. USER_PREFIXES is what you announce: nothing (receive \
only), a /48, or several with commas. Each key of the configuration is a variable too.`;

const run = defineCommand({
  about,
  options: { config },
  arguments: {},
  examples: ["USER_ASN=65001 USER_PREFIXES=2001:db8:1::/48 vantage bootstrap run -c bootstrap.yaml"],
  exits: { ok: "stopped by a signal", ...exits },
  act: ({ config: path }) => runUntilSignal(configIn(path)),
});

const check = defineCommand({
  about,
  options: { config },
  arguments: {},
  examples: ["USER_ASN=65001 vantage bootstrap check -c bootstrap.yaml"],
  exits: { ok: "good", failure: "something is not good", ...exits },
  act: async ({ config: path }) => await tellComplaints(configIn(path)),
});

const render = defineCommand({
  about,
  options: {
    config,
    daemon: {
      kind: choice(["bird", "frr"], "DAEMON"),
      defaultText: "the configured one",
      meaning: "for which daemon",
    },
  },
  arguments: {},
  examples: ["USER_ASN=65001 vantage bootstrap render --daemon frr"],
  exits,
  act: async ({ config: path, daemon }) => {
    const found = configIn(path);
    printLine((await renderOnce(found, daemon ?? found.daemon.kind)).trimEnd());
    return exitCodes.ok;
  },
});

const status = defineCommand({
  options: { config, ...formatOption },
  arguments: {},
  examples: ["vantage bootstrap status", "vantage bootstrap status -o json"],
  exits: { ok: "good", failure: "something is not good", ...exits },
  act: async ({ config: path, output }, { name: called }) => {
    const body = await askStatus(stateFolderIn(path));
    printRows(statusColumns, statusRows(body), output);
    for (const { text: step, advice, url, code } of body.steps.filter((one) => !one.is_done)) {
      const more = [url, code === null ? null : `code ${code}`].filter((part) => part !== null).join(", ");
      complain(called, `To do: ${step}. ${advice}${more === "" ? "" : `: ${more}`}`);
    }
    for (const { text: problem, advice } of body.problems) {
      complain(called, `${problem}. ${advice}`);
    }
    return body.problems.length === 0 ? exitCodes.ok : exitCodes.failure;
  },
});

export const command = defineGroup({
  about,
  subcommands: [
    subcommand("run", "keep the sessions with every exchange, until a signal", run),
    subcommand("check", "compare environment and configuration with the gateway's data", check),
    subcommand("render", "print the daemon's configuration, and change nothing", render),
    subcommand("status", "show sessions and announcements", status),
  ],
  elsewhere: {
    announce: "vantage announce PREFIX",
    withdraw: "vantage withdraw PREFIX",
    prepend: "vantage announce PREFIX --prepend N",
  },
  examples: [
    "USER_ASN=65001 vantage bootstrap check -c bootstrap.yaml",
    "USER_ASN=65001 USER_PREFIXES=2001:db8:1::/48 vantage bootstrap run -c bootstrap.yaml",
    "vantage bootstrap status -c bootstrap.yaml",
  ],
});

function configIn(path: string | null): BootstrapConfig {
  return readOrAdvise(path, (source) => readBootstrapConfig(source, process.env));
}

/** `status` needs the service's folder only: the service knows the user. */
function stateFolderIn(path: string | null): string {
  return readOrAdvise(path, (source) => readStateFolder(source, process.env));
}

function readOrAdvise<Found>(path: string | null, read: (source: YamlSource) => Found): Found {
  try {
    return read(readConfigSource(path));
  } catch (error) {
    if (!(error instanceof ConfigError) || path !== null || hasVariables(process.env)) {
      throw error;
    }
    const reason = "give --config FILE, or its keys as variables: VANTAGE_BOOTSTRAP_PLATFORM__ASN=64500";
    throw new ConfigError([...error.problems, { place: "no configuration", key: "", reason }]);
  }
}

async function runUntilSignal(config: BootstrapConfig): Promise<ExitCode> {
  await runService({
    name,
    warnings: [],
    open: async (log, owned) => {
      await compareWithGateway(config, log);
      const service = makeService(config, { log, ...clocks });
      const { client, app, control } = service;
      await client.parts.state.read();
      owned.use(serveSocket((request) => control.fetch(request), controlSocketIn(config.stateFolder)));
      return {
        fetch: (request, connection) => app.fetch(request, connection),
        listen: { ...config.listen, setting: "bootstrap.address" },
        work: (stop) => followChanges(service, stop),
        stays: "the sessions stay as they are",
      };
    },
  });
  return exitCodes.ok;
}

/** Rejects on problems that certainly keep the user out; the others are logged. */
async function compareWithGateway(config: BootstrapConfig, log: Logger): Promise<void> {
  const complaints = await complaintsOf(config).catch((error: unknown) => {
    // The known leases suffice to continue; an unreachable gateway must not keep a user out.
    if (error instanceof GatewayError && error.status === null) {
      log.warn("Cannot ask the gateway yet", { error });
      return [];
    }
    throw error;
  });
  const wrongAsn = complaints.find((line) => line.startsWith("USER_ASN"));
  if (wrongAsn !== undefined) {
    throw new Error(wrongAsn);
  }
  for (const text of complaints) {
    log.warn("Not as the gateway has it", { text });
  }
}

async function complaintsOf({ gateway, user }: BootstrapConfig): Promise<string[]> {
  return gateway === null ? [] : disagreements(user, await leasesAtGateway(gateway), Date.now());
}

async function tellComplaints(config: BootstrapConfig): Promise<ExitCode> {
  const complaints = await complaintsOf(config);
  for (const text of complaints) {
    printLine(`BAD   ${text}`);
  }
  if (complaints.length === 0) {
    const asked =
      config.gateway === null ? " (leases not checked: no gateway configured)" : ", as the gateway has it";
    printLine(`ok    ${userText(config.user, " with ", "no prefix (receive only)")}${asked}`);
  }
  return complaints.length === 0 ? exitCodes.ok : exitCodes.failure;
}

/** `vantage agent`: reads the configuration, runs the daemon until a signal, or checks the host. */
import { keepFilesPrivate } from "../../../lib/base/disk/private-file.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { printErrorLine, printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand, subcommand } from "../../../lib/command/command/command.ts";
import { neededConfig } from "../../../lib/command/command/config-option.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { openHttpWarnings } from "../../../lib/engines/config/addresses.ts";
import { readConfigSource } from "../../../lib/engines/config/config-source.ts";
import { runChecks } from "./check.ts";
import { type AgentConfig, readAgentConfig } from "./config/config.ts";
import { Daemon } from "./daemon.ts";
import { hostCommands } from "./host/host-commands.ts";
import { agentRegistry } from "./observe/metrics.ts";
import { startObserver } from "./observe/observer.ts";
import { canRead } from "./privileges/run-identity.ts";

const observeEveryMs = 1000;

export const command = defineCommand({
  about: `Runs until SIGTERM. Keys of the configuration: docs/reference/agent-configuration.md; environment \
variables (VANTAGE_AGENT__ID=west) override it.`,
  options: { config: neededConfig },
  arguments: {},
  subcommands: [
    subcommand(
      "check",
      "check that this host has what the agent needs, and how to fix what is missing",
      defineCommand({
        options: { config: neededConfig },
        arguments: {},
        examples: ["vantage agent check --config agent.yaml"],
        exits: {
          ok: "all checks passed",
          failure: "a check found a problem",
        },
        act: ({ config: path }) => check(configIn(path)),
      }),
    ),
    ...hostCommands,
  ],
  notes: `Signals: SIGTERM and SIGINT end the agent within agent.grace_time; SIGUSR2 stops all sending, and a second \
one resumes it. SIGHUP reads the configuration and the lists of destinations again: rates and source \
prefixes act at once, and the agent logs which other changes need a restart. /health and /metrics are served on \
agent.metrics_address.
With a gateway (gateway.url) the agent registers itself, reports each second, and takes orders: rate, source \
prefixes, pause, kill switch, cancelled measurements, blocklist. Without the gateway it keeps to its last orders. \
An agent one of whose threads has failed ends with 1, so that the service manager restarts it.`,
  examples: [
    "printf 'agent: {id: west, state_dir: /tmp/west}\\nprober: [{name: unicast, interface: eth0}]\\n' > agent.yaml",
    `printf 'kafka: {brokers: "embedded:/tmp/vantage-broker"}\\n' >> agent.yaml`,
    "vantage agent check --config agent.yaml && vantage agent --config agent.yaml",
  ],
  exits: { ok: "ended as asked" },
  act: ({ config: path }) =>
    serve(configIn(path), { path, read: () => readAgentConfig(readConfigSource(path), process.env) }),
});

function configIn(path: string): AgentConfig {
  const config = readAgentConfig(readConfigSource(path), process.env);
  for (const warning of openHttpWarnings(config.gateway?.url ?? "")) {
    printErrorLine(`warning: ${warning}`);
  }
  return config;
}

async function check(config: AgentConfig): Promise<ExitCode> {
  const results = await runChecks(config);
  const width = Math.max(...results.map(({ what }) => what.length));
  for (const { what, problem, detail } of results) {
    printLine(`${problem ? "problem" : "ok     "}  ${what.padEnd(width)}  ${detail}`);
  }
  return results.some(({ problem }) => problem) ? exitCodes.failure : exitCodes.ok;
}

interface Source {
  readonly path: string;
  readonly read: () => AgentConfig;
}

async function serve(config: AgentConfig, { path, read }: Source): Promise<ExitCode> {
  keepFilesPrivate();
  const daemon = await Daemon.start(config);
  try {
    const registry = agentRegistry(config.agentId, () => daemon.metrics());
    await using observer = startObserver({ listen: config.listen, registry, health: () => daemon.health() });
    printLine(
      `agent ${config.agentId} is running; health: ${observer.url}health, metrics: ${observer.url}metrics`,
    );
    if (!canRead(path)) {
      printErrorLine(`SIGHUP will have no effect: the agent, as it runs now, cannot read ${path}`);
    }
    await untilEnd(daemon, read);
    await daemon.stop();
  } catch (error) {
    await daemon.stop();
    throw error;
  } finally {
    tell(daemon);
  }
  return exitCodes.ok;
}

/**
 * Resolves at the first SIGTERM or SIGINT; until then observes the daemon once a second. Rejects when a worker has
 * ended: a restart by the service manager is better than half an agent.
 */
async function untilEnd(daemon: Daemon, read: () => AgentConfig): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onKillSwitch = () => {
    printErrorLine(
      daemon.toggleKillSwitch() ? "kill switch on: nothing is sent" : "kill switch off: sending continues",
    );
  };
  const timer = setInterval(() => {
    daemon.observe();
    tell(daemon);
    const ended = daemon.ended();
    if (ended.length > 0) {
      reject(new Error(`Cannot continue: ${ended.join(", ")} has ended; restart the agent`));
    }
  }, observeEveryMs);
  const onReload = () => reload(daemon, read);
  process.on("SIGTERM", resolve);
  process.on("SIGINT", resolve);
  process.on("SIGUSR2", onKillSwitch);
  process.on("SIGHUP", onReload);
  daemon.observe();
  try {
    await promise;
  } finally {
    clearInterval(timer);
    process.off("SIGUSR2", onKillSwitch);
    process.off("SIGHUP", onReload);
  }
}

/** SIGHUP. A bad configuration changes nothing. */
function reload(daemon: Daemon, read: () => AgentConfig): void {
  try {
    const keys = daemon.reload(read());
    printErrorLine("configuration read again");
    if (keys.length > 0) {
      printErrorLine(`changes of ${keys.join(", ")} take effect after a restart`);
    }
  } catch (error) {
    printErrorLine(`The previous configuration stays active: ${systemReason(error)}`);
  }
}

function tell(daemon: Daemon): void {
  for (const line of daemon.takeMessages()) {
    printErrorLine(line);
  }
}

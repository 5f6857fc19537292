/** `vantage agent`: reads the configuration, runs the daemon until a signal, or checks the host. */

import { openHttpWarnings } from "../../lib/config/addresses.ts";
import { type OptionValues, parseCommandLine, UsageError } from "../../lib/config/command-line.ts";
import { failedBy, readConfigSource } from "../../lib/config/config-source.ts";
import { keepFilesPrivate } from "../../lib/disk/private-file.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { runChecks } from "./check.ts";
import { type AgentConfig, readAgentConfig } from "./config/config.ts";
import { Daemon } from "./daemon.ts";
import { agentHelp } from "./help.ts";
import { agentRegistry } from "./observe/metrics.ts";
import { startObserver } from "./observe/observer.ts";
import { canRead } from "./privileges/standing.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;
const observeEveryMs = 1000;

export const options = { config: { type: "string", short: "c", values: "file" } } as const;
export const words = ["check"];

interface Order {
  readonly config: string;
  /** Check the host, and do not run. */
  readonly check: boolean;
}

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, Order>(args, { options, check: orderOf });
  if (parsed.kind === "help") {
    printLine(agentHelp);
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage agent: ${parsed.message} (see: vantage agent --help)`);
    return exitCodes.usage;
  }
  try {
    const { config: path, check: isCheck } = parsed.options;
    const read = () => readAgentConfig(readConfigSource(path), process.env);
    const config = read();
    for (const warning of openHttpWarnings(config.gateway?.url ?? "")) {
      printErrorLine(`warning: ${warning}`);
    }
    return isCheck ? await check(config) : await serve(config, { path, read });
  } catch (error) {
    return failedBy("agent", error);
  }
}

function orderOf({ config }: OptionValues<typeof options>, [command, ...more]: readonly string[]): Order {
  if (config === undefined || more.length > 0 || (command !== undefined && command !== "check")) {
    throw new UsageError("give --config FILE, and nothing or `check` besides");
  }
  return { config, check: command === "check" };
}

async function check(config: AgentConfig): Promise<number> {
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

async function serve(config: AgentConfig, { path, read }: Source): Promise<number> {
  keepFilesPrivate();
  const daemon = await Daemon.start(config);
  try {
    const registry = agentRegistry(config.agentId, () => daemon.metrics());
    await using observer = startObserver({ listen: config.listen, registry, health: () => daemon.health() });
    printLine(`agent ${config.agentId} runs; ${observer.url}health and ${observer.url}metrics tell how`);
    if (!canRead(path)) {
      printErrorLine(`SIGHUP will take nothing over: the agent, as it runs now, cannot read ${path}`);
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
 * Resolves at the first SIGTERM or SIGINT; until then looks after the daemon once a second. Rejects when a worker has
 * ended: a new start, which is the service manager's, is more than half an agent.
 */
async function untilEnd(daemon: Daemon, read: () => AgentConfig): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onKillSwitch = () => {
    printErrorLine(
      daemon.toggleKillSwitch() ? "kill switch on: nothing is sent" : "kill switch off: sending goes on",
    );
  };
  const timer = setInterval(() => {
    daemon.observe();
    tell(daemon);
    const ended = daemon.ended();
    if (ended.length > 0) {
      reject(new Error(`Cannot go on: ${ended.join(", ")} has ended; start the agent anew`));
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

/** SIGHUP. A configuration that cannot be used changes nothing. */
function reload(daemon: Daemon, read: () => AgentConfig): void {
  try {
    const keys = daemon.reload(read());
    printErrorLine("configuration read again");
    if (keys.length > 0) {
      printErrorLine(`changes of ${keys.join(", ")} act after a new start`);
    }
  } catch (error) {
    printErrorLine(`The former configuration holds: ${error instanceof Error ? error.message : error}`);
  }
}

function tell(daemon: Daemon): void {
  for (const line of daemon.news()) {
    printErrorLine(line);
  }
}

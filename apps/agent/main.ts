/** `vantage agent`: reads the configuration, runs the daemon until a signal, or checks the host. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ConfigError } from "../../lib/config/config-error.ts";
import { runChecks } from "./check.ts";
import { type AgentConfig, readAgentConfig } from "./config/config.ts";
import { Daemon } from "./daemon.ts";
import { agentHelp } from "./help.ts";
import { agentRegistry } from "./observe/metrics.ts";
import { startObserver } from "./observe/observer.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;
const observeEveryMs = 1000;

export async function run(args: string[]): Promise<number> {
  try {
    const options = {
      config: { type: "string", short: "c" },
      help: { type: "boolean", short: "h" },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (values.help === true) {
      console.log(agentHelp);
      return exitCodes.ok;
    }
    const [command, ...more] = positionals;
    if (values.config === undefined || more.length > 0 || (command !== undefined && command !== "check")) {
      throw new TypeError("give --config FILE, and nothing or `check` besides");
    }
    const config = readAgentConfig({ name: values.config, text: readText(values.config) }, process.env);
    return command === "check" ? await check(config) : await serve(config);
  } catch (error) {
    return explain(error);
  }
}

class UnreadableFile extends Error {}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UnreadableFile(
      `Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function explain(error: unknown): number {
  const isUsage =
    error instanceof TypeError || error instanceof ConfigError || error instanceof UnreadableFile;
  const text = error instanceof Error ? error.message : String(error);
  const see = error instanceof TypeError ? " (see: vantage agent --help)" : "";
  for (const line of text.split("\n")) {
    console.error(`vantage agent: ${line}${see}`);
  }
  return isUsage ? exitCodes.usage : exitCodes.failure;
}

async function check(config: AgentConfig): Promise<number> {
  const results = await runChecks(config);
  const width = Math.max(...results.map(({ what }) => what.length));
  for (const { what, problem, detail } of results) {
    console.log(`${problem ? "problem" : "ok     "}  ${what.padEnd(width)}  ${detail}`);
  }
  return results.some(({ problem }) => problem) ? exitCodes.failure : exitCodes.ok;
}

async function serve(config: AgentConfig): Promise<number> {
  const daemon = await Daemon.start(config);
  try {
    const registry = agentRegistry(config.agentId, () => daemon.metrics());
    await using observer = startObserver({ listen: config.listen, registry, health: () => daemon.health() });
    console.log(`agent ${config.agentId} runs; ${observer.url}health and ${observer.url}metrics tell how`);
    await untilEnd(daemon);
    await daemon.stop();
  } catch (error) {
    await daemon.stop();
    throw error;
  } finally {
    tell(daemon);
  }
  return exitCodes.ok;
}

/** Resolves at the first SIGTERM or SIGINT; until then looks after the daemon once a second. */
async function untilEnd(daemon: Daemon): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onKillSwitch = () => {
    console.error(
      daemon.toggleKillSwitch() ? "kill switch on: nothing is sent" : "kill switch off: sending goes on",
    );
  };
  const timer = setInterval(() => {
    daemon.observe();
    tell(daemon);
  }, observeEveryMs);
  process.on("SIGTERM", resolve);
  process.on("SIGINT", resolve);
  process.on("SIGUSR2", onKillSwitch);
  daemon.observe();
  await promise;
  clearInterval(timer);
  process.off("SIGUSR2", onKillSwitch);
}

function tell(daemon: Daemon): void {
  for (const line of daemon.news()) {
    console.error(line);
  }
}

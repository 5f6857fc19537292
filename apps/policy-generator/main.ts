/** `vantage policy-generator`: reads its configuration, then once, dry, or until a signal. */

import { openHttpWarnings } from "../../lib/config/addresses.ts";
import { type OptionValues, parseCommandLine, UsageError } from "../../lib/config/command-line.ts";
import { failedBy, readConfigSource } from "../../lib/config/config-source.ts";
import { helpText } from "../../lib/config/help-text.ts";
import { jsonLog } from "../../lib/observe/log.ts";
import { runService, untilAborted } from "../../lib/service/run-service.ts";
import { listenForInterrupt } from "../../lib/terminal/interruption.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { type GeneratorConfig, readGeneratorConfig } from "./config.ts";
import { dryRun } from "./dry-run.ts";
import { Heartbeat } from "./heartbeat.ts";
import { standbyLooks } from "./limits.ts";
import { keptFiles, makeService, steadyMs } from "./service.ts";
import { standBy } from "./standby.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;
const name = "policy-generator";

export const options = {
  config: { type: "string", short: "c", values: "file", value: "FILE", meaning: "its configuration" },
  standby: {
    type: "boolean",
    meaning: "do its work while another one, of the same configuration, is silent",
  },
  once: { type: "boolean", meaning: "ask the sources once, put the policy into force, and end" },
  "dry-run": { type: "boolean", meaning: "show what would change; write nothing, tell the daemon nothing" },
} as const;

interface Options {
  readonly config: string;
  readonly mode: "serve" | "once" | "dry" | "standby";
}

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, Options>(args, { options, check });
  if (parsed.kind === "help") {
    printLine(helpText({ name, purpose: "leases and VPN devices to routing policy", usage, options, more }));
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage ${name}: ${parsed.message} (see: vantage ${name} --help)`);
    return exitCodes.usage;
  }
  try {
    const { config: path, mode } = parsed.options;
    const config = readGeneratorConfig(readConfigSource(path), process.env);
    return await work[mode](config);
  } catch (error) {
    return failedBy(name, error);
  }
}

const usage = "--config FILE [--standby | --once | --dry-run]";
const more = `Runs on each exchange server, beside BIRD 2. Keys: docs/policy-generator-configuration.md.

Examples
  vantage policy-generator -c generator.yaml --dry-run
  vantage policy-generator -c generator.yaml
  vantage policy-generator -c generator.yaml --standby
  curl http://127.0.0.1:8091/policy

Exit codes: 0 done, 1 failure (with --once also when a source did not answer), 2 wrong usage.`;

function check(values: OptionValues<typeof options>, positionals: readonly string[]): Options {
  const { config, once = false, "dry-run": dry = false, standby = false } = values;
  if (config === undefined || positionals.length > 0) {
    throw new UsageError(
      config === undefined ? "Give --config FILE" : `Unknown argument "${positionals[0]}"`,
    );
  }
  if ([once, dry, standby].filter(Boolean).length > 1) {
    throw new UsageError("Give one of --standby, --once and --dry-run, not both");
  }
  return { config, mode: dry ? "dry" : once ? "once" : standby ? "standby" : "serve" };
}

const work = { serve: runUntilSignal, once: runOnce, dry: runDry, standby: runStandby } as const;

function parts(isDry = false) {
  return { log: jsonLog(name), nowMs: () => Date.now(), isDry };
}

async function runUntilSignal(config: GeneratorConfig): Promise<number> {
  await runService({
    name,
    warnings: openHttpWarnings(config.gateway.url),
    open: (log) => {
      const { app, loop } = makeService(config, { ...parts(), log });
      return {
        fetch: (request, connection) => app.fetch(request, connection),
        listen: config.listen,
        work: async (stop) => {
          await using running = loop;
          await running.start();
          await untilAborted(stop);
        },
        stays: "the policy stays in force",
      };
    },
  });
  return exitCodes.ok;
}

async function runStandby(config: GeneratorConfig): Promise<number> {
  using interruption = listenForInterrupt();
  const { log } = parts();
  const files = keptFiles(config.stateDir, "standby");
  const { standbyAfterMs: afterMs } = config;
  log.info("Stands by", { after_ms: afterMs });
  await standBy(
    {
      heartbeat: new Heartbeat(files.heartbeat, steadyMs),
      own: new Heartbeat(files.standby, steadyMs),
      afterMs,
      lookMs: afterMs / standbyLooks,
      makeDeputy: () => makeService(config, { ...parts(), isDeputy: true }).loop,
      log,
    },
    interruption.signal,
  );
  return exitCodes.ok;
}

async function runOnce(config: GeneratorConfig): Promise<number> {
  const { generator, loop, approver } = makeService(config, parts());
  // Else its timers would keep the process.
  await using _ending = loop;
  await generator.parts.watch.load();
  await generator.parts.knowledge.load();
  const isGood = await loop.refresh();
  await approver?.run();
  return isGood ? exitCodes.ok : exitCodes.failure;
}

async function runDry(config: GeneratorConfig): Promise<number> {
  const { generator } = makeService(config, parts(true));
  const { diff, haveAnswered } = await dryRun(generator);
  printLine(diff === "" ? "Nothing would change" : diff.trimEnd());
  return haveAnswered ? exitCodes.ok : exitCodes.failure;
}

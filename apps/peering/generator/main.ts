/** `vantage policy-generator`: reads its configuration, then runs once, dry, or until a signal. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenForInterrupt } from "../../../lib/base/terminal/interruption.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { neededConfig } from "../../../lib/command/command/config-option.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { openHttpWarnings } from "../../../lib/engines/config/addresses.ts";
import { readConfigSource } from "../../../lib/engines/config/config-source.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { runService, untilAborted } from "../../../lib/engines/service/run-service.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { type GeneratorConfig, readGeneratorConfig } from "./config.ts";
import type { Generator } from "./generator.ts";
import { Heartbeat } from "./heartbeat.ts";
import { standbyLooks } from "./limits.ts";
import { keptFiles, makeService, steadyMs } from "./service.ts";
import { sourceNames } from "./source-cache.ts";
import { standBy } from "./standby.ts";

const name = "policy-generator";

export const command = defineCommand({
  about:
    "Runs on each exchange server beside BIRD, until SIGTERM. Keys: docs/reference/policy-generator-configuration.md.",
  options: {
    config: neededConfig,
    standby: {
      flag: true,
      default: false,
      notWith: ["once", "dryRun"],
      meaning: "take over while another generator, of the same configuration, is silent",
    },
    once: {
      flag: true,
      default: false,
      notWith: ["dryRun"],
      meaning: "read the sources once, apply the policy, and exit",
    },
    dryRun: {
      flag: true,
      default: false,
      meaning: "show what would change; write nothing, do not notify the daemon",
    },
  },
  arguments: {},
  examples: [
    "vantage policy-generator -c generator.yaml --dry-run",
    "vantage policy-generator -c generator.yaml",
    "vantage policy-generator -c generator.yaml --standby",
    "curl http://127.0.0.1:8091/policy",
  ],
  exits: {
    failure: "failure, with --once also when a source did not answer",
  },
  act: async ({ config: path, standby, once, dryRun: isDry }) => {
    const config = readGeneratorConfig(readConfigSource(path), process.env);
    const mode = isDry ? "dry" : once ? "once" : standby ? "standby" : "serve";
    return await work[mode](config);
  },
});

const work = { serve: runUntilSignal, once: runOnce, dry: runDry, standby: runStandby } as const;

function parts(isDry = false) {
  return { log: jsonLog(name), nowMs: () => Date.now(), isDry };
}

async function runUntilSignal(config: GeneratorConfig): Promise<ExitCode> {
  await runService({
    name,
    warnings: openHttpWarnings(config.gateway.url),
    open: (log) => {
      const { app, loop } = makeService(config, { ...parts(), log });
      const { policyEndsSec: endsSec } = config.daemon;
      return {
        fetch: (request, connection) => app.fetch(request, connection),
        listen: { ...config.listen, setting: "generator.address" },
        work: async (stop) => {
          await using running = loop;
          await running.start();
          await untilAborted(stop);
        },
        stays: `the policy stays active${endsSec === 0 ? "" : `, for ${endsSec} s unless it is renewed`}`,
      };
    },
  });
  return exitCodes.ok;
}

async function runStandby(config: GeneratorConfig): Promise<ExitCode> {
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

/** What it applies does not expire: it is not renewed before the next run. */
async function runOnce(config: GeneratorConfig): Promise<ExitCode> {
  const daemon = { ...config.daemon, policyEndsSec: 0 };
  const { generator, loop, approver } = makeService({ ...config, daemon }, parts());
  // Else its timers would keep the process running.
  await using _ending = loop;
  await generator.parts.watch.load();
  await generator.parts.knowledge.load();
  const isGood = await loop.refresh();
  await approver?.run();
  return isGood ? exitCodes.ok : exitCodes.failure;
}

async function runDry(config: GeneratorConfig): Promise<ExitCode> {
  const { generator } = makeService(config, parts(true));
  const { diff, haveAnswered } = await dryRun(generator);
  printLine(diff === "" ? "Nothing would change" : diff.trimEnd());
  return haveAnswered ? exitCodes.ok : exitCodes.failure;
}

interface DryRun {
  /** Empty when nothing would change. */
  readonly diff: string;
  readonly haveAnswered: boolean;
}

/** The pending change, without writing anything or notifying the daemon. */
async function dryRun(generator: Generator): Promise<DryRun> {
  const answered = await Promise.all(sourceNames.map((source) => generator.refresh(source)));
  const text = policyText(generator.current().policy).text;
  return {
    diff: await diffOf(await generator.parts.file.text(), text),
    haveAnswered: !answered.includes(false),
  };
}

/** Uses diff(1), which every Debian has. */
async function diffOf(before: string, after: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vantage-policy-"));
  try {
    await writeFile(join(folder, "in-force"), before, { mode: 0o600 });
    await writeFile(join(folder, "would-be"), after, { mode: 0o600 });
    const labels = ["--label", "active", "--label", "new"];
    const command = ["diff", "-u", ...labels, "in-force", "would-be"];
    return await new Response(Bun.spawn(command, { cwd: folder, stdout: "pipe" }).stdout).text();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `vantage agent status`, `pause` and `resume`: what the host of an agent sees and decides on its own machine. */
import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { printLine } from "../../../../lib/base/terminal/output.ts";
import { defineCommand, subcommand } from "../../../../lib/command/command/command.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { neededConfig } from "../../../../lib/command/command/config-option.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { choice } from "../../../../lib/command/command/kinds.ts";
import { readConfigSource } from "../../../../lib/engines/config/config-source.ts";
import { type AgentConfig, readAgentConfig } from "../config/config.ts";
import { asFolderOwner } from "../state-folder.ts";
import { readHostFigures } from "./host-ledger.ts";
import { pause, pausedAtMs, resume } from "./host-pause.ts";
import { agentHealth, printStatus, statusJson, statusOf } from "./host-status.ts";

const checkEveryMs = 200;
/** The agent checks once a second. */
const followMs = 5000;

const status = defineCommand({
  about:
    "Shows what this machine sends for others: packets and bytes a day, the latest measurements, its limits.",
  options: {
    config: neededConfig,
    output: {
      kind: choice(["table", "json"], "FORMAT"),
      short: "o",
      default: "table",
      meaning: "form of the output",
    },
  },
  arguments: {},
  examples: ["vantage agent status --config agent.yaml"],
  exits: { ok: "the agent is running", failure: "it is not, or cannot be reached" },
  act: async ({ config: path, output }) => {
    const config = configAt(path);
    const figures = asOwner(config, () => readHostFigures(config.stateDir));
    const paused = asOwner(config, () => pausedAtMs(config.stateDir));
    const now = statusOf({
      config,
      figures,
      pausedAtMs: paused,
      health: await agentHealth(config),
      nowMs: Date.now(),
    });
    if (output === "json") {
      printLine(JSON.stringify(statusJson(now)));
    } else {
      printStatus(now);
    }
    return now.running ? exitCodes.ok : exitCodes.failure;
  },
});

const pauseCommand = defineCommand({
  about: `Stops sending on this machine within a second, also after restarts, until \`vantage agent resume\`. The \
gateway lists the agent as paused by its host; measurements that wait longer than a minute end with that reason.`,
  options: { config: neededConfig },
  arguments: {},
  examples: ["vantage agent pause --config agent.yaml"],
  exits: { ok: "paused" },
  act: async ({ config: path }) => switched(configAt(path), true),
});

const resumeCommand = defineCommand({
  options: { config: neededConfig },
  arguments: {},
  examples: ["vantage agent resume --config agent.yaml"],
  exits: { ok: "not paused any more" },
  act: async ({ config: path }) => switched(configAt(path), false),
});

export const hostCommands = [
  subcommand("status", "show what this host's agent sends, for whom, and its limits", status),
  subcommand("pause", "stop sending from this host until it is resumed", pauseCommand),
  subcommand("resume", "end this host's pause", resumeCommand),
];

function configAt(path: string): AgentConfig {
  return readAgentConfig(readConfigSource(path), process.env);
}

async function switched(config: AgentConfig, isPaused: boolean): Promise<ExitCode> {
  const { agentId, stateDir } = config;
  try {
    asOwner(config, () => (isPaused ? pause(stateDir) : resume(stateDir)));
  } catch (cause) {
    const action = isPaused ? "pause" : "resume";
    throw cannot(
      `Cannot ${action} ${agentId}: ${systemReason(cause)}; run it as root or as the agent's user`,
      {
        cause,
      },
    );
  }
  printLine(await outcome(config, isPaused));
  return exitCodes.ok;
}

/** Waits until the running agent has followed. */
async function outcome(config: AgentConfig, isPaused: boolean): Promise<string> {
  const { agentId } = config;
  const untilMs = performance.now() + followMs;
  do {
    const health = await agentHealth(config);
    if (health === null) {
      return `${agentId} is ${isPaused ? "paused" : "not paused"}; no running agent was found on this machine`;
    }
    if (health.holds.some(({ by }) => by === "host") === isPaused) {
      const others = health.holds.flatMap(({ by, reason }) => (by === "host" ? [] : [reason]));
      const more = others.length === 0 ? "" : `; but ${others.join("; ")}: nothing is sent`;
      return isPaused ? `${agentId} is paused: nothing is sent` : `${agentId} is not paused any more${more}`;
    }
    await wait(checkEveryMs);
  } while (performance.now() < untilMs);
  throw cannot(`${agentId} did not follow in ${followMs / 1000} s: see its log`);
}

function asOwner<Result>({ stateDir, agentId }: AgentConfig, act: () => Result): Result {
  try {
    statSync(stateDir);
  } catch (cause) {
    const what = `Cannot read the state folder of agent ${agentId}`;
    throw cannot(`${what}: ${systemReason(cause)}; has it run here? (see: agent.state_dir)`, { cause });
  }
  return asFolderOwner(stateDir, act);
}

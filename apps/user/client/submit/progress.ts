/** The client's progress: a few lines that are redrawn on a terminal. Pure. */
import { grouped, progressBar } from "../../../../lib/base/terminal/figures.ts";
import type { AgentProgress } from "./agent-watch.ts";
import type { IntakeCount } from "./intake.ts";

/** Agents shown one by one; a terminal has some 24 lines. */
const agentsShown = 16;

export function readingLine({ probes, bad }: IntakeCount): string {
  const skipped = bad === 0 ? "" : `, ${grouped(bad)} bad ${bad === 1 ? "line" : "lines"}`;
  return `reading     ${grouped(probes)} probes${skipped}`;
}

export function publishingLine(published: number, probes: number): string {
  return `publishing  ${progressBar(published / probes)}  ${grouped(published)} of ${grouped(probes)} probes`;
}

/** A line for each agent, those that are not done first. */
export function agentLines(agents: readonly AgentProgress[]): string[] {
  const ordered = [...agents].sort((a, b) => Number(isDone(a)) - Number(isDone(b)));
  const width = Math.max(...agents.map(({ agent }) => agent.length));
  const lines = ordered.slice(0, agentsShown).map((progress) => agentLine(progress, width));
  const hidden = agents.length - lines.length;
  return hidden > 0 ? [...lines, `… and ${hidden} more agents`] : lines;
}

function agentLine({ agent, probes, taken, state }: AgentProgress, width: number): string {
  const words = {
    waiting: "has taken nothing yet",
    probing: `has taken ${grouped(taken)} of ${grouped(probes)} probes`,
    settling: `has taken all ${grouped(probes)} probes; replies may still come`,
    finished: `has finished: ${grouped(probes)} probes`,
  };
  return `${agent.padEnd(width)}  ${progressBar(taken / probes)}  ${words[state]}`;
}

function isDone({ state }: AgentProgress): boolean {
  return state === "finished";
}

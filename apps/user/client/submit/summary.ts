/** The result of a submission, for people and for programs. Pure. */
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { formatTarget, type Target } from "../../../../lib/engines/submission/targets.ts";
import type { AgentProgress } from "./agent-watch.ts";

export interface Summary {
  readonly measurementId: string;
  readonly topic: string;
  readonly targets: readonly Target[];
  /** Good lines. */
  readonly probes: number;
  readonly skipped: number;
  /** Published for every target; less than `probes` after an interruption. */
  readonly published: number;
  readonly records: number;
  readonly notAfterMs: number;
  /** Empty without waiting for the agents. */
  readonly agents: readonly AgentProgress[];
  readonly outcome: "published" | "finished" | "expired" | "interrupted" | "failed";
}

/** A few lines; the last one is the next step. */
export function summaryText(summary: Summary): string {
  const { measurementId, probes, published, skipped, records, topic, targets, outcome } = summary;
  const names = targets.length > 4 ? `${targets.length} targets` : targets.map(formatTarget).join(", ");
  const part = published === probes ? grouped(probes) : `${grouped(published)} of ${grouped(probes)}`;
  const recordsText = `${grouped(records)} ${records === 1 ? "record" : "records"}`;
  const lines = [
    `Measurement ${measurementId}`,
    `  ${part} ${probes === 1 ? "probe" : "probes"} published for ${names}: ${recordsText} in ${topic}`,
    ...(skipped === 0 ? [] : [`  ${grouped(skipped)} bad ${skipped === 1 ? "line" : "lines"} skipped`]),
    ...summary.agents.map(agentText),
    ...(published > 0 && outcome !== "finished" ? [`  ${nextText(summary)}`] : []),
  ];
  return lines.join("\n");
}

function agentText({ agent, probes, taken, state }: AgentProgress): string {
  return state === "finished"
    ? `  ${agent} has finished: ${grouped(probes)} probes`
    : `  ${agent} has taken ${grouped(taken)} of ${grouped(probes)} probes`;
}

function nextText({ outcome, notAfterMs }: Summary): string {
  const until = new Date(notAfterMs).toISOString();
  if (outcome === "expired") {
    return `Not finished by ${until}: agents skip what is left`;
  }
  return `Agents send what is published until ${until}`;
}

/** One object in one line: the same in snake_case, times in RFC 3339. */
export function summaryJson(summary: Summary): string {
  const { measurementId, topic, targets, probes, skipped, published, records, agents, outcome } = summary;
  return JSON.stringify({
    measurement_id: measurementId,
    outcome,
    topic,
    targets: targets.map(formatTarget),
    probes,
    published_probes: published,
    skipped_lines: skipped,
    records,
    not_after: new Date(summary.notAfterMs).toISOString(),
    agents: agents.map(({ agent, probes: own, taken, state }) => ({
      agent,
      probes: own,
      taken_probes: taken,
      state,
    })),
  });
}

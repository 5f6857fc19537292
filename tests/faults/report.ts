/** What a run has found: figures for each fault, and everything that must not be. Pure. */
import type { KillTrace } from "./kill-trace.ts";
import type { LeaseFigures } from "./lease-load.ts";
import type { Sums } from "./tally.ts";
import type { Told } from "./told.ts";

interface FaultFigures extends Sums {
  readonly name: string;
  readonly what: string;
  readonly killsAgent: boolean;
  readonly awaySec: number;
  readonly backAfterSec: number;
  readonly refusedLeases: number;
  /** Where the lost replies of a killed agent were; null = none was killed. */
  readonly trace: KillTrace | null;
}

export interface Report {
  readonly probes: number;
  /** Rate of each agent; null = as slow as `probes` makes it. */
  readonly rateProbesPerSec: number | null;
  readonly outageSec: number;
  readonly restartSec: number;
  readonly faults: readonly FaultFigures[];
  /** Before the first fault. */
  readonly outside: Sums;
  readonly strangers: number;
  readonly wrongProbeRows: number;
  /** Number among all accepted measurements. */
  readonly openMeasurements: number;
  /** Probes x agents, of all submissions. */
  readonly accepted: number;
  readonly told: Told;
  readonly leases: LeaseFigures;
  /** Whether the policy in force grants exactly the leases of the database at the end. */
  readonly isPolicyRight: boolean;
  /** Vantage processes that have ended without being killed. */
  readonly crashes: Readonly<Record<string, number>>;
  /** Answers to submissions, by status and code of the problem; 0 = none. */
  readonly answers: Readonly<Record<string, number>>;
  readonly totalSec: number;
}

/** What a fault may cost at most; what is not named, nothing. */
interface Allowances {
  /** When an agent is killed: milliseconds of answers that may be in the kernel's ring. */
  readonly tailMsMax: number;
  readonly repeatedMax: number;
}

/** The kernel drops packets between namespaces when 1,000 of them wait for a core (netdev_max_backlog). */
const unansweredShareMax = 0.001;

const nothing: Allowances = { tailMsMax: 0, repeatedMax: 0 };

/** One line for each thing that must not be; none when all is as it must be. */
export function problemsOf(report: Report, allowances: Allowances): string[] {
  const found = report.faults.flatMap((fault) => [
    ...sumProblems(fault.name, fault, fault.killsAgent ? allowances : nothing, explainedOf(fault)),
    ...traceProblems(fault, allowances),
  ]);
  const crashes = Object.entries(report.crashes).filter(([, count]) => count > 0);
  return [
    ...found,
    ...sumProblems("before the first fault", report.outside, nothing, 0),
    ...(report.strangers === 0 ? [] : [`${report.strangers} packets that nobody had asked for`]),
    ...(report.wrongProbeRows === 0 ? [] : [`${report.wrongProbeRows} submitted probes wrong in the store`]),
    ...(report.openMeasurements === 0 ? [] : [`${report.openMeasurements} measurements without an end`]),
    ...(report.told.sentProbes === report.accepted
      ? []
      : [`${report.told.sentProbes} probes told as sent, of ${report.accepted} accepted`]),
    ...(report.leases.lost === 0 ? [] : [`${report.leases.lost} leases lost`]),
    ...(report.leases.doubled === 0 ? [] : [`${report.leases.doubled} leases doubled`]),
    ...(report.isPolicyRight ? [] : ["the policy in force does not fit the leases"]),
    ...crashes.map(([name, count]) => `${name} has ended by itself ${count} times`),
  ];
}

/** Lost replies that have a cause. */
function explainedOf({ trace }: FaultFigures): number {
  return trace === null ? 0 : trace.inKernel + trace.whileAway;
}

function traceProblems({ name, trace }: FaultFigures, { tailMsMax }: Allowances): string[] {
  if (trace === null) {
    return [];
  }
  const { unexplained, tailMs } = trace;
  return [
    ...(unexplained === 0
      ? []
      : [`${name}: ${unexplained} lost answers without a cause: ${JSON.stringify(trace)}`]),
    ...(tailMs <= tailMsMax ? [] : [`${name}: the kernel had answers of ${tailMs} ms`]),
  ];
}

function sumProblems(where: string, sums: Sums, { repeatedMax }: Allowances, explained: number): string[] {
  const checks = [
    [sums.neverSent, 0, "accepted probes never sent"],
    [sums.repeated, repeatedMax, "packets sent twice"],
    [sums.lostReplies - explained, 0, "replies lost without a cause"],
    [sums.unanswered, sums.sent * unansweredShareMax, "probes that the router did not answer"],
    [sums.doubledRows, 0, "rows doubled"],
  ] as const;
  return checks.flatMap(([count, max, what]) => (count > max ? [`${where}: ${count} ${what}`] : []));
}

const columns: readonly (readonly [title: string, of: (fault: FaultFigures) => string | number])[] = [
  ["fault", ({ what }) => what],
  ["away s", ({ awaySec }) => awaySec.toFixed(1)],
  ["well again after s", ({ backAfterSec }) => backAfterSec.toFixed(1)],
  ["probes sent", ({ sent }) => sent],
  ["never sent", ({ neverSent }) => neverSent],
  ["sent twice", ({ repeated }) => repeated],
  ["replies lost", ({ lostReplies }) => lostReplies],
  ["not answered on the wire", ({ unanswered }) => unanswered],
  ["in the kernel's ring", ({ trace }) => trace?.inKernel ?? 0],
  ["while no agent ran", ({ trace }) => trace?.whileAway ?? 0],
  ["rows doubled", ({ doubledRows }) => doubledRows],
  ["leases refused", ({ refusedLeases }) => refusedLeases],
];

function askedFor({ probes, rateProbesPerSec }: Report): string {
  return rateProbesPerSec === null
    ? `${probes} probes asked for`
    : `${rateProbesPerSec} probes/s asked of each agent`;
}

/** What a killed agent had lost, and how that is known. */
function traceText({ what, trace }: FaultFigures): string[] {
  if (trace === null) {
    return [];
  }
  const { arrived, handedOver, inKernel, tailMs, whileAway, askedAgain, unexplained } = trace;
  return [
    `${what}: ${arrived} answers had come to its interface, ${handedOver} had been handed over by capture. Lost: ` +
      `${inKernel} in the kernel's ring, of the last ${tailMs.toFixed(1)} ms; ${whileAway} that came while no agent ` +
      `ran; ${unexplained} without a cause. ${askedAgain} more belong to probes that were sent again.`,
  ];
}

/** As a table of Markdown, and what holds for the whole. */
export function reportText(report: Report): string {
  const rows = report.faults.map((fault) => columns.map(([, of]) => of(fault)).join(" | "));
  const { leases } = report;
  const answers = Object.entries(report.answers).map(([status, count]) => `${status}: ${count}`);
  return [
    `| ${columns.map(([title]) => title).join(" | ")} |`,
    `| --- |${" ---: |".repeat(columns.length - 1)}`,
    ...rows.map((row) => `| ${row} |`),
    "",
    `${askedFor(report)}; engines away for ${report.outageSec} s, processes started again after ` +
      `${report.restartSec} s; ${Math.round(report.totalSec)} s in all.`,
    `${report.accepted} probes accepted, by agents that were there; told to users: ` +
      `${report.told.sentProbes} sent, ${report.told.receivedReplies} replies.`,
    ...report.faults.flatMap(traceText),
    `Leases: ${leases.taken} taken, ${leases.released} released, ${leases.refused} requests refused, ` +
      `${leases.lost} lost, ${leases.doubled} doubled.`,
    `Answers to submissions by status (0 = none): ${answers.join(", ")}.`,
    "",
  ].join("\n");
}

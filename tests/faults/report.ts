/** What a run has found: figures for each fault, and everything that must not be. Pure. */
import type { LeaseFigures } from "./lease-load.ts";
import type { Sums } from "./tally.ts";
import type { Told } from "./told.ts";

export interface FaultFigures extends Sums {
  readonly name: string;
  readonly what: string;
  readonly killsAgent: boolean;
  readonly awaySec: number;
  readonly backAfterSec: number;
  readonly refusedLeases: number;
}

export interface Report {
  readonly probes: number;
  readonly outageSec: number;
  readonly restartSec: number;
  readonly faults: readonly FaultFigures[];
  /** Before the first fault. */
  readonly outside: Sums;
  readonly strangers: number;
  readonly wrongProbeRows: number;
  /** Of all those that were accepted. */
  readonly openMeasurements: number;
  /** Probes x agents, of all submissions. */
  readonly accepted: number;
  readonly told: Told;
  readonly leases: LeaseFigures;
  /** Whether the policy in force grants exactly the leases of the database at the end. */
  readonly isPolicyRight: boolean;
  /** Processes of ours that have ended without being killed. */
  readonly crashes: Readonly<Record<string, number>>;
  /** Answers to submissions, by status; 0 = none. */
  readonly answers: Readonly<Record<string, number>>;
  readonly totalSec: number;
}

/** What a fault may cost at most; what is not named, nothing. */
export interface Allowances {
  /** When an agent is killed. */
  readonly lostMax: number;
  readonly repeatedMax: number;
}

const nothing: Allowances = { lostMax: 0, repeatedMax: 0 };

/** One line for each thing that must not be; none when all is as it must be. */
export function problemsOf(report: Report, allowances: Allowances): string[] {
  const found = report.faults.flatMap((fault) =>
    sumProblems(fault.name, fault, fault.killsAgent ? allowances : nothing),
  );
  const crashes = Object.entries(report.crashes).filter(([, count]) => count > 0);
  return [
    ...found,
    ...sumProblems("before the first fault", report.outside, nothing),
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

function sumProblems(where: string, sums: Sums, { lostMax, repeatedMax }: Allowances): string[] {
  const checks = [
    [sums.neverSent, 0, "accepted probes never sent"],
    [sums.repeated, repeatedMax, "packets sent twice"],
    [sums.lostReplies, lostMax, "replies lost"],
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
  ["rows doubled", ({ doubledRows }) => doubledRows],
  ["leases refused", ({ refusedLeases }) => refusedLeases],
];

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
    `${report.probes} probes asked for; engines away for ${report.outageSec} s, processes started again after ` +
      `${report.restartSec} s; ${Math.round(report.totalSec)} s in all.`,
    `${report.accepted} probes accepted, by agents that were there; told to users: ` +
      `${report.told.sentProbes} sent, ${report.told.receivedReplies} replies.`,
    `Leases: ${leases.taken} taken, ${leases.released} released, ${leases.refused} requests refused, ` +
      `${leases.lost} lost, ${leases.doubled} doubled.`,
    `Answers to submissions by status (0 = none): ${answers.join(", ")}.`,
    "",
  ].join("\n");
}

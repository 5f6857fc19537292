/** What a bench found, as a table for people or as one JSON object a line for programs. */
import { shown, spreadOf } from "./spread.ts";

export interface Figure {
  /** As `packets/s`. */
  readonly unit: string;
  readonly decimals: number;
  /** One value a round for each subject that has this figure. */
  readonly rounds: ReadonlyMap<string, readonly number[]>;
}

export interface BenchReport {
  readonly bench: string;
  readonly what: string;
  /** Ours first; every other is a reference. */
  readonly subjects: readonly string[];
  readonly references: readonly string[];
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
  /** Figures across in the page of all figures, where more than usual fit. */
  readonly columnsMax?: number;
}

export function printReport(report: BenchReport, asJson: boolean): void {
  console.log(asJson ? jsonLines(report) : table(report));
}

/**
 * An object for each of our subjects, reference and figure; `value` and `referenceValue` are medians. A bench without
 * references has one object for each figure, with null for them.
 */
function jsonLines({ bench, subjects, references, figures }: BenchReport): string {
  const ours = subjects.filter((subject) => !references.includes(subject));
  const lines = figures.flatMap((figure) =>
    ours
      .filter((subject) => figure.rounds.has(subject))
      .flatMap((subject) =>
        referencesOf(figure, references).map((reference) => {
          const value = medianOf(figure, subject);
          const referenceValue = reference === null ? null : medianOf(figure, reference);
          const ratio = referenceValue === null ? null : Number((value / referenceValue).toFixed(3));
          const rounds = figure.rounds.get(subject)?.length ?? 0;
          return { bench, subject, reference, value, referenceValue, unit: figure.unit, ratio, rounds };
        }),
      ),
  );
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

/** Those that have the figure; null when there is none. */
function referencesOf(figure: Figure, references: readonly string[]): readonly (string | null)[] {
  const found = references.filter((reference) => figure.rounds.has(reference));
  return found.length === 0 ? [null] : found;
}

function medianOf(figure: Figure, subject: string): number {
  return Number(spreadOf(figure.rounds.get(subject) ?? []).median.toFixed(figure.decimals));
}

function table({ what, subjects, figures, notes }: BenchReport): string {
  const rows = [
    ["", ...figures.flatMap((figure) => [figure.unit, "min – max"])],
    ...subjects.map((subject) => [subject, ...figures.flatMap((figure) => cells(figure, subject))]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
  );
  return [what, "", ...lines, "", ...notes].join("\n");
}

function cells(figure: Figure, subject: string): string[] {
  const values = figure.rounds.get(subject);
  if (values === undefined) {
    return ["", ""];
  }
  const { median, min, max } = spreadOf(values);
  const [middle = "", low, high] = [median, min, max].map((value) => shown(value, figure.decimals));
  return [middle, `${low} – ${high}`];
}

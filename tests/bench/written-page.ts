/**
 * Figures of a bench in the page of all figures: what stands between `<!-- bench NAME -->` and `<!-- end -->` is made
 * by `--write`, what stands around it is written by people. A bench that the page does not have is put at its end.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchReport, Figure } from "./report.ts";
import { shown, spreadOf } from "./spread.ts";

export const figuresPage = "docs/internals/benchmarks.md";
/** More columns than this do not fit a page, unless a bench says so. */
const figureColumnsMax = 4;
const subjectColumnsMax = 3;

/** `circumstances`: machine, commit and load, in one line. */
export function writeFigures(report: BenchReport, circumstances: string): void {
  const path = join(import.meta.dirname, "../..", figuresPage);
  writeFileSync(path, withFigures(readFileSync(path, "utf8"), report, circumstances));
}

export function withFigures(page: string, report: BenchReport, circumstances: string): string {
  const [begin, end] = [`<!-- bench ${report.bench} -->`, "<!-- end -->"];
  const command = `\`npm run bench -- ${report.bench}\``;
  const section = [
    begin,
    `${command}: ${report.what}.`,
    `At ${circumstances}.`,
    "",
    ...table(report),
    "",
    ...report.notes.map((note) => `- ${note}`),
    end,
  ].join("\n");
  const from = page.indexOf(begin);
  if (from < 0) {
    return `${page.trimEnd()}\n\n## ${report.bench}\n\n${section}\n`;
  }
  const to = page.indexOf(end, from);
  if (to < 0) {
    throw new Error(`Cannot write figures: "${begin}" has no "${end}" in ${figuresPage}`);
  }
  return page.slice(0, from) + section + page.slice(to + end.length);
}

/** Subjects down and figures across where that fits and is filled; else a row for each value. */
function table({ subjects, figures, columnsMax = figureColumnsMax }: BenchReport): string[] {
  const values = figures.reduce((sum, { rounds }) => sum + rounds.size, 0);
  const isFilled = values > (subjects.length * figures.length) / 2;
  if (isFilled && figures.length > subjectColumnsMax && subjects.length <= subjectColumnsMax) {
    const rows = figures.map((figure) => [figure.unit, ...subjects.map((subject) => cell(figure, subject))]);
    return tableLines(["", ...subjects], rows);
  }
  if (isFilled && figures.length <= columnsMax) {
    const rows = subjects.map((subject) => [subject, ...figures.map((figure) => cell(figure, subject))]);
    return tableLines(["", ...figures.map(({ unit }) => unit)], rows);
  }
  const rows = subjects.flatMap((subject) =>
    figures
      .filter(({ rounds }) => rounds.has(subject))
      .map((figure) => [subject, figure.unit, cell(figure, subject)]),
  );
  return tableLines(["", "", ""], rows);
}

function cell(figure: Figure, subject: string): string {
  const values = figure.rounds.get(subject);
  if (values === undefined) {
    return "";
  }
  const { median, min, max } = spreadOf(values);
  const [middle, low, high] = [median, min, max].map((value) => shown(value, figure.decimals));
  return low === high ? `${middle}` : `${middle} (${low} – ${high})`;
}

function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll("|", "/")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)];
}

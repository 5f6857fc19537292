import { expect, test } from "bun:test";
import type { BenchReport } from "./report.ts";
import { withFigures } from "./written-page.ts";

const report: BenchReport = {
  bench: "parse",
  what: "Reading 10 replies, median of 3 rounds",
  subjects: ["ours", "theirs"],
  references: ["theirs"],
  figures: [
    {
      unit: "replies/s",
      decimals: 0,
      rounds: new Map([
        ["ours", [3000, 1000, 2000]],
        ["theirs", [7]],
      ]),
    },
  ],
  notes: ["Half IPv4."],
};
const section = `<!-- bench parse -->
\`npm run bench -- parse\`: Reading 10 replies, median of 3 rounds.
At commit abc.

|  | replies/s |
|---|---|
| ours | 2,000 (1,000 – 3,000) |
| theirs | 7 |

- Half IPv4.
<!-- end -->`;

test("figures take the place of those of the same bench, and nothing else changes", () => {
  const page = (inner: string) => `# Page\n\nWords.\n\n${inner}\n\n<!-- bench send -->\nold\n<!-- end -->\n`;
  const before = page("<!-- bench parse -->\nold\n<!-- end -->");
  expect(withFigures(before, report, "commit abc")).toBe(page(section));
  expect(withFigures(page(section), report, "commit abc")).toBe(page(section));
});

test("a bench that the page does not have comes at its end", () => {
  expect(withFigures("# Page\n", report, "commit abc")).toBe(`# Page\n\n## parse\n\n${section}\n`);
});

test("a place that does not end is refused, not written over the rest", () => {
  expect(() => withFigures("<!-- bench parse -->\nwords\n", report, "")).toThrow('has no "<!-- end -->"');
});

test("many figures of few subjects go down the page; figures of one subject each get a row each", () => {
  const figures = ["a", "b", "c", "d"].map((unit) => ({ ...report.figures[0], unit, decimals: 0 }));
  const full = figures.map((figure) => ({ ...figure, rounds: new Map([["ours", [1]]]) }));
  const both = full.map((figure) => ({
    ...figure,
    rounds: new Map([
      ["ours", [1]],
      ["theirs", [2]],
    ]),
  }));
  expect(withFigures("", { ...report, figures: both }, "")).toContain(
    "|  | ours | theirs |\n|---|---|---|\n| a | 1 | 2 |",
  );
  const sparse = full.map((figure, i) => ({ ...figure, rounds: new Map([[`s${i}`, [i]]]) }));
  const subjects = ["s0", "s1", "s2", "s3"];
  expect(withFigures("", { ...report, subjects, figures: sparse }, "")).toContain("| s3 | d | 3 |");
});

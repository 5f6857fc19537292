/** Text of a user in the notations of an export. */
import { expect, test } from "bun:test";
import type { Description } from "./description.ts";
import { citationBibtex, citationFile, readme } from "./texts.ts";

const description: Description = {
  ...{ format: "vantage-export-1", measurement_id: "my_1", title: 'a "b": {c} \\ <i>|', authors: [] },
  ...{ complete: false, gateway: "https://g.example", seed: null, licence: null, context_sets: [] },
  versions: { vantage: "1", column_store: null },
  unattributed: { ambiguous: 2, early: 0 },
  files: [{ path: "replies/2026-11-22.parquet", rows: 1234 }],
};

test("a title cannot leave its place in any of them", () => {
  expect(citationFile(description, "2026-11-22")).toContain('\ntitle: "a \\"b\\": {c} \\\\ <i>|"\n');
  expect(citationFile(description, "2026-11-22")).toContain('\n  - name: "unknown author"\n');
  expect(citationBibtex(description, "2026-01-22")).toBe(`@misc{vantagemy1,
  author = {{unknown author}},
  title = {{a "b": \\{c\\} \\textbackslash{} <i>|}},
  year = {2026},
  month = {1},
  howpublished = {Data set of Vantage},
  note = {Measurement my\\_1},
}
`);
  expect(readme(description)).toStartWith('# a "b": \\{c\\} \\\\ &lt;i\\>\\|\n');
});

test("it says what is in it, and what is not", () => {
  const text = readme(description);
  expect(text).toContain(
    "| replies/2026-11-22.parquet | replies captured on that day, UTC, by time | 1,234 |\n",
  );
  expect(text).toContain("No licence is granted");
  expect(text).toContain("had not ended");
  expect(text).toContain("Not in these files: 2 replies that may answer another measurement, 0 that");
  expect(text).toContain("| measurement_id | empty if unknown |");
  expect(readme({ ...description, licence: "CC0-1.0", gateway: null })).toContain(
    "spdx.org/licenses/CC0-1.0.html",
  );
});

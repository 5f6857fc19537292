/** The readable files of an export, and its citations: README.md, CITATION.cff, citation.bib. Pure. */
import * as v from "valibot";
import { viewOf } from "../../../../lib/answers/results/views.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Description } from "./description.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const nobody = "unknown author";

/** Citation File Format 1.2.0: YAML, in which JSON strings are valid. `day` is the last results' day. */
export function citationFile(
  { measurement_id: id, title, authors, licence }: Description,
  day: string,
): string {
  const lines = [
    "cff-version: 1.2.0",
    "type: dataset",
    'message: "If you use these results, please cite them."',
    `title: ${JSON.stringify(title)}`,
    "authors:",
    ...(authors.length === 0 ? [nobody] : authors).map((name) => `  - name: ${JSON.stringify(name)}`),
    `date-released: ${day}`,
    ...(licence === null ? [] : [`license: ${JSON.stringify(licence)}`]),
    "identifiers:",
    "  - type: other",
    `    value: ${JSON.stringify(uuid.test(id) ? `urn:uuid:${id}` : id)}`,
    '    description: "The measurement, in Vantage"',
  ];
  return `${lines.join("\n")}\n`;
}

/** One entry `@misc`; BibTeX's special characters are escaped. */
export function citationBibtex({ measurement_id: id, title, authors }: Description, day: string): string {
  const key = `vantage${id.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 12)}`;
  const names = (authors.length === 0 ? [nobody] : authors).map((name) => `{${bibtex(name)}}`);
  const fields = {
    author: names.join(" and "),
    title: `{${bibtex(title)}}`,
    year: day.slice(0, 4),
    month: String(Number(day.slice(5, 7))),
    howpublished: "Data set of Vantage",
    note: `Measurement ${bibtex(id)}`,
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}},`);
  return `@misc{${key},\n${lines.join("\n")}\n}\n`;
}

const bibtexWords: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

function bibtex(text: string): string {
  return text.replaceAll(/[\\{}~^$&%#_]/g, (sign) => bibtexWords[sign] ?? `\\${sign}`);
}

export function readme(description: Description): string {
  const { title, measurement_id: id, files } = description;
  return `# ${markdown(title)}

Results of the measurement \`${id.replaceAll("`", "'")}\`, kept by \`vantage export\`: they do not change any more.

| file | holds | rows |
|---|---|---:|
${files.map(({ path, rows }) => `| ${path} | ${aboutFile(path)} | ${grouped(rows)} |`).join("\n")}
${description.gateway === null ? "" : "| measurement.json | the measurement and its agents, as the gateway says | |\n"}\
| export.json | versions, seed, context sets, licence, rows of each file | |
| CITATION.cff, citation.bib | how to cite this | |
| SHA256SUMS | the checksum of each file | |

${termsOf(description)}

\`vantage export --verify .\` compares all files with the checksums and counts the rows again; \`sha256sum --check
SHA256SUMS\` does the first half. The files are Parquet: \`SELECT * FROM 'replies/*.parquet'\` in DuckDB,
\`pyarrow.dataset.dataset("replies")\` in Python. Times are UTC, in nanoseconds; RTTs are in milliseconds, without a
value where they are not known.
${unattributed(description)}
## Columns of replies

${columnsOf("replies")}

## Columns of probes

${columnsOf("probes")}
`;
}

function aboutFile(path: string): string {
  return path.startsWith("replies/")
    ? "replies captured on that day, UTC, by time"
    : "probes as they were submitted, by place";
}

function termsOf({ licence, complete, context_sets: sets }: Description): string {
  const terms =
    licence === null
      ? "No licence is granted: ask the authors before you pass these results on."
      : `Licence: [${licence}](https://spdx.org/licenses/${licence}.html).`;
  const state = complete === false ? "The measurement had not ended: more results may have come since." : "";
  const names = sets.map(({ date }) => date).join(", ");
  const context =
    names === "" ? "" : `Sets of context that apply: ${names}; their sources are in export.json.`;
  return [terms, state, context].filter((sentence) => sentence !== "").join("\n\n");
}

function unattributed({ unattributed: { ambiguous, early } }: Description): string {
  return ambiguous + early === 0
    ? ""
    : `\nNot in these files: ${ambiguous} replies that may answer another measurement, ${early} that came before their \
probe was submitted.\n`;
}

function columnsOf(name: "replies" | "probes"): string {
  const { schema } = viewOf(name);
  const { entries } = schema as unknown as { entries: Readonly<Record<string, v.GenericSchema>> };
  const rows = Object.entries(entries).map(([column, one]) => {
    return `| ${column} | ${markdown(descriptionOf(one))} |`;
  });
  return `| column | meaning |\n|---|---|\n${rows.join("\n")}`;
}

function descriptionOf(schema: v.GenericSchema): string {
  return v.getDescription(schema) ?? "";
}

/** Untrusted text: escapes Markdown and HTML. */
function markdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|&]/g, (sign) =>
    sign === "<" ? "&lt;" : sign === "&" ? "&amp;" : `\\${sign}`,
  );
}

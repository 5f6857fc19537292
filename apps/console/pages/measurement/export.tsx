/** @jsxImportSource hono/jsx */
/** The shown results as files in every format, and the equivalent command line and API request. */
import { type ViewName, viewOf } from "../../../../lib/answers/results/views.ts";
import { columnForms } from "../../../../lib/measuring/formats/forms.ts";
import type { Visit } from "../../page.ts";
import { chosenOf } from "../../parts/list-path.ts";
import { chosenBy, resultPath } from "./result-path.ts";

interface ExportProps {
  readonly visit: Visit;
  /** Its path in the API. */
  readonly at: string;
  /** For the user's commands; null = another user's. */
  readonly id: string | null;
  readonly name: ViewName;
  /** Shown context of addresses; null = none. */
  readonly context: string | null;
}

export function Export({ visit, at, id, name, context }: ExportProps) {
  const view = viewOf(name);
  const forms = [
    ...["json", "ndjson", "csv", ...(view.hasColumns ? columnForms : [])],
    ...(view.picture === undefined ? [] : ["svg"]),
  ];
  const traces = viewOf("traces");
  const programs = Object.keys(traces.writers ?? {});
  const svg = view.picture === undefined ? "" : ` --svg ${name}.svg`;
  const filters = [...chosenOf(visit, chosenBy)].map(([one, value]) => `--${one}=${quoted(value)}`);
  const { origin } = visit.url;
  const known = context === null ? {} : { with: context };
  const more = context === null ? [] : [`--with ${context}`];
  const command = ["vantage replies", `-v ${name}`, ...filters, ...more, `--gateway ${origin}`, id].join(" ");
  const token = id === null ? "" : '-H "Authorization: Bearer $VANTAGE_TOKEN" ';
  const url = `${origin}${resultPath(visit, at, name, { ...known, format: "json" })}`;
  return (
    <section class="card" aria-labelledby="export-title">
      <h2 id="export-title">Export</h2>
      <p>
        Download: <Files visit={visit} at={at} view={name} forms={forms} more={known} />
      </p>
      <p>
        Other formats: <Files visit={visit} at={at} view="traces" forms={programs} more={{}} />
      </p>
      {id === null ? null : (
        <p>
          Command line: <code>{`${command}${svg}`}</code>
        </p>
      )}
      <p>
        API: <code>{`curl ${token}${quoted(url)}`}</code>
      </p>
    </section>
  );
}

interface FilesProps {
  readonly visit: Visit;
  readonly at: string;
  readonly view: string;
  readonly forms: readonly string[];
  readonly more: Readonly<Record<string, string>>;
}

function Files({ visit, at, view, forms, more }: FilesProps) {
  return (
    <>
      {forms.map((form) => (
        <>
          <a
            href={`/console/call${resultPath(visit, at, view, { ...more, format: form })}`}
            download={`${view}.${form}`}
          >
            {form}
          </a>{" "}
        </>
      ))}
    </>
  );
}

/** Quotes any text as one shell word. */
function quoted(text: string): string {
  return /^[\w:./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

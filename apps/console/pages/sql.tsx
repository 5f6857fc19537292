/** @jsxImportSource hono/jsx */
/** Results by SQL: a statement, its rows, and files of them. */
import * as v from "valibot";
import { limitsAnswer } from "../../../lib/base/api/users.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { ApiProblem } from "../api-client.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { rowsMax } from "../parts/api-rows.tsx";
import { orFailure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { rowOf } from "../parts/links.tsx";
import { RowsNav } from "../parts/paging.tsx";
import { type Column, Table } from "../parts/table.tsx";

/** A statement is in the page's address, which browsers and proxies take up to some 8 kB. */
const statementCharsMax = 6000;
const linkCharsMax = 1000;

const resultAnswer = v.object({
  meta: v.array(v.object({ name: v.string(), type: v.string() })),
  data: v.array(v.array(v.unknown())),
});
type Row = readonly unknown[];

const formats = {
  CSVWithNames: "csv",
  TabSeparatedWithNames: "tsv",
  JSONEachRow: "ndjson",
  Parquet: "parquet",
  Arrow: "arrow",
} as const;

const examples: readonly { readonly what: string; readonly sql: string }[] = [
  {
    what: "Answers and median RTT by agent",
    sql:
      "SELECT agent_id, count() AS answers, median(rtt) / 10 AS median_ms FROM replies " +
      "WHERE rtt < 65535 GROUP BY agent_id ORDER BY answers DESC",
  },
  {
    what: "Routers that answer for most destinations",
    sql:
      "SELECT reply_src_addr AS router, uniq(probe_dst_addr) AS destinations FROM replies " +
      "GROUP BY router ORDER BY destinations DESC",
  },
  {
    what: "Answers of each hour of the last day",
    sql:
      "SELECT toStartOfHour(time_received_ns) AS hour, count() AS answers FROM replies " +
      "WHERE date >= today() - 1 GROUP BY hour ORDER BY hour",
  },
  { what: "Columns of a table", sql: "DESCRIBE TABLE replies" },
];

export const sqlPage: ConsolePage = {
  path: "/console/sql",
  navigation: { word: "SQL", key: "q" },
  show: async (visit) => ({ title: "SQL", body: await SqlPage({ visit }) }),
};

async function SqlPage({ visit }: { readonly visit: Visit }) {
  const { query } = visit;
  const limits = await visit.api.get("/api/limits", limitsAnswer);
  const { remaining, limit } = limits.sql_seconds_per_day;
  const statement = (query.get("query") ?? "").trim();
  const found = statement === "" ? null : await orFailure(resultOf(visit));
  return (
    <>
      <p>
        Your measurements, public ones, and those of shared links, in ClickHouse's SQL. Tables:{" "}
        <code>replies</code>, <code>probes</code>, <code>history</code>, <code>bmp.updates</code>.
      </p>
      <form class="column" method="get" action="/console/sql">
        <label class="field">
          <span>Statement</span>
          <textarea
            name="query"
            rows={6}
            required
            maxlength={statementCharsMax}
            spellcheck={false}
            placeholder="SELECT agent_id, count() FROM replies GROUP BY agent_id"
          >
            {statement}
          </textarea>
        </label>
        <div class="row">
          <Field
            label="Shared links whose results are read, too"
            name="link"
            value={query.get("link")}
            hint="optional"
            grows
          />
          <button type="submit" class="main">
            Run query
          </button>
        </div>
        <p class="soft">
          {`${grouped(remaining)} of ${grouped(limit)} seconds of SQL left today. `}
          By the command line: <code>vantage sql -f FILE</code>
        </p>
      </form>
      {found === null ? null : (found.failure?.body ?? <Result visit={visit} result={found.value} />)}
      <h2>Examples</h2>
      <ul>
        {examples.map(({ what, sql }) => (
          <li>
            <a href={`/console/sql?${new URLSearchParams({ query: sql })}`}>{what}</a>
            <br />
            <code>{sql}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** In the API, as a file or as a page of rows. */
function pathOf({ query }: Pick<Visit, "query">, more: Readonly<Record<string, string>>): string {
  const asked = new URLSearchParams({ query: (query.get("query") ?? "").trim(), ...more });
  const links = (query.get("link") ?? "")
    .slice(0, linkCharsMax)
    .split(/[\s,]+/)
    .filter(Boolean);
  if (links.length > 0) {
    // The secret at the end of an address, or the secret itself.
    asked.set("link", links.map((link) => link.replace(/^.*\/shared\//, "")).join(","));
  }
  return `/api/sql?${asked}`;
}

/** Rejects with the engine's reason. */
async function resultOf(visit: Visit) {
  const page = {
    default_format: "JSONCompact",
    limit: String(rowsMax + 1),
    offset: String(rowOf(visit) - 1),
  };
  try {
    return await visit.api.get(pathOf(visit, page), resultAnswer);
  } catch (error) {
    throw error instanceof ApiProblem && error.code === "unreadable_answer"
      ? new ApiProblem(400, "not_rows", "The result is not a table: leave FORMAT out of the statement")
      : error;
  }
}

interface ResultProps {
  readonly visit: Visit;
  readonly result: v.InferOutput<typeof resultAnswer> | null;
}

function Result({ visit, result }: ResultProps) {
  const { meta, data } = result ?? { meta: [], data: [] };
  const first = rowOf(visit);
  const rows = data.slice(0, rowsMax);
  const isMore = data.length > rows.length;
  return (
    <section id="result" aria-label="Result">
      <Table
        caption="Rows of the result"
        columns={meta.map(columnOf)}
        rows={rows}
        none={first === 1 ? "The result has no rows." : "The result has no more rows."}
      />
      <RowsNav
        visit={visit}
        {...{ first, shown: rows.length, all: first - 1 + rows.length, isMore, hasNext: isMore }}
      />
      <p>
        Download all rows:{" "}
        {Object.entries(formats).map(([format, extension]) => (
          <>
            <a
              href={`/console/call${pathOf(visit, { default_format: format })}`}
              download={`result.${extension}`}
            >
              {extension}
            </a>{" "}
          </>
        ))}
      </p>
    </section>
  );
}

function columnOf({ name, type }: { name: string; type: string }, i: number): Column<Row> {
  return {
    head: visible(name),
    isFigure: /^(Nullable\()?(U?Int|Float|Decimal)/.test(type),
    cell: (row) => visible(textOf(row[i])) || "–",
  };
}

function textOf(value: unknown): string {
  return value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
}

/** `vantage sql`: a query of results at the gateway, in ClickHouse's SQL. */
import { parsedJson } from "../../../../lib/base/api/parsed-json.ts";
import { visible } from "../../../../lib/base/terminal/foreign-text.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { wholeText } from "../../../../lib/command/command/file-chunks.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { file, kindOf, text, unfit } from "../../../../lib/command/command/kinds.ts";
import { answerBytes, answerLines } from "../../../../lib/engines/gateway-client/answer-bytes.ts";
import { clientSide, GatewayError } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { sqlAnswerMs, statementBytesMax } from "../limits.ts";

const formatName = kindOf("NAME", "any", (given) =>
  /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(given) ? given : unfit("is not a format of ClickHouse, as Parquet"),
);

type Row = readonly unknown[];

export const command = gatewayCommand({
  about: `Tables: vantage.replies, vantage.probes, saimiris.replies, bmp.updates; DESCRIBE TABLE NAME lists columns.
They hold your measurements, public ones, and those of --link. A FORMAT in the statement is not needed.`,
  options: {
    file: { kind: file, short: "f", meaning: "file with the statement; - is standard input" },
    format: {
      kind: formatName,
      meaning: "write this format of ClickHouse as it is: Parquet, Arrow, TabSeparated",
    },
    link: {
      kind: text,
      placeholder: "LINK",
      multiple: true,
      meaning: "shared link whose results are read too",
    },
  },
  arguments: { statement: { kind: text, meaning: "the statement" } },
  examples: [
    'vantage sql "SELECT agent_id, count() FROM replies GROUP BY agent_id"',
    "vantage sql -f query.sql -o csv",
    'vantage sql "SELECT * FROM replies" --format Parquet > replies.parquet',
  ],
  act: async (session, { statement, file: path, format, link }) => {
    const gateway = await session.open();
    const query = {
      default_format: format ?? "JSONCompactEachRowWithNames",
      ...(link.length === 0 ? {} : { link: link.map(secretOf).join() }),
      // Numbers of 64 bits are exact as text only.
      ...(format === null ? { output_format_json_quote_64bit_integers: 1 } : {}),
    };
    const response = await gateway
      .request("/api/sql", {
        ...{ method: "POST", repeatable: true, answerMs: sqlAnswerMs, signal: session.signal, query },
        body: await statementOf(statement, path),
      })
      .catch(withEngineReason);
    if (response.headers.has("vantage-measurements-left-out")) {
      session.note("you may read more measurements than one query can; the oldest are left out");
    }
    await (format === null ? printRows(session, response) : writeBytes(session, response));
    return exitCodes.ok;
  },
});

async function statementOf(statement: string | null, path: string | null): Promise<string> {
  if ((statement === null) === (path === null)) {
    throw wrongUsage("give a statement, or a file of one with -f");
  }
  if (path === null) {
    return statement ?? "";
  }
  const tooLong = () => wrongUsage(`the statement has more than ${statementBytesMax} bytes`);
  return wholeText(path, statementBytesMax, tooLong);
}

/** The secret at the end of a link, or the secret itself. */
function secretOf(link: string): string {
  return link.replace(/^.*\/shared\//, "");
}

const engineReason = /Code: \d+\. DB::Exception: (.*)/s;

/** ClickHouse's own words are the message. */
function withEngineReason(error: unknown): never {
  const [, reason] = error instanceof GatewayError ? (engineReason.exec(error.message) ?? []) : [];
  throw error instanceof GatewayError && reason !== undefined
    ? new GatewayError(reason.trim(), { status: error.status, code: error.code })
    : error;
}

async function writeBytes({ screen }: GatewaySession, response: Response): Promise<void> {
  for await (const piece of answerBytes(response)) {
    screen.write(piece);
  }
}

async function printRows(session: GatewaySession, response: Response): Promise<void> {
  let output: ReturnType<typeof session.output<Row>> | null = null;
  for await (const line of answerLines(response)) {
    const row = parsedJson(line);
    if (!Array.isArray(row)) {
      throw clientSide(
        "badAnswer",
        visible(engineReason.exec(line)?.[1] ?? "The result is not rows of JSON"),
      );
    }
    if (output === null) {
      output = session.output(row.map(columnOf));
    } else {
      output.add(row);
    }
  }
  output?.finish();
}

function columnOf(name: unknown, i: number): Column<Row> {
  const shown = visible(String(name));
  return { name: shown, head: shown, value: (row) => row[i], text: (row) => visible(textOf(row[i])) };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return "";
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

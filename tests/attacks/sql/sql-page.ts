/**
 * The tables of statements in docs/internals/sql-attacks.md, by section: a statement, and what its sender gets.
 *
 * `{other}` stands for the id of another user's measurement, `{secret}` for its destination, `{digest}` for the name of
 * the set that shows it.
 */

import type { SqlResponse } from "./sql-home.ts";

interface AttackStatement {
  readonly section: string;
  readonly sql: string;
  /** `497 ACCESS_DENIED`, or the begin of the rows. */
  readonly gets: string;
}

const row = /^\| `` (.*) `` \| (.*) \|$/;

export function statementsIn(page: string): AttackStatement[] {
  return page
    .split(/^## /m)
    .slice(1)
    .flatMap((text) => {
      const [section = "", ...lines] = text.split("\n");
      return lines.flatMap((line) => {
        const [, sql, gets] = row.exec(line) ?? [];
        return sql === undefined || gets === undefined
          ? []
          : [{ section, sql: sql.replaceAll("\\|", "|"), gets: gets.replaceAll("\\|", "|") }];
      });
    });
}

export function lineOf({ sql, gets }: Pick<AttackStatement, "sql" | "gets">): string {
  return `| \`\` ${sql.replaceAll("|", "\\|")} \`\` | ${gets.replaceAll("|", "\\|")} |`;
}

/** What never ends by itself is stopped by the time of a query, which its sender may only make shorter. */
export const quick = "?max_execution_time=3";

export const stopped = "stopped by a limit";

const shownChars = 60;

/** Which of them comes first depends on the machine: rows, time, speed, memory, recursion, and size of a result. */
const limits = new Set(["158", "159", "160", "241", "306", "307", "396"]);

/** What the table says of a response. */
export function getsOf({ status, text, isCut }: Pick<SqlResponse, "status" | "text" | "isCut">): string {
  if (isCut) {
    return stopped;
  }
  const [, number, name] = /Code: (\d+)\..*\(([A-Z_]+)\)[^()]*$/s.exec(text) ?? [];
  if (number !== undefined && limits.has(number)) {
    return stopped;
  }
  if (number !== undefined) {
    return `${number} ${name}`;
  }
  const shown = text.trim().replaceAll("\t", " ").replaceAll("\n", " / ").replaceAll("`", "'");
  return status === 200 ? (shown === "" ? "nothing" : shown.slice(0, shownChars)) : `${status}`;
}

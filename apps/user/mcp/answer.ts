/**
 * A tool's response: text of bounded size. Names and messages in it are from agents, routers and name servers, so
 * unprintable characters are written as JSON escapes.
 */
import { jsonText, visible } from "../../../lib/base/terminal/foreign-text.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import { answerCharsMax } from "./limits.ts";

export interface ToolAnswer {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError?: boolean;
  readonly [further: string]: unknown;
}

/** The model's mistake, with the next step. */
export class ToolError extends Error {}

export function answerOf(value: unknown): ToolAnswer {
  return asText(jsonText(value));
}

/** Rows as lines of JSON, as many as fit, and a last line with the number of missing ones. */
export async function answerOfRows(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  limit: number,
  advice: string,
): Promise<ToolAnswer> {
  const lines: string[] = [];
  let chars = 0;
  let left = "";
  for await (const row of rows) {
    const line = jsonText(row);
    chars += line.length + 1;
    if (chars > answerCharsMax || lines.length === limit) {
      const reason = lines.length === limit ? `${limit} rows` : `${answerCharsMax} characters`;
      left = `There are more: an answer has at most ${reason}. ${advice}`;
      break;
    }
    lines.push(line);
  }
  const end = left === "" ? `These are all ${lines.length}.` : left;
  return asText([...lines, end].join("\n"));
}

/** Refusals are returned to the model; other errors are bugs, and are rethrown. */
export async function answering(act: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ToolError) {
      return { ...asText(visible(error.message)), isError: true };
    }
    if (error instanceof GatewayError) {
      const { message, code, status, fields, retryAfterMs, details } = error;
      const said = { error: message, code, status, fields, retry_after_ms: retryAfterMs, details };
      return { ...answerOf(said), isError: true };
    }
    throw error;
  }
}

function asText(text: string): ToolAnswer {
  const cut = text.length > answerCharsMax + 1000 ? `${text.slice(0, answerCharsMax)} … cut` : text;
  return { content: [{ type: "text", text: cut }] };
}

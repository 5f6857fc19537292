/** Turns an unsuccessful answer into an error: problem+json (RFC 9457), or any other text from a proxy. */
import * as v from "valibot";
import { parsedJson } from "../../base/api/parsed-json.ts";
import { visible } from "../../base/terminal/foreign-text.ts";
import { bodyPieces } from "./answer-bytes.ts";
import { GatewayError } from "./gateway-error.ts";
import { explanationCharsMax, shownCharsMax } from "./limits.ts";

const problemSchema = v.looseObject({
  code: v.optional(v.string()),
  message: v.optional(v.string()),
  detail: v.optional(v.string()),
  fields: v.optional(v.array(v.object({ path: v.string(), reason: v.string() })), []),
});

/** Reads the answer; its message is foreign text on one line. */
export async function failedAnswer(response: Response, where: string): Promise<GatewayError> {
  const text = await readSome(response);
  const retryAfterMs = retryAfterOf(response.headers.get("retry-after"));
  const status = response.status;
  const parsed = v.safeParse(problemSchema, parsedJson(text));
  if (!parsed.success) {
    const shown = visible(text.replaceAll(/\s+/g, " ")).slice(0, shownCharsMax).trim();
    const message =
      `${where} answers ${status} ${response.statusText}`.trim() + (shown === "" ? "" : `: ${shown}`);
    return new GatewayError(message, { status, code: `http_${status}`, retryAfterMs });
  }
  const { code, message, detail, fields, ...details } = parsed.output;
  const words = visible(message ?? detail ?? `${where} answers ${status}`);
  return new GatewayError(words, {
    status,
    code: code ?? `http_${status}`,
    fields: fields.map(({ path, reason }) => ({ path: visible(path), reason: visible(reason) })),
    retryAfterMs,
    details,
  });
}

/** Reads at most `explanationCharsMax` characters: an explanation may be endless. */
async function readSome(response: Response): Promise<string> {
  let text = "";
  try {
    for await (const part of bodyPieces(response.body?.pipeThrough(new TextDecoderStream()) ?? null)) {
      text += part;
      if (text.length > explanationCharsMax) {
        break;
      }
    }
  } catch {
    // The status is enough.
  }
  return text.slice(0, explanationCharsMax);
}

/** Milliseconds; null for the other form of RFC 9110 (s.10.2.3), a date. */
function retryAfterOf(text: string | null): number | null {
  return text !== null && /^\d{1,7}$/.test(text) ? Number(text) * 1000 : null;
}

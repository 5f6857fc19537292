/** Fetches an issuer's JSON documents, which are not trusted: time, size, form and addresses are checked. */
import { boundedBody } from "../../base/api/bounded-body.ts";
import { systemReason } from "../../base/failure/system-reason.ts";
import { documentBytesMax, issuerWaitMs } from "./limits.ts";

export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** Rejects with an Error that names the document and the problem. */
export async function issuerDocument(url: string, fetch: Fetch): Promise<Readonly<Record<string, unknown>>> {
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(issuerWaitMs),
    });
    if (!response.ok) {
      throw new Error(`it answers ${response.status}`);
    }
    const tooLong = () => new Error(`it has more than ${documentBytesMax} bytes`);
    return jsonObject((await boundedBody(response, documentBytesMax, tooLong)).toString("utf8"));
  } catch (cause) {
    const reason = systemReason(cause);
    throw new Error(`Cannot read ${url}: ${reason}`, { cause });
  }
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error("it is not a JSON object");
  }
  return { ...value };
}

/** Fetches an issuer's JSON documents, and does not trust them: time, size, form and addresses are checked. */
import { systemReason } from "../failure/system-reason.ts";
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
    return jsonObject(await boundedText(response));
  } catch (cause) {
    const reason = systemReason(cause);
    throw new Error(`Cannot read ${url}: ${reason}`, { cause });
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > documentBytesMax) {
      throw new Error(`it has more than ${documentBytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error("it is not a JSON object");
  }
  return { ...value };
}

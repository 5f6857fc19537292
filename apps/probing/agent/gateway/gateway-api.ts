/** The gateway's agent API over HTTP: one request at a time, each with a limit in time and size. */
import * as v from "valibot";
import { Failure, type FailureCodes, isFailure } from "../../../../lib/base/failure/failure.ts";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { blocklistBytesMax, gatewayAnswerBytesMax, gatewayRequestMs, recordingUploadMs } from "../limits.ts";

export interface GatewayRequest<Schema extends v.GenericSchema> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
  readonly answer: Schema;
}

interface GatewayUpload {
  readonly path: string;
  readonly key: string;
  readonly body: Blob;
}

const codes: Readonly<Record<number, FailureCodes["agentGateway"]>> = {
  401: "refused",
  403: "refused",
  404: "unknown",
  409: "conflict",
};

export class GatewayApi {
  readonly #url: string;
  readonly #fetch: typeof fetch;
  /** The gateway's clock minus ours, to half a second, from the last response; null before. */
  clockOffsetMs: number | null = null;

  constructor(url: string, fetcher: typeof fetch = fetch) {
    this.#url = url.replace(/\/+$/, "");
    this.#fetch = fetcher;
  }

  /** Rejects with Failure `agentGateway`. */
  async ask<Schema extends v.GenericSchema>(request: GatewayRequest<Schema>): Promise<v.InferOutput<Schema>> {
    const { response, text } = await this.#send(request);
    if (!response.ok) {
      const code = codes[response.status] ?? "unusable";
      throw new Failure(
        "agentGateway",
        code,
        `Cannot ${request.method} ${request.path}: ${response.status} ${reasonOf(text)}`,
      );
    }
    const parsed = v.safeParse(request.answer, parseJson(text));
    if (!parsed.success) {
      const [issue] = parsed.issues;
      const where = `${v.getDotPath(issue) ?? "its body"}: ${issue.message}`.slice(0, reasonCharsMax);
      throw new Failure("agentGateway", "unusable", `Cannot use the answer to ${request.path}: ${where}`);
    }
    return parsed.output;
  }

  /**
   * Resolves to whether the gateway has accepted it; false = refused permanently. Rejects with Failure `agentGateway`
   * when another attempt may help.
   */
  async upload({ path, key, body }: GatewayUpload): Promise<boolean> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" };
    const signal = AbortSignal.timeout(recordingUploadMs);
    try {
      const url = `${this.#url}${path}`;
      const response = await this.#fetch(url, { method: "POST", headers, redirect: "error", signal, body });
      await response.body?.cancel();
      if (response.status === 408 || response.status === 429 || response.status >= 500) {
        throw new Error(`it answers ${response.status}`);
      }
      return response.ok;
    } catch (cause) {
      const message = `Cannot reach the gateway ${this.#url}: ${systemReason(cause)}`;
      throw new Failure("agentGateway", "unreachable", message, { cause });
    }
  }

  async #send({ method, path, key, body }: GatewayRequest<v.GenericSchema>) {
    const sentAtMs = Date.now();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const signal = AbortSignal.timeout(gatewayRequestMs);
    try {
      const response = await this.#fetch(`${this.#url}${path}`, {
        method,
        headers,
        redirect: "error",
        signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      this.#compareClocks(response, (sentAtMs + Date.now()) / 2);
      const bytesMax = path.endsWith("/blocklist") ? blocklistBytesMax : gatewayAnswerBytesMax;
      return { response, text: await readAll(response, bytesMax) };
    } catch (error) {
      if (isFailure(error, "agentGateway")) {
        throw error;
      }
      const why = systemReason(error);
      throw new Failure("agentGateway", "unreachable", `Cannot reach the gateway ${this.#url}: ${why}`, {
        cause: error,
      });
    }
  }

  /** `Date` has whole seconds, cut off: on average half a second less than the time it was written. */
  #compareClocks(response: Response, middleMs: number): void {
    const date = Date.parse(response.headers.get("date") ?? "");
    if (!Number.isNaN(date)) {
      this.clockOffsetMs = Math.round(date + 500 - middleMs);
    }
  }
}

async function readAll(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new Failure("agentGateway", "unusable", `Cannot use an answer of more than ${bytesMax} bytes`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const reasonCharsMax = 200;

/** The reason in a problem document; empty for any other body. */
function reasonOf(text: string): string {
  const parsed = v.safeParse(v.object({ message: v.string() }), parseJson(text));
  return parsed.success ? parsed.output.message.slice(0, reasonCharsMax) : "";
}

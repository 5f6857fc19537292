/** Requests JSON from a service, with limits on time and bytes. */
import { boundedBody } from "../../../../lib/base/api/bounded-body.ts";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { answerBytesMax, answerMsMax } from "../limits.ts";
import { SourceError } from "./source-error.ts";

interface Question {
  readonly url: string;
  readonly key: string;
  /** Sent as JSON; a request without a body is a GET. */
  readonly body?: unknown;
  /** Aborts earlier than the time limit. */
  readonly signal?: AbortSignal;
  /** Extra time that the service may wait for an event. */
  readonly waitMs?: number;
}

/** Throws SourceError; its message names the URL and the reason, never the key. */
export async function askJson(question: Question): Promise<unknown> {
  const { url } = question;
  try {
    const response = await fetch(url, requestOf(question));
    if (!response.ok) {
      throw new SourceError(`it answers with status ${response.status}${advice(response.status)}`);
    }
    const tooLong = () => new SourceError(`its answer is longer than ${answerBytesMax} bytes`);
    return JSON.parse(new TextDecoder().decode(await boundedBody(response, answerBytesMax, tooLong)));
  } catch (error) {
    const why = systemReason(error);
    throw new SourceError(`Cannot read ${url.split("?")[0]}: ${why}`, { cause: error });
  }
}

function requestOf({ key, body, signal, waitMs = 0 }: Question): RequestInit {
  const limit = AbortSignal.timeout(answerMsMax + waitMs);
  const headers = { authorization: `Bearer ${key}`, accept: "application/json" };
  return {
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    redirect: "error",
    ...(body === undefined
      ? { headers }
      : {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
  };
}

function advice(status: number): string {
  return status === 401 || status === 403 ? "; check the key" : "";
}

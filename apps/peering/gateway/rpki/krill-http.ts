/**
 * Requests to Krill's HTTP API, version 1. Time and size of every answer are limited; each is counted by its result.
 */
import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import * as v from "valibot";
import { boundedBody } from "../../../../lib/base/api/bounded-body.ts";
import { Failure, type FailureCodes, isFailure } from "../../../../lib/base/failure/failure.ts";
import type { KrillConfig } from "../config.ts";
import { krillBytesMax, krillWaitMs } from "../limits.ts";

const errorAnswer = v.object({
  label: v.string(),
  msg: v.string(),
  delta_error: v.optional(v.unknown(), null),
});

type KrillRequest = "authorized" | "read" | "change";

interface KrillAnswer {
  /** Undefined on what is not JSON. */
  readonly json: unknown;
  /** What of a change of ROAs stops all of it; null = done. */
  readonly deltaError: unknown;
}

export class KrillHttp {
  readonly #config: KrillConfig;
  readonly #onAnswer: (request: KrillRequest, result: string) => void;

  constructor(config: KrillConfig, onAnswer: (request: KrillRequest, result: string) => void) {
    this.#config = config;
    this.#onAnswer = onAnswer;
  }

  /** Rejects with Failure "krill". */
  async ask(request: KrillRequest, path: string, init: RequestInit = {}): Promise<KrillAnswer> {
    try {
      const answer = await this.#fetch(path, init);
      this.#onAnswer(request, answer.deltaError === null ? "ok" : "rejected");
      return answer;
    } catch (error) {
      this.#onAnswer(request, isFailure(error, "krill") ? error.code : "other");
      throw error;
    }
  }

  async #fetch(path: string, init: RequestInit): Promise<KrillAnswer> {
    const { url, token, certificate, ca } = this.#config;
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(krillWaitMs),
        ...(certificate === null ? {} : { tls: trustIn(certificate) }),
      });
      const tooLong = () => krillFailure("malformed", `Krill's answer has more than ${krillBytesMax} bytes`);
      const text = (await boundedBody(response, krillBytesMax, tooLong)).toString("utf8");
      const json = jsonOf(text);
      return { json, deltaError: response.ok ? null : deltaErrorIn(response.status, json, ca) };
    } catch (error) {
      throw isFailure(error, "krill") ? error : unreachable(url, error);
    }
  }
}

/** Krill's own certificate names no host: it is good for any, where it is the very one that the file has. */
function trustIn(certificate: string) {
  const { fingerprint256 } = new X509Certificate(certificate);
  return {
    ca: certificate,
    checkServerIdentity: (host: string, given: PeerCertificate) =>
      given.fingerprint256 === fingerprint256 ? undefined : checkServerIdentity(host, given),
  };
}

export function krillFailure(
  code: FailureCodes["krill"],
  message: string,
  options?: ErrorOptions,
): Failure<"krill"> {
  return new Failure("krill", code, message, options);
}

function unreachable(url: string, cause: unknown): Failure<"krill"> {
  const why = cause instanceof Error ? cause.message : String(cause);
  return krillFailure("unreachable", `Krill at ${url} does not answer: ${why}; see rpki.krill`, { cause });
}

/** What Krill says of a rejected change of ROAs; throws Failure for any other error. */
function deltaErrorIn(status: number, json: unknown, ca: string): unknown {
  const { success, output } = v.safeParse(errorAnswer, json);
  if (status === 401 || status === 403) {
    throw krillFailure("refused", "Krill does not take the token, or not for this: see rpki.krill.token");
  }
  if (!success) {
    const code = status >= 500 ? "unreachable" : "malformed";
    throw krillFailure(code, `Krill answers with status ${status}, not in the form of its API, version 1`);
  }
  const { label, msg, delta_error } = output;
  if (label === "ca-unknown") {
    throw krillFailure("unknownCa", `Krill has no CA "${ca}": see rpki.krill.ca`);
  }
  if (delta_error === null) {
    throw krillFailure(codeOf(status, label), `Krill answers ${label}: ${msg}`);
  }
  return delta_error;
}

function codeOf(status: number, label: string): FailureCodes["krill"] {
  if (label.startsWith("ca-aspa-")) {
    return "rejected";
  }
  return status >= 500 ? "unreachable" : "other";
}

/** Undefined on what is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

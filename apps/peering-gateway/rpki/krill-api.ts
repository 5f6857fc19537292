/**
 * Krill's HTTP API, as far as ROAs need it: version 1, tried with 0.16.1. Time and size of every answer are limited.
 *
 * ```
 * GET  /api/v1/authorized       200 when it takes the token
 * GET  /api/v1/cas/CA/routes    [{asn, prefix, max_length?, comment?, roa_objects}]
 * POST /api/v1/cas/CA/routes    {added: [{asn, prefix, max_length, comment}], removed: [{asn, prefix, max_length}]}
 * ```
 *
 * A change is taken whole or not at all: 400 with the label `ca-roa-delta-error` says which ROAs stop it.
 */
import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import * as v from "valibot";
import { boundedBody } from "../../../lib/api/bounded-body.ts";
import { Failure, type FailureCodes, isFailure } from "../../../lib/failure/failure.ts";
import { formatPrefix, parsePrefix } from "../../../lib/ip/prefix.ts";
import type { KrillConfig } from "../config.ts";
import { krillBytesMax, krillWaitMs } from "../limits.ts";
import type { PublishedRoa, Roa, RoaDelta } from "./roa.ts";

/** Comment of ROAs that are ours to remove. */
const mark = "vantage";

const payload = v.object({
  asn: v.number(),
  prefix: v.string(),
  max_length: v.nullish(v.number()),
});
const routesAnswer = v.array(v.object({ ...payload.entries, comment: v.nullish(v.string()) }));
const payloads = v.optional(v.array(payload), []);
const errorAnswer = v.object({
  label: v.string(),
  msg: v.string(),
  delta_error: v.nullish(
    v.object({ duplicates: payloads, notheld: payloads, unknowns: payloads, invalid_length: payloads }),
  ),
});

type KrillRequest = "authorized" | "read" | "change";

/** What of a change stops all of it. */
interface Rejection {
  /** To be added, and there already; or to be removed, and not there: the list is not what it was taken for. */
  readonly mistaken: readonly Roa[];
  /** To be added, and not within what the CA holds. */
  readonly notHeld: readonly Roa[];
}

interface Answer {
  readonly text: string;
  /** Null = done. */
  readonly rejection: Rejection | null;
}

/** Every method rejects with Failure "krill". */
export class KrillApi {
  readonly #config: KrillConfig;
  readonly #onAnswer: (request: KrillRequest, result: string) => void;

  constructor(config: KrillConfig, onAnswer: (request: KrillRequest, result: string) => void) {
    this.#config = config;
    this.#onAnswer = onAnswer;
  }

  /** Resolves when Krill is there and takes the token. */
  async checkToken(): Promise<void> {
    await this.#ask("authorized", "/api/v1/authorized");
  }

  /** The CA's whole list. */
  async roas(): Promise<PublishedRoa[]> {
    const { text } = await this.#ask("read", this.#routes);
    const read = v.safeParse(routesAnswer, jsonOf(text));
    if (!read.success) {
      throw failure("malformed", "Krill's list of ROAs is not in the form of its API, version 1");
    }
    return read.output.map((roa) => ({ ...roaOf(roa), isOurs: roa.comment === mark }));
  }

  /** Resolves to what the CA does not hold: then nothing of the change was made, else all of it. */
  async change({ added, removed }: RoaDelta): Promise<readonly Roa[]> {
    const body = JSON.stringify({
      added: added.map((roa) => ({ ...wireOf(roa), comment: mark })),
      removed: removed.map(wireOf),
    });
    const { rejection } = await this.#ask("change", this.#routes, { method: "POST", body });
    const { mistaken, notHeld } = rejection ?? { mistaken: [], notHeld: [] };
    if (mistaken.length > 0 || (rejection !== null && notHeld.length === 0)) {
      throw failure(
        "rejected",
        "Krill rejects a change of ROAs: its list is another than was taken for granted",
      );
    }
    return notHeld;
  }

  get #routes(): string {
    return `/api/v1/cas/${encodeURIComponent(this.#config.ca)}/routes`;
  }

  async #ask(request: KrillRequest, path: string, init: RequestInit = {}): Promise<Answer> {
    try {
      const answer = await this.#fetch(path, init);
      this.#onAnswer(request, answer.rejection === null ? "ok" : "rejected");
      return answer;
    } catch (error) {
      this.#onAnswer(request, isFailure(error, "krill") ? error.code : "other");
      throw error;
    }
  }

  async #fetch(path: string, init: RequestInit): Promise<Answer> {
    const { url, token, certificate, ca } = this.#config;
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(krillWaitMs),
        ...(certificate === null ? {} : { tls: trustIn(certificate) }),
      });
      const tooLong = () => failure("malformed", `Krill's answer has more than ${krillBytesMax} bytes`);
      const text = (await boundedBody(response, krillBytesMax, tooLong)).toString("utf8");
      return { text, rejection: response.ok ? null : rejectionOf(response.status, text, ca) };
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

function failure(code: FailureCodes["krill"], message: string, options?: ErrorOptions): Failure<"krill"> {
  return new Failure("krill", code, message, options);
}

function unreachable(url: string, cause: unknown): Failure<"krill"> {
  const why = cause instanceof Error ? cause.message : String(cause);
  return failure("unreachable", `Krill at ${url} does not answer: ${why}; see rpki.krill`, { cause });
}

/** Throws Failure for any other error than a rejected change. */
function rejectionOf(status: number, text: string, ca: string): Rejection {
  const { success, output } = v.safeParse(errorAnswer, jsonOf(text));
  if (status === 401 || status === 403) {
    throw failure("refused", "Krill does not take the token, or not for this: see rpki.krill.token");
  }
  if (!success) {
    const code = status >= 500 ? "unreachable" : "malformed";
    throw failure(code, `Krill answers with status ${status}, not in the form of its API, version 1`);
  }
  const { label, msg, delta_error: delta } = output;
  if (label === "ca-unknown") {
    throw failure("unknownCa", `Krill has no CA "${ca}": see rpki.krill.ca`);
  }
  if (delta === null || delta === undefined) {
    throw failure(status >= 500 ? "unreachable" : "other", `Krill answers ${label}: ${msg}`);
  }
  return {
    mistaken: [...delta.duplicates, ...delta.unknowns].map(roaOf),
    notHeld: [...delta.notheld, ...delta.invalid_length].map(roaOf),
  };
}

function roaOf({ asn, prefix: text, max_length }: v.InferOutput<typeof payload>): Roa {
  const prefix = parsePrefix(text);
  return {
    asn,
    prefix: prefix === null ? text : formatPrefix(prefix),
    maxLength: max_length ?? prefix?.length ?? 0,
  };
}

function wireOf({ asn, prefix, maxLength }: Roa) {
  return { asn, prefix, max_length: maxLength };
}

/** Undefined on what is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

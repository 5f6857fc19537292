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
import { formatPrefix, parsePrefix } from "../../../lib/ip/prefix.ts";
import type { KrillConfig } from "../config.ts";
import { krillBytesMax, krillWaitMs } from "../limits.ts";
import { KrillError } from "./krill-error.ts";
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

/** Every method rejects with KrillError. */
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
    const text = await this.#ask("read", this.#routes);
    const read = v.safeParse(routesAnswer, jsonOf(text));
    if (!read.success) {
      throw new KrillError("malformed", "Krill's list of ROAs is not in the form of its API, version 1");
    }
    return read.output.map((roa) => ({ ...roaOf(roa), isOurs: roa.comment === mark }));
  }

  /** All of it, or nothing. */
  async change({ added, removed }: RoaDelta): Promise<void> {
    const body = JSON.stringify({
      added: added.map((roa) => ({ ...wireOf(roa), comment: mark })),
      removed: removed.map(wireOf),
    });
    await this.#ask("change", this.#routes, { method: "POST", body });
  }

  get #routes(): string {
    return `/api/v1/cas/${encodeURIComponent(this.#config.ca)}/routes`;
  }

  /** The body of a good answer. */
  async #ask(request: KrillRequest, path: string, init: RequestInit = {}): Promise<string> {
    try {
      const text = await this.#fetch(path, init);
      this.#onAnswer(request, "ok");
      return text;
    } catch (error) {
      this.#onAnswer(request, error instanceof KrillError ? error.code : "other");
      throw error;
    }
  }

  async #fetch(path: string, init: RequestInit): Promise<string> {
    const { url, token, certificate, ca } = this.#config;
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(krillWaitMs),
        ...(certificate === null ? {} : { tls: trustIn(certificate) }),
      });
      const tooLong = () =>
        new KrillError("malformed", `Krill's answer has more than ${krillBytesMax} bytes`);
      const text = (await boundedBody(response, krillBytesMax, tooLong)).toString("utf8");
      if (!response.ok) {
        throw failureOf(response.status, text, ca);
      }
      return text;
    } catch (error) {
      throw error instanceof KrillError ? error : unreachable(url, error);
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

function unreachable(url: string, cause: unknown): KrillError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new KrillError("unreachable", `Krill at ${url} does not answer: ${why}; see rpki.krill`, { cause });
}

function failureOf(status: number, text: string, ca: string): KrillError {
  const { success, output } = v.safeParse(errorAnswer, jsonOf(text));
  if (status === 401 || status === 403) {
    return new KrillError("refused", "Krill does not take the token, or not for this: see rpki.krill.token");
  }
  if (!success) {
    const code = status >= 500 ? "unreachable" : "malformed";
    return new KrillError(code, `Krill answers with status ${status}, not in the form of its API, version 1`);
  }
  const { label, msg, delta_error: delta } = output;
  if (label === "ca-unknown") {
    return new KrillError("unknownCa", `Krill has no CA "${ca}": see rpki.krill.ca`);
  }
  if (delta !== null && delta !== undefined) {
    const rejection = {
      mistaken: [...delta.duplicates, ...delta.unknowns].map(roaOf),
      notHeld: [...delta.notheld, ...delta.invalid_length].map(roaOf),
    };
    const message = "Krill rejects a change of ROAs: its list is another than was taken for granted";
    return new KrillError("rejected", message, { rejection });
  }
  return new KrillError(status >= 500 ? "unreachable" : "other", `Krill answers ${label}: ${msg}`);
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

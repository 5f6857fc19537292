/**
 * Sends requests to a gateway: adds the token, retries requests that may be repeated, parses answers with a schema,
 * and turns every failure into a GatewayError. A redirect is refused: it would send the token to another host.
 *
 * Uses web standards only, like everything in the published SDK (tests/contract/sdk).
 */
import * as v from "valibot";
import { systemReason } from "../../base/failure/system-reason.ts";
import { answerJson } from "./answer-bytes.ts";
import { failedAnswer } from "./failed-answer.ts";
import { clientSide, GatewayError } from "./gateway-error.ts";
import { answerMs, retryAfterMsMax, retryDelaysMs } from "./limits.ts";
import { pause } from "./pause.ts";
import type { TokenSource } from "./token-source.ts";
import type { Ask, Transport } from "./transport.ts";

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>;

type FetchOptions = RequestInit & { readonly timeout?: boolean };

interface GatewayOptions {
  /** Scheme and host, and a path if there is one; no slash at its end. */
  readonly address: string;
  /** Null = not logged in. */
  readonly tokens: TokenSource | null;
  /** `vantage/1.2.3`; null = the one of the runtime: a page in a browser may not set it. */
  readonly userAgent: string | null;
  /** Waits between tries; default `retryDelaysMs`. */
  readonly retryDelaysMs?: readonly number[];
  /** Another way than the network: a unix socket. */
  readonly fetch?: (url: string, request: FetchOptions) => Promise<Response>;
}

export class Gateway implements Transport {
  readonly address: string;
  readonly #tokens: TokenSource | null;
  readonly #userAgent: string | null;
  /** Ids of requests: a random start for each client, and a number. */
  readonly #idStart = crypto.randomUUID().slice(0, 8);
  #requests = 0;
  readonly #retryDelaysMs: readonly number[];
  readonly #send: NonNullable<GatewayOptions["fetch"]>;

  constructor(options: GatewayOptions) {
    this.address = options.address;
    this.#tokens = options.tokens;
    this.#userAgent = options.userAgent;
    this.#retryDelaysMs = options.retryDelaysMs ?? retryDelaysMs;
    this.#send = options.fetch ?? ((url, request) => fetch(url, request));
  }

  /** Reads a JSON answer. Rejects with GatewayError, also when the answer does not match the schema. */
  async read<Schema extends AnySchema>(
    path: string,
    schema: Schema,
    ask: Ask = {},
  ): Promise<v.InferOutput<Schema>> {
    const response = await this.request(path, ask);
    const parsed = v.safeParse(schema, await answerJson(response, `${this.address}${path}`));
    if (!parsed.success) {
      const [issue] = parsed.issues;
      const form = `${v.getDotPath(issue) ?? "as a whole"}: ${issue.message}`;
      const message = `${this.address}${path} answers in another form (${form}); is it a gateway, of this version?`;
      throw clientSide("badAnswer", message);
    }
    return parsed.output;
  }

  /** Sends a request; resolves to a successful answer only. Rejects with GatewayError, or the reason of its signal. */
  async request(path: string, ask: Ask = {}): Promise<Response> {
    const isRepeatable = ask.repeatable ?? (ask.method ?? "GET") === "GET";
    const delays = isRepeatable ? this.#retryDelaysMs : [];
    const patientUntilMs = performance.now() + (isRepeatable ? (ask.patientMs ?? 0) : 0);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#withToken(path, ask);
      } catch (error) {
        const isPatient = performance.now() < patientUntilMs;
        const delayMs = delays[attempt] ?? (isPatient ? (delays.at(-1) ?? 0) : undefined);
        const waitMs = error instanceof GatewayError ? waitBefore(error, delayMs) : null;
        if (waitMs === null || ask.signal?.aborted) {
          throw error;
        }
        if (attempt === delays.length && error instanceof GatewayError) {
          ask.onBreak?.(error.message);
        }
        await pause(waitMs, ask.signal);
      }
    }
  }

  /** A token can be refused before it expires: keys change, clocks differ. So one renewal is tried. */
  async #withToken(path: string, ask: Ask): Promise<Response> {
    if (ask.anonymous === true) {
      return await this.#once(path, ask, null);
    }
    if (this.#tokens === null) {
      throw clientSide("notLoggedIn", `Not logged in at ${this.address}`);
    }
    const token = await this.#tokens.token();
    try {
      return await this.#once(path, ask, token);
    } catch (error) {
      const isRefused = error instanceof GatewayError && error.status === 401;
      const other = isRefused ? await this.#tokens.renewed(token) : null;
      if (other === null) {
        throw error;
      }
      return await this.#once(path, ask, other);
    }
  }

  async #once(path: string, ask: Ask, token: string | null): Promise<Response> {
    const url = this.#url(path, ask.query);
    const response = await this.#fetch(url, ask, token);
    if (response.ok) {
      return response;
    }
    const location = response.headers.get("location");
    // A browser hides the location.
    if ((response.status >= 300 && response.status < 400) || response.type === "opaqueredirect") {
      await response.body?.cancel();
      throw clientSide(
        "redirected",
        `${url} is elsewhere: ${location ?? "no location given"}; give that address`,
      );
    }
    throw await failedAnswer(response, this.address);
  }

  async #fetch(url: string, ask: Ask, token: string | null): Promise<Response> {
    const controller = new AbortController();
    const limitMs = ask.answerMs ?? answerMs;
    const timer = setTimeout(() => controller.abort(new DOMException("", "TimeoutError")), limitMs);
    const signals = ask.signal === undefined ? [controller.signal] : [controller.signal, ask.signal];
    try {
      return await this.#send(url, {
        method: ask.method ?? "GET",
        headers: {
          accept: "application/json",
          ...this.#programHeaders(),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...ask.headers,
        },
        ...(ask.body === undefined ? {} : { body: typeof ask.body === "string" ? ask.body : ask.body() }),
        redirect: "manual",
        signal: AbortSignal.any(signals),
        // Event streams are quiet for longer than Bun's own limit.
        timeout: false,
      });
    } catch (error) {
      ask.signal?.throwIfAborted();
      throw controller.signal.aborted
        ? clientSide("timeout", `${this.address} has not answered within ${limitMs / 1000} s`)
        : clientSide("unreachable", `Cannot reach ${this.address}: ${reasonOf(error)}`, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Commands name themselves, and give each request an id, by which operators find it in logs; pages do neither. */
  #programHeaders(): Record<string, string> {
    return this.#userAgent === null
      ? {}
      : { "user-agent": this.#userAgent, "x-request-id": `${this.#idStart}-${++this.#requests}` };
  }

  #url(path: string, query: Ask["query"] = {}): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        parameters.set(name, String(value));
      }
    }
    return `${this.address}${path}${parameters.size === 0 ? "" : `?${parameters}`}`;
  }
}

/** Node gives the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  return systemReason(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}

/** Milliseconds to wait before the next try; null where another try would not help. */
function waitBefore(
  { code, status, retryAfterMs }: GatewayError,
  delayMs: number | undefined,
): number | null {
  if (delayMs === undefined) {
    return null;
  }
  if (code === "unreachable") {
    return delayMs;
  }
  // A 429 without Retry-After means a quota that stays used up for long.
  const isPaced = status === 429 && retryAfterMs !== null;
  if (!isPaced && status !== 502 && status !== 503 && status !== 504) {
    return null;
  }
  const waitMs = Math.max(retryAfterMs ?? 0, delayMs);
  return waitMs > retryAfterMsMax ? null : waitMs;
}

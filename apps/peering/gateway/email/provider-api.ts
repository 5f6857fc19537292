/**
 * Reads JSON from a management API with a token of our own (client credentials, RFC 6749 s.4.4), which is kept until
 * shortly before its end. Time and size of every answer are limited.
 */
import * as v from "valibot";
import { boundedBody } from "../../../../lib/base/api/bounded-body.ts";
import { providerBytesMax, providerTokenMarginMs, providerWaitMs } from "../limits.ts";
import { ProviderError } from "./provider-error.ts";

interface ProviderLogin {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Null = no audience in the token request. */
  readonly audience: string | null;
}

interface Token {
  readonly value: string;
  readonly renewAtMs: number;
  isRefused: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const tokenSchema = v.object({ access_token: v.string(), expires_in: v.optional(v.number(), 60) });

export class ProviderApi {
  readonly #login: ProviderLogin;
  #token: Promise<Token> | null = null;

  constructor(login: ProviderLogin) {
    this.#login = login;
  }

  /** Null for 404. A refused token is renewed once. Rejects with ProviderError. */
  async read(url: string): Promise<Json | null> {
    const token = await this.#current();
    try {
      return await this.#get(url, token);
    } catch (error) {
      if (error instanceof ProviderError && error.code === "refused") {
        token.isRefused = true;
        return this.#get(url, await this.#current());
      }
      throw error;
    }
  }

  #get(url: string, { value }: Token): Promise<Json | null> {
    return ask(url, { headers: { authorization: `Bearer ${value}`, accept: "application/json" } });
  }

  /** Concurrent callers share one token request. */
  async #current(): Promise<Token> {
    this.#token ??= this.#ask();
    const asked = this.#token;
    try {
      const token = await asked;
      if (Date.now() < token.renewAtMs && !token.isRefused) {
        return token;
      }
    } catch (error) {
      this.#drop(asked);
      throw error;
    }
    this.#drop(asked);
    return this.#current();
  }

  #drop(asked: Promise<Token>): void {
    if (this.#token === asked) {
      this.#token = null;
    }
  }

  async #ask(): Promise<Token> {
    const { tokenUrl, clientId, clientSecret, audience } = this.#login;
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      ...(audience === null ? {} : { audience }),
    });
    const read = v.safeParse(tokenSchema, await ask(tokenUrl, { method: "POST", body: form }));
    if (!read.success) {
      throw new ProviderError("malformed", "The identity provider's answer holds no access token");
    }
    const { access_token, expires_in } = read.output;
    // A short-lived one is used for half its time.
    const lifeMs = Math.max(expires_in * 1000 - providerTokenMarginMs, expires_in * 500, 1);
    return { value: access_token, renewAtMs: Date.now() + lifeMs, isRefused: false };
  }
}

async function ask(url: string, request: RequestInit): Promise<Json | null> {
  const response = await answerOf(url, request);
  if (response.status === 404) {
    await response.body?.cancel();
    return null;
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw refusal(response);
  }
  return jsonOf(response);
}

async function answerOf(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, redirect: "error", signal: AbortSignal.timeout(providerWaitMs) });
  } catch (cause) {
    throw new ProviderError("unreachable", "The identity provider does not answer", { cause });
  }
}

function refusal({ status, headers }: Response): ProviderError {
  if (status === 429) {
    const seconds = Number(headers.get("retry-after") ?? "");
    const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
    return new ProviderError("limited", "The identity provider asks for fewer questions", { retryAfterMs });
  }
  const code = status === 401 || status === 403 ? "refused" : "unreachable";
  return new ProviderError(code, `The identity provider answers with status ${status}`);
}

async function jsonOf(response: Response): Promise<Json> {
  try {
    const tooLong = () => new Error(`it has more than ${providerBytesMax} bytes`);
    const text = (await boundedBody(response, providerBytesMax, tooLong)).toString("utf8");
    const value: unknown = JSON.parse(text);
    return v.parse(v.record(v.string(), v.unknown()), value);
  } catch (cause) {
    throw new ProviderError("malformed", "The identity provider's answer is not what was expected", {
      cause,
    });
  }
}

/**
 * The public keys of one issuer, found by discovery or at a given address.
 *
 * Keys stay in use while the issuer is unreachable. They are read again in the background when they are old, and at
 * once for an unknown key id, but at most every 30 s for all callers combined, so that made-up ids cannot flood the
 * issuer.
 */
import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from "jose";
import { Failure } from "../../base/failure/failure.ts";
import { type Fetch, issuerDocument } from "./issuer-document.ts";
import { keysFreshMs, noKeysPauseMs, unknownKeyPauseMs } from "./limits.ts";

interface IssuerKeysOptions {
  readonly issuer: string;
  /** Address of the keys; discovery is skipped. */
  readonly jwksUri?: string;
  readonly fetch: Fetch;
  /** Milliseconds. */
  readonly now: () => number;
  /** Called when keys were added, removed or changed: tokens verified with the old keys must be verified again. */
  readonly onChange: () => void;
}

type LocalKeys = ReturnType<typeof createLocalJWKSet>;

export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #keys: LocalKeys | null = null;
  #text = "";
  #readAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  #failure: unknown = null;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /** Must be called for every token, even a cached one: this is how a withdrawn key is noticed. */
  refreshWhenOld(): void {
    const nowMs = this.#options.now();
    if (nowMs - this.#readAtMs > keysFreshMs && nowMs - this.#triedAtMs > unknownKeyPauseMs) {
      this.#read().catch(() => {});
    }
  }

  /**
   * Rejects with Failure `auth` `issuer_unavailable` while the issuer cannot be read. With known keys, which stay in
   * use, this is noticed when they are old: callers cannot increase the rate of our requests to the issuer.
   */
  async check(): Promise<void> {
    if (this.#keys === null) {
      await this.#readFirst();
    }
    this.refreshWhenOld();
    if (this.#failure !== null) {
      throw this.#unavailable();
    }
  }

  /** The key that a token names. Rejects with Failure `auth` `unknown_key` or `issuer_unavailable`. */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    if (this.#keys === null) {
      await this.#readFirst();
    }
    const found = await this.#lookUp(header, token);
    if (found !== null) {
      return found;
    }
    if (this.#options.now() - this.#triedAtMs > unknownKeyPauseMs || this.#reading !== null) {
      await this.#read().catch(() => {});
    }
    const foundLater = await this.#lookUp(header, token);
    if (foundLater === null) {
      throw new Failure("auth", "unknown_key", "Unknown key ID");
    }
    return foundLater;
  }

  async #lookUp(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey | null> {
    try {
      return (await this.#keys?.(header, token)) ?? null;
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
        return null;
      }
      throw error;
    }
  }

  async #readFirst(): Promise<void> {
    if (this.#reading !== null || this.#options.now() - this.#triedAtMs > noKeysPauseMs) {
      await this.#read().catch(() => {});
    }
    if (this.#keys === null) {
      throw this.#unavailable();
    }
  }

  #unavailable(): Failure<"auth"> {
    const message = "The identity provider's keys cannot be read now";
    return new Failure("auth", "issuer_unavailable", message, { cause: this.#failure });
  }

  /** One at a time: callers that arrive while keys are read wait for the same read. */
  #read(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readNow(): Promise<void> {
    this.#triedAtMs = this.#options.now();
    try {
      const { fetch, jwksUri } = this.#options;
      const document = await issuerDocument(jwksUri ?? (await this.#discover()), fetch);
      const text = JSON.stringify(document);
      if (text !== this.#text) {
        this.#keys = createLocalJWKSet(keySet(document));
        this.#text = text;
        this.#options.onChange();
      }
      this.#readAtMs = this.#options.now();
      this.#failure = null;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** OpenID Connect Discovery 1.0, section 4. */
  async #discover(): Promise<string> {
    const { issuer, fetch } = this.#options;
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const { issuer: named, jwks_uri: address } = await issuerDocument(url, fetch);
    if (named !== issuer) {
      throw new Error(`Cannot trust ${url}: it names issuer ${JSON.stringify(named)}, not "${issuer}"`);
    }
    if (typeof address !== "string" || !/^https?:\/\//.test(address)) {
      throw new Error(`Cannot find keys by ${url}: its jwks_uri is not an address`);
    }
    return address;
  }
}

/**
 * Omits unusable keys; jose refuses keys that are too weak. RFC 9864 has two names for one algorithm, Ed25519 and the
 * older EdDSA; such a key's curve implies it, and jose would accept only tokens with the key's own name.
 */
function keySet(document: Readonly<Record<string, unknown>>): JSONWebKeySet {
  if (!Array.isArray(document.keys)) {
    throw new Error("Cannot use the identity provider's key set: it has no list of keys");
  }
  const publicTypes: readonly unknown[] = ["RSA", "EC", "OKP", "AKP"];
  const usable = document.keys.filter((key) => publicTypes.includes(key?.kty) && typeof key.kid === "string");
  return { keys: usable.map((key) => (isEd25519(key) ? { ...key, alg: undefined } : key)) };
}

function isEd25519({ crv, alg }: Readonly<Record<string, unknown>>): boolean {
  return crv === "Ed25519" && (alg === "Ed25519" || alg === "EdDSA");
}

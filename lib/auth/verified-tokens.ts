/** Cache of valid tokens, so that each is checked once; bounded, the oldest is evicted. */
import { verifiedTokensMax } from "./limits.ts";
import type { Identity } from "./token-verifier.ts";

interface VerifiedToken {
  readonly identity: Identity;
  readonly expiresAtMs: number;
}

export class VerifiedTokens {
  readonly #tokens = new Map<string, VerifiedToken>();
  #generation = 0;

  /** Changes when the tokens are forgotten. */
  get generation(): number {
    return this.#generation;
  }

  find(token: string): VerifiedToken | undefined {
    return this.#tokens.get(token);
  }

  /** Only when nothing was forgotten since `generation`: else it may have been checked with a key that is gone. */
  keep(token: string, verified: VerifiedToken, generation: number): void {
    if (generation !== this.#generation) {
      return;
    }
    if (this.#tokens.size >= verifiedTokensMax) {
      const [oldest = ""] = this.#tokens.keys();
      this.#tokens.delete(oldest);
    }
    this.#tokens.set(token, verified);
  }

  clear(): void {
    this.#generation++;
    this.#tokens.clear();
  }
}

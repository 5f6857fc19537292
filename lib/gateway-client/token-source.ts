/** Where the token of a request comes from. */

export interface TokenSource {
  /** A token that should be good now; renewed first when it is about to end. Rejects with GatewayError. */
  token(): Promise<string>;
  /** Another one, after the gateway has refused `refused`; null when there is none. Rejects with GatewayError. */
  renewed(refused: string): Promise<string | null>;
}

/** A token that the user gave by hand: nothing is kept, nothing is renewed. */
export function fixedToken(token: string): TokenSource {
  return { token: async () => token, renewed: async () => null };
}

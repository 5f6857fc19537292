/** Where the token of a request comes from. */

export interface TokenSource {
  /** A token that should be valid now; renewed first when it is about to expire. Rejects with GatewayError. */
  token(): Promise<string>;
  /** Another token, after the gateway has refused `refused`; null when none can be had. Rejects with GatewayError. */
  renewed(refused: string): Promise<string | null>;
}

/** A token that the user passed in: it is neither stored nor renewed. */
export function fixedToken(token: string): TokenSource {
  return { token: async () => token, renewed: async () => null };
}

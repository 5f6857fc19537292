/** What a gateway tells about logging in, at `GET /api/login`, to anybody: the gateway's side and the client's. */
import * as v from "valibot";

export const loginPath = "/api/login";

export const loginParametersSchema = v.object({
  /** Issuer of the tokens that the gateway takes, as in their `iss`. */
  issuer: v.pipe(v.string(), v.url()),
  /** Of the public client that may log users in by device code. */
  client_id: v.string(),
  /** What a token must be meant for; null = the gateway does not look. */
  audience: v.nullable(v.string()),
  scopes: v.array(v.string()),
  /** The gateway of the exchange's users, where the same tokens are good; null = none. */
  peering_gateway: v.optional(v.nullable(v.string()), null),
});

export type LoginParameters = v.InferOutput<typeof loginParametersSchema>;

/** `offline_access` is what a refresh token is given for. */
export const loginScopes: readonly string[] = ["openid", "offline_access"];

/** The public response of `GET /api/login`, which describes how to log in: shared by the gateway and its clients. */
import * as v from "valibot";

export const loginPath = "/api/login";

export const loginParametersSchema = v.object({
  /** Issuer of the tokens that the gateway takes, as in their `iss`. */
  issuer: v.pipe(v.string(), v.url()),
  /** Id of the public client that may log users in by device code. */
  client_id: v.string(),
  /** The audience that a token must have; null = not checked. */
  audience: v.nullable(v.string()),
  scopes: v.array(v.string()),
  /** The peering gateway, which accepts the same tokens; null = none. */
  peering_gateway: v.optional(v.nullable(v.string()), null),
});

/** `offline_access` requests a refresh token. */
export const loginScopes: readonly string[] = ["openid", "offline_access"];

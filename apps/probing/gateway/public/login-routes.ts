/** GET /api/login: the parameters of a login, for command lines and web pages. */
import { Hono } from "hono";
import {
  loginParametersSchema,
  loginPath,
  loginScopes,
} from "../../../../lib/engines/gateway-client/login-parameters.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Services } from "../services.ts";

const description = describe({
  summary: "How users log in",
  description:
    "The issuer whose tokens are accepted, and the public client that may log users in by device code (RFC 8628).",
  tags: ["users"],
  auth: "public",
  ok: loginParametersSchema,
  problems: { 404: "No identity provider is configured" },
});

export function loginRoutes({ config }: Pick<Services, "config">): Hono<HttpEnv> {
  const { oidc, oidcClientId, bypassAuthentication, peeringGateway } = config;
  const app = new Hono<HttpEnv>();
  app.get(loginPath, description, (c) => {
    if (oidc === null || bypassAuthentication) {
      throw noLogins(bypassAuthentication);
    }
    const [audience = null] = oidc.audiences;
    return c.json({
      issuer: oidc.issuer,
      client_id: oidcClientId,
      audience,
      scopes: loginScopes,
      peering_gateway: peeringGateway,
    });
  });
  return app;
}

function noLogins(isBypassed: boolean): Problem {
  const message = isBypassed
    ? "No login is needed here: this gateway accepts any token (gateway.bypass_authentication)"
    : "Logins are not set up here: the operator must set oidc.issuer";
  return problem(404, "no_identity_provider", message);
}

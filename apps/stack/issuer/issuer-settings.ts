/** How oidc-provider is set up: a device flow and machine logins that give signed access tokens for our services. */
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import { type FirstPerson, rolesClaim } from "./first-person.ts";
import type { IssuerSecrets } from "./issuer-keys.ts";
import { issuerPage } from "./issuer-page.ts";
import type { IssuerStorage } from "./issuer-storage.ts";
import { accessTokenSec, deviceCodeSec, refreshTokenSec } from "./limits.ts";

/** Public client of the command line. */
export const commandLineClient = "vantage-cli";
/** Public client of the gateway's pages. */
export const consoleClient = "vantage-console";
/** For programs without a person: client credentials. Its secret is public: it is a development issuer. */
export const machineClient = { id: "vantage-machine", secret: "development-only" } as const;

const scopes = "openid profile email offline_access";
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** Such as the coordination server of the VPN: authorization code, and who the person is; no token for our services. */
export interface WebClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
}

interface SettingsParts {
  readonly secrets: IssuerSecrets;
  readonly storage: IssuerStorage;
  /** Absolute URI: `aud` of the access tokens. */
  readonly audience: string;
  readonly webClient: WebClient | null;
  readonly first: FirstPerson;
}

export function issuerSettings({
  secrets,
  storage,
  audience,
  webClient,
  first,
}: SettingsParts): Configuration {
  return {
    adapter: storage.adapter,
    jwks: { keys: [secrets.signingKey] },
    cookies: { keys: [secrets.cookieKey] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clients: [...clients(), ...(webClient === null ? [] : [webClientOf(webClient)])],
    scopes: scopes.split(" "),
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    extraTokenClaims: (_, token) =>
      "accountId" in token
        ? { preferred_username: token.accountId, [rolesClaim]: first.rolesOf(token.accountId) }
        : {},
    findAccount: (_, name) => ({ accountId: name, claims: () => claimsOf(name) }),
    loadExistingGrant: (ctx) => grantAll(ctx, audience),
    issueRefreshToken: async (_, client) => client.grantTypeAllowed("refresh_token"),
    interactions: { url: (_, { uid }) => `/login/${uid}` },
    renderError: (ctx, { error, error_description: text }) => {
      ctx.type = "html";
      ctx.body = issuerPage({ title: "Something went wrong", text: text ?? error, form: null });
    },
    ttl: {
      ...{ AccessToken: accessTokenSec, ClientCredentials: accessTokenSec, IdToken: accessTokenSec },
      ...{ DeviceCode: deviceCodeSec, Interaction: deviceCodeSec },
      ...{ RefreshToken: refreshTokenSec, Session: refreshTokenSec, Grant: refreshTokenSec },
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      deviceFlow: { enabled: true, ...devicePages },
      resourceIndicators: {
        enabled: true,
        // Without a resource, the token is for the issuer's own page of claims.
        defaultResource: (_, { clientId }) => (clientId === webClient?.id ? [] : audience),
        useGrantedResource: (_, { clientId }) => clientId !== webClient?.id,
        getResourceServerInfo: () => ({
          scope: "",
          audience,
          accessTokenTTL: accessTokenSec,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "ES256" } },
        }),
      },
      rpInitiatedLogout: { enabled: false },
    },
  };
}

function clients(): NonNullable<Configuration["clients"]> {
  const none = { redirect_uris: [], response_types: [] };
  return [
    {
      ...none,
      client_id: commandLineClient,
      client_name: "vantage",
      token_endpoint_auth_method: "none",
      application_type: "native",
      grant_types: [deviceGrant, "refresh_token"],
    },
    {
      client_id: consoleClient,
      client_name: "vantage",
      token_endpoint_auth_method: "none",
      // Of such a client any port is taken on loopback (RFC 8252, section 7.3).
      application_type: "native",
      redirect_uris: ["127.0.0.1", "localhost", "[::1]"].map((host) => `http://${host}/console/callback`),
      response_types: ["code" as const],
      grant_types: ["authorization_code", "refresh_token"],
    },
    {
      ...none,
      client_id: machineClient.id,
      client_secret: machineClient.secret,
      grant_types: ["client_credentials"],
    },
  ];
}

function webClientOf({ id, secret, redirectUri }: WebClient) {
  return {
    client_id: id,
    client_secret: secret,
    redirect_uris: [redirectUri],
    response_types: ["code" as const],
    grant_types: ["authorization_code"],
  };
}

function claimsOf(name: string) {
  return { sub: name, name, email: `${encodeURIComponent(name)}@example.net`, email_verified: true };
}

/** A login counts as consent: there is nothing to protect. */
async function grantAll({ oidc }: KoaContextWithOIDC, audience: string) {
  const { client, session, provider, result } = oidc;
  const grantId = result?.consent?.grantId ?? session?.grantIdFor(client?.clientId ?? "");
  const before = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (before !== undefined || session?.accountId === undefined || client === undefined) {
    return before;
  }
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(scopes);
  grant.addResourceScope(audience, scopes);
  await grant.save();
  return grant;
}

const devicePages = {
  mask: "****-****",
  userCodeInputSource: (ctx: KoaContextWithOIDC, form: string, _: unknown, error?: unknown) => {
    const text = error === undefined ? "Type the code that your terminal shows." : "That code is not known.";
    ctx.body = issuerPage({ title: "Log in", text, form, formId: "op.deviceInputForm", button: "Continue" });
  },
  userCodeConfirmSource: (
    ctx: KoaContextWithOIDC,
    form: string,
    _client: unknown,
    _device: unknown,
    code: string,
  ) => {
    const text = `Does your terminal show the code ${code}?`;
    ctx.body = issuerPage({ title: "Log in", text, form, formId: "op.deviceConfirmForm", button: "Yes" });
  },
  successSource: (ctx: KoaContextWithOIDC) => {
    ctx.body = issuerPage({ title: "Logged in", text: "Go back to your terminal.", form: null });
  },
};

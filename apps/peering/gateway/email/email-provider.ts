/** The port to the source of users' e-mail addresses: the identity provider's management API. */
import type { EmailConfig } from "../config.ts";
import { ProviderApi } from "./provider-api.ts";

export interface EmailProvider {
  /** Null when the user has no address there, or does not exist. Rejects with ProviderError. */
  emailOf(subject: string): Promise<string | null>;
}

/** `url` has no slash at its end, as EmailConfig has it. */
export function openEmailProvider(config: EmailConfig): EmailProvider {
  return config.provider === "auth0" ? auth0(config) : keycloak(config);
}

/** Auth0 and compatible providers: a user's id there is the subject. */
function auth0({ url, clientId, clientSecret }: EmailConfig): EmailProvider {
  const tokenUrl = `${url}/oauth/token`;
  const api = new ProviderApi({ tokenUrl, clientId, clientSecret, audience: `${url}/api/v2/` });
  return { emailOf: (subject) => emailAt(api, `${url}/api/v2/users/${encodeURIComponent(subject)}`) };
}

/** Keycloak's admin API: a user's id there is the subject. */
function keycloak({ url, realm, clientId, clientSecret }: EmailConfig): EmailProvider {
  const name = encodeURIComponent(realm);
  const tokenUrl = `${url}/realms/${name}/protocol/openid-connect/token`;
  const api = new ProviderApi({ tokenUrl, clientId, clientSecret, audience: null });
  const users = `${url}/admin/realms/${name}/users`;
  return { emailOf: (subject) => emailAt(api, `${users}/${encodeURIComponent(subject)}`) };
}

async function emailAt(api: ProviderApi, url: string): Promise<string | null> {
  const user = await api.read(url);
  return typeof user?.email === "string" && user.email !== "" ? user.email : null;
}

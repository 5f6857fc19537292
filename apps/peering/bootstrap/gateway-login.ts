/**
 * The login with which the client stack asks the peering gateway: that of `vantage login` on this machine, which is
 * renewed as that command does it, or a token in a file, which another program renews. It is read for each request.
 */
import { readFileSync } from "node:fs";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { ConfigError } from "../../../lib/engines/config/config-error.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { isProfileName } from "../../../lib/engines/gateway-client/profile.ts";
import { Profiles, settingsFolder } from "../../../lib/engines/gateway-client/profiles.ts";
import { StoredToken } from "../../../lib/engines/gateway-client/stored-token.ts";
import type { TokenSource } from "../../../lib/engines/gateway-client/token-source.ts";

export interface GatewayLogin {
  readonly url: string;
  readonly tokens: TokenSource;
}

interface GivenGateway {
  readonly url?: string | undefined;
  readonly token_file?: string | undefined;
  readonly profile?: string | undefined;
  readonly login?: string | undefined;
}

/** What does not go together; null = nothing. */
export function gatewayContradiction({ url, token_file, profile, login }: GivenGateway): string | null {
  if (login !== undefined) {
    const isAlone = (url ?? token_file ?? profile) === undefined;
    return isAlone ? null : "give login alone, or the others without it";
  }
  if (profile !== undefined) {
    return token_file === undefined ? null : "give profile or token_file, not both";
  }
  return (url === undefined) === (token_file === undefined)
    ? null
    : "give both url and token_file, or neither";
}

interface LoginSources {
  readonly environment: Environment;
  /** The configuration's name, for messages. */
  readonly file: string;
}

/** Null = no gateway is configured. Throws ConfigError without such a login, or when the file cannot be read. */
export function gatewayLogin(given: GivenGateway, sources: LoginSources): GatewayLogin | null {
  const { url, token_file: path, profile } = given;
  if (profile !== undefined) {
    return profileLogin(profile, url, sources);
  }
  if (url === undefined || path === undefined) {
    return null;
  }
  const read = () => readToken(path, sources.file);
  read();
  const renewed = async (refused: string) => {
    const token = read();
    return token === refused ? null : token;
  };
  return { url, tokens: { token: async () => read(), renewed } };
}

function readToken(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    const reason = `${path} cannot be read: ${systemReason(error)}`;
    throw new ConfigError([{ place: file, key: "gateway.token_file", reason }]);
  }
}

function profileLogin(
  name: string,
  given: string | undefined,
  { environment, file }: LoginSources,
): GatewayLogin {
  const wrong = (reason: string) => new ConfigError([{ place: file, key: "gateway.profile", reason }]);
  const profiles = new Profiles(settingsFolder(environment));
  const profile = isProfileName(name) ? profiles.read(name) : null;
  if (profile === null) {
    throw wrong(
      `there is no login "${name}" in ${profiles.folder}; as the user that runs this: vantage login`,
    );
  }
  const url = given ?? profile.peering_gateway;
  if (url === null) {
    throw wrong(`the login "${name}" knows no peering gateway; give gateway.url`);
  }
  return { url, tokens: new StoredToken(profiles, name) };
}

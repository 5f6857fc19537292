/** The login of a user at a gateway, by device code (RFC 8628): the gateway names the issuer. */
import { Gateway } from "./gateway.ts";
import { clientSide, GatewayError } from "./gateway-error.ts";
import { type DevicePrompt, Issuer } from "./issuer.ts";
import { loginParametersSchema, loginPath } from "./login-parameters.ts";
import type { Profiles } from "./profiles.ts";

interface LoginOrder {
  /** Address of the probing gateway. */
  readonly address: string;
  /** Name of the profile that keeps the login. */
  readonly name: string;
  readonly profiles: Profiles;
  readonly userAgent: string;
  /** As of Gateway; absent = its default. */
  readonly retryDelaysMs?: readonly number[];
  /** Null = what the gateway states, or the stored address. */
  readonly peeringGateway?: string | null;
}

/**
 * Shows the prompt, waits until the user has followed it, and keeps the login. Rejects with GatewayError, or the
 * signal's reason.
 */
export async function logIn(
  { name, profiles, peeringGateway = null, ...reached }: LoginOrder,
  show: (prompt: DevicePrompt) => void,
  signal: AbortSignal,
): Promise<void> {
  const gateway = new Gateway({ ...reached, tokens: null });
  const parameters = gateway.read(loginPath, loginParametersSchema, { anonymous: true, signal });
  const { peering_gateway, ...client } = await parameters.catch((error: unknown) => {
    // A probing gateway's login parameters are public.
    throw error instanceof GatewayError && error.status === 401 ? notHere(reached.address) : error;
  });
  const issuer = await Issuer.discover(client);
  const tokens = await issuer.login(show, signal);
  const known = profiles.read(name)?.peering_gateway ?? null;
  using _lock = await profiles.lock(name);
  profiles.write(name, {
    ...client,
    gateway: reached.address,
    peering_gateway: peeringGateway ?? peering_gateway ?? known,
    tokens,
  });
}

/** What compose.yaml names the gateways. */
const peeringName = /^(https?:\/\/)peering\./;

function notHere(address: string): GatewayError {
  const probing = peeringName.test(address) ? address.replace(peeringName, "$1probing.") : "URL";
  const command = `vantage login --gateway=${probing} --peering-gateway=${address}`;
  return clientSide(
    "unknownGateway",
    `${address} is not a probing gateway, where logins are; if it is the exchange's: ${command}`,
  );
}

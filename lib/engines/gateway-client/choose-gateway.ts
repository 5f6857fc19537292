/** Chooses the gateway and the login to use there: from the user's options, else from the last login. */
import { clientSide } from "./gateway-error.ts";
import { gatewayAddressOf, type Profile } from "./profile.ts";
import type { Profiles } from "./profiles.ts";

export type Service = "probing" | "peering";

interface GatewayChoice {
  readonly service: Service;
  /** Address from option or environment; null = the profile's. */
  readonly address: string | null;
  /** Null = the profile of this address, else the one in use. */
  readonly profile: string | null;
}

export interface ChosenGateway {
  readonly address: string;
  /** Null = no user has logged in there. */
  readonly profile: string | null;
}

/** Throws GatewayError `unknownGateway`. */
export function chooseGateway(choice: GatewayChoice, profiles: Profiles): ChosenGateway {
  const wanted = choice.address === null ? null : addressOf(choice.address);
  const name = choice.profile ?? profileAt(wanted, choice.service, profiles);
  const profile = name === null ? null : profiles.read(name);
  if (choice.profile !== null && profile === null) {
    throw clientSide("unknownGateway", `There is no profile "${choice.profile}"; ${known(profiles.names())}`);
  }
  const own = profile === null ? null : addressIn(profile, choice.service);
  if (wanted !== null) {
    checkSame(wanted, own, choice.profile);
    return { address: wanted, profile: name };
  }
  if (own === null) {
    throw clientSide("unknownGateway", missing(choice.service, name));
  }
  return { address: own, profile: name };
}

function addressOf(text: string): string {
  const address = gatewayAddressOf(text);
  if (address === null) {
    throw clientSide(
      "unknownGateway",
      `"${text}" is not an address of a gateway: give one as https://gateway.example`,
    );
  }
  return address;
}

function addressIn(profile: Profile, service: Service): string | null {
  return service === "probing" ? profile.gateway : profile.peering_gateway;
}

/** Without an address the profile in use; with one, the profile of this address, the one in use first. */
function profileAt(address: string | null, service: Service, profiles: Profiles): string | null {
  const current = profiles.current();
  if (address === null) {
    return current;
  }
  const names = [...new Set([...(current === null ? [] : [current]), ...profiles.names()])];
  return (
    names.find((name) => {
      const profile = profiles.read(name);
      return profile !== null && addressIn(profile, service) === address;
    }) ?? null
  );
}

/** A token is sent only to the gateway that it was made for. */
function checkSame(wanted: string, own: string | null, profile: string | null): void {
  if (profile !== null && own !== null && own !== wanted) {
    throw clientSide(
      "unknownGateway",
      `Profile "${profile}" belongs to ${own}, not to ${wanted}: leave one of them out`,
    );
  }
}

function known(names: readonly string[]): string {
  return names.length === 0 ? "no login yet (see: vantage login --help)" : `known: ${names.join(", ")}`;
}

function missing(service: Service, profile: string | null): string {
  if (service === "probing" || profile === null) {
    const variable = service === "probing" ? "VANTAGE_GATEWAY" : "VANTAGE_PEERING_GATEWAY";
    return `No gateway is known: log in with \`vantage login --gateway=URL\`, or set ${variable}`;
  }
  return "No peering gateway is known: give --peering-gateway=URL, or set VANTAGE_PEERING_GATEWAY";
}

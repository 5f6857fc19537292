/** Options of every command that uses a gateway. */
import type { Format } from "../../../base/terminal/rows-output.ts";
import type { Service } from "../../../engines/gateway-client/choose-gateway.ts";
import { text } from "../kinds.ts";
import type { Given } from "../table.ts";

export interface CommonOptions {
  readonly service: Service;
  /** Null = from environment or login. */
  readonly address: string | null;
  readonly profile: string | null;
  readonly tokenStdin: boolean;
  readonly format: Format;
}

/** The gateway, by service. */
export const addressOptions = {
  probing: {
    gateway: {
      kind: text,
      placeholder: "URL",
      defaultText: "VANTAGE_GATEWAY, else that of the login",
      meaning: "the gateway",
    },
  },
  peering: {
    peeringGateway: {
      kind: text,
      placeholder: "URL",
      defaultText: "VANTAGE_PEERING_GATEWAY, else that of the login",
      meaning: "the gateway of the exchange",
    },
  },
} as const;

/** The login. */
export const loginOptions = {
  profile: {
    kind: text,
    placeholder: "NAME",
    defaultText: "VANTAGE_PROFILE, else the one of the gateway, else the last one",
    meaning: "login to use",
  },
  tokenStdin: {
    flag: true,
    default: false,
    meaning: "take the token from standard input, and keep nothing; VANTAGE_TOKEN does the same",
  },
} as const;

/** The given options of those above, as far as they are in a command's table. */
export type CommonGiven = Partial<
  Given<typeof addressOptions.probing & typeof addressOptions.peering & typeof loginOptions>
>;

export function commonOptions(given: CommonGiven, service: Service, format: Format): CommonOptions {
  return {
    service,
    address: (service === "probing" ? given.gateway : given.peeringGateway) ?? null,
    profile: given.profile ?? null,
    tokenStdin: given.tokenStdin ?? false,
    format,
  };
}

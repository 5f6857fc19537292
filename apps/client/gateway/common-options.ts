/** What every command that asks a gateway takes on its command line. */
import type { Service } from "../../../lib/gateway-client/choose-gateway.ts";
import { type Format, formats } from "../../../lib/terminal/rows-output.ts";

export interface CommonOptions {
  readonly service: Service;
  /** Null = by environment or login. */
  readonly address: string | null;
  readonly profile: string | null;
  readonly tokenStdin: boolean;
  readonly format: Format;
}

export const formatOption = {
  output: {
    type: "string",
    short: "o",
    default: "table",
    values: formats,
    value: "FORMAT",
    meaning: "table (default), json, ndjson (one object a line), csv",
  },
} as const;

/** Which gateway, by the service that is asked. */
export const addressOptions = {
  probing: {
    gateway: {
      type: "string",
      value: "URL",
      meaning: "the gateway (default: VANTAGE_GATEWAY, else that of the login)",
    },
  },
  peering: {
    "peering-gateway": {
      type: "string",
      value: "URL",
      meaning: "the gateway of the exchange (default: VANTAGE_PEERING_GATEWAY, else that of the login)",
    },
  },
} as const;

/** Whose login. */
export const loginOptions = {
  profile: {
    type: "string",
    value: "NAME",
    meaning: "whose login (default: VANTAGE_PROFILE, else the one of the gateway, else the last one)",
  },
  "token-stdin": {
    type: "boolean",
    meaning: "take the token from standard input, and keep nothing; VANTAGE_TOKEN does the same",
  },
} as const;

/** What was given of the options above, as far as they are in a command's table. */
export interface CommonValues {
  readonly gateway?: string;
  readonly "peering-gateway"?: string;
  readonly profile?: string;
  readonly "token-stdin"?: boolean;
}

export function commonOptions(values: CommonValues, service: Service, format: Format): CommonOptions {
  return {
    service,
    address: (service === "probing" ? values.gateway : values["peering-gateway"]) ?? null,
    profile: values.profile ?? null,
    tokenStdin: values["token-stdin"] === true,
    format,
  };
}

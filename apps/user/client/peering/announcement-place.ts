/**
 * Where announcements are requested: at the gateway of the user's login, or at the client stack on this machine, which
 * passes on what is asked to its own gateway, and does it itself where it follows none.
 */
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { configOption } from "../../../../lib/command/command/config-option.ts";
import { type GatewaySession, userAgent } from "../../../../lib/command/command/gateway/session.ts";
import { readConfigSource } from "../../../../lib/engines/config/config-source.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { GatewayError } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { announcementsAt, askStatus } from "../../../peering/bootstrap/ask-service.ts";
import { readStateFolder } from "../../../peering/bootstrap/config.ts";
import { chosenPrefix, onlyPrefix } from "./lease-arguments.ts";

export const placeOptions = {
  config: {
    ...configOption,
    notWith: ["peeringGateway", "profile", "tokenStdin"],
    meaning: "use the client stack on this machine: its configuration, as for vantage bootstrap",
  },
} as const;

/** For help. */
export const placeNote =
  "Uses the gateway of your login. Without a login, or with --config, it uses the client stack on this machine " +
  "(vantage bootstrap), which forwards the request to the gateway it follows, or carries it out itself.";

interface AnnouncementPlace {
  readonly gateway: Gateway;
  /** The named prefix, else the only one. Rejects with CommandError `usage` where there is a choice. */
  readonly prefix: (named: string | null) => Promise<string>;
}

/** Rejects with GatewayError, ConfigError, and CommandError where neither answers. */
export async function placeOf(session: GatewaySession, config: string | null): Promise<AnnouncementPlace> {
  if (config === null && hasGateway(session)) {
    const gateway = await session.open();
    return { gateway, prefix: (named) => chosenPrefix(gateway, named, session.signal) };
  }
  const folder = readStateFolder(readConfigSource(config), process.env);
  const { prefixes } = await askStatus(folder).catch((cause: unknown) => {
    throw config === null && cause instanceof Error ? neither(cause) : cause;
  });
  const known = prefixes.map(({ prefix }) => prefix);
  return {
    gateway: announcementsAt(folder, userAgent),
    prefix: async (named) =>
      named ?? onlyPrefix(known, "the client stack has no prefix: lease one, or set USER_PREFIXES"),
  };
}

/** True also where one is named that cannot be used: opening it says why. */
function hasGateway(session: GatewaySession): boolean {
  const { address, profile } = session.common;
  const { VANTAGE_PEERING_GATEWAY = "", VANTAGE_PROFILE = "" } = process.env;
  const isNamed = (address ?? profile) !== null || `${VANTAGE_PEERING_GATEWAY}${VANTAGE_PROFILE}` !== "";
  if (isNamed || session.tokenOrigin !== "profile") {
    return true;
  }
  try {
    session.chosen();
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.code === "unknownGateway") {
      return false;
    }
    throw error;
  }
}

function neither(cause: Error) {
  const advice = "log in with `vantage login --gateway=URL`, or name bootstrap's configuration with --config";
  return cannot(`${cause.message}; no gateway is known either: ${advice}`, { cause });
}

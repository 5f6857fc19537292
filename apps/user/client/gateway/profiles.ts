/** `vantage profiles`: the stored logins, and the current one. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { text } from "../../../../lib/command/command/kinds.ts";
import { clientSide } from "../../../../lib/engines/gateway-client/gateway-error.ts";

interface Row {
  readonly name: string;
  readonly isInUse: boolean;
  readonly gateway: string;
  readonly peeringGateway: string | null;
  readonly isLoggedIn: boolean;
}

const columns: readonly Column<Row>[] = [
  { name: "profile", head: "profile", value: ({ name }) => name },
  {
    name: "in_use",
    head: "in use",
    value: ({ isInUse }) => isInUse,
    cell: ({ isInUse }) => (isInUse ? "yes" : ""),
  },
  { name: "gateway", head: "gateway", value: ({ gateway }) => gateway },
  { name: "peering_gateway", head: "exchange", value: ({ peeringGateway }) => peeringGateway },
  {
    name: "logged_in",
    head: "logged in",
    value: ({ isLoggedIn }) => isLoggedIn,
    cell: ({ isLoggedIn }) => (isLoggedIn ? "yes" : "no"),
  },
];

export const command = gatewayCommand({
  about: "With a name, switches to that login.",
  options: {},
  arguments: { name: { kind: text, placeholder: "NAME", meaning: "the login to switch to" } },
  examples: ["vantage profiles", "vantage profiles lab"],
  act: async (session, { name }) => {
    if (name !== null) {
      use(session, name);
    }
    const rows = rowsOf(session);
    session.printRows(columns, rows);
    if (rows.length === 0) {
      session.note("no login yet; start with: vantage login --gateway=URL");
    }
    return exitCodes.ok;
  },
});

function use({ profiles }: GatewaySession, name: string): void {
  const names = profiles.names();
  if (!names.includes(name)) {
    const known = names.length === 0 ? "no login yet" : `known: ${names.join(", ")}`;
    throw clientSide("unknownGateway", `There is no profile "${name}"; ${known}`);
  }
  profiles.use(name);
}

function rowsOf({ profiles }: GatewaySession): Row[] {
  const current = profiles.current();
  return profiles.names().flatMap((name) => {
    const profile = profiles.read(name);
    if (profile === null) {
      return [];
    }
    const { gateway, peering_gateway: peeringGateway, tokens } = profile;
    return [{ name, isInUse: name === current, gateway, peeringGateway, isLoggedIn: tokens !== null }];
  });
}

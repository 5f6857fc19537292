/** `vantage peering env`: the environment variables of the client stack. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { infoSchema } from "./answers.ts";

interface StackEnvironment {
  readonly asn: number;
  readonly prefixes: readonly string[];
}

const columns: readonly Column<StackEnvironment>[] = [
  { name: "USER_ASN", head: null, value: ({ asn }) => String(asn) },
  { name: "USER_PREFIXES", head: null, value: ({ prefixes }) => prefixes.join(",") },
];

export const command = gatewayCommand({
  service: "peering",
  options: {},
  arguments: {},
  examples: [
    ["vantage peering env >> .env", "for compose.client.yaml (docs/operate/compose.md)"],
    `eval "$(vantage peering env | sed 's/^/export /')"`,
  ],
  act: async (session) => {
    const gateway = await session.open();
    const { asn, active_leases } = await gateway.read("/api/user/info", infoSchema, {
      signal: session.signal,
    });
    if (asn === null) {
      session.note("you have no AS number yet; get one with: vantage peering asn");
      return exitCodes.failure;
    }
    print(session, { asn, prefixes: active_leases.map(({ prefix }) => prefix).toSorted() });
    return exitCodes.ok;
  },
});

/** Numbers, colons, slashes and commas only, so shells do not interpret it. */
function print(session: GatewaySession, environment: StackEnvironment): void {
  if (session.format !== "table") {
    session.printRecord(columns, environment);
    return;
  }
  for (const { name, value } of columns) {
    session.screen.print(`${name}=${value(environment)}`);
  }
}

/** `vantage peering prefix list`: live leases, or all there ever were. */
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { historySchema, infoSchema, type ShownLease } from "./answers.ts";
import { leaseColumns } from "./lease-columns.ts";

const pageRows = 500;

export const command = gatewayCommand({
  service: "peering",
  options: {
    all: { flag: true, default: false, short: "a", meaning: "also those that have ended, newest first" },
  },
  arguments: {},
  examples: ["vantage peering prefix list --all -o csv"],
  act: list,
});

async function list(session: GatewaySession, { all }: { readonly all: boolean }): Promise<ExitCode> {
  const gateway = await session.open();
  const leases = all ? history(gateway, session.signal) : live(gateway, session.signal);
  const output = session.output(leaseColumns(Date.now()));
  for await (const lease of leases) {
    output.add(lease);
  }
  output.finish();
  if (output.rows === 0) {
    session.note("no lease; get one with: vantage peering prefix request 24");
  }
  return exitCodes.ok;
}

async function* live(gateway: Gateway, signal: AbortSignal): AsyncGenerator<ShownLease> {
  const { active_leases } = await gateway.read("/api/user/info", infoSchema, { signal });
  for (const lease of active_leases) {
    yield { ...lease, status: "active" };
  }
}

async function* history(gateway: Gateway, signal: AbortSignal): AsyncGenerator<ShownLease> {
  let after: number | undefined;
  for (;;) {
    const query = { limit: pageRows, after };
    const page = await gateway.read("/api/user/leases", historySchema, { query, signal });
    yield* page;
    after = page.at(-1)?.lease_id;
    if (page.length < pageRows) {
      return;
    }
  }
}

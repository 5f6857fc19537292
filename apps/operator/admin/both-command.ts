/** The frame of commands for both gateways, because a person may be a user of either. */
import type { CommandTable } from "../../../lib/command/command/command.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import type { ExitCode } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import {
  addressOptions,
  commonOptions,
  loginOptions,
} from "../../../lib/command/command/gateway/common-options.ts";
import { inSession } from "../../../lib/command/command/gateway/gateway-command.ts";
import { GatewaySession } from "../../../lib/command/command/gateway/session.ts";
import { choice } from "../../../lib/command/command/kinds.ts";
import type { ArgumentTable, Command, Given, OptionTable } from "../../../lib/command/command/table.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import { AdminApi } from "./admin-api.ts";

export interface Both {
  /** Null = `--only peering`. */
  readonly probing: AdminApi | null;
  /** Null = `--only probing`, or no address is configured. */
  readonly peering: AdminApi | null;
}

interface BothTable<Options extends OptionTable, Arguments extends ArgumentTable>
  extends Omit<CommandTable<Options, Arguments>, "act"> {
  /** Both must be configured, unless `--only` excludes one. */
  readonly isWhole?: true;
  readonly act: (session: GatewaySession, both: Both, given: Given<Options, Arguments>) => Promise<ExitCode>;
}

const shared = {
  ...formatOption,
  ...addressOptions.probing,
  ...addressOptions.peering,
  ...loginOptions,
  only: { kind: choice(["probing", "peering"], "GATEWAY"), meaning: "at this gateway alone" },
} as const;

export function bothCommand<const Options extends OptionTable, const Arguments extends ArgumentTable>({
  act,
  isWhole,
  ...table
}: BothTable<Options, Arguments>): Command {
  return defineCommand({
    ...table,
    options: { ...shared, ...table.options } as OptionTable,
    act: (values, { name }) => {
      const given = values as unknown as Given<Options, Arguments> & Given<typeof shared>;
      return inSession(name, commonOptions(given, "probing", given.output), async (session) => {
        const { only } = given;
        const peering = () => {
          const common = commonOptions(given, "peering", given.output);
          return AdminApi.open(new GatewaySession(name, common, session.signal));
        };
        const both = {
          probing: only === "peering" ? null : await AdminApi.open(session),
          peering:
            only === "probing" ? null : await orNone(session, peering, only === null && isWhole !== true),
        };
        return act(session, both, given);
      });
    },
  });
}

/** A platform may have no exchange: then only the probing gateway has users. */
async function orNone(
  session: GatewaySession,
  open: () => Promise<AdminApi>,
  mayBeNone: boolean,
): Promise<AdminApi | null> {
  try {
    return await open();
  } catch (error) {
    if (mayBeNone && error instanceof GatewayError && error.code === "unknownGateway") {
      session.note("no peering gateway is known, so this is of the probing gateway alone (--only probing)");
      return null;
    }
    throw error;
  }
}

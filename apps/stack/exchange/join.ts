/** `vantage stack join`: the tunnel of the stack's exchange leads to the device of the user who is logged in. */

import { existsSync } from "node:fs";
import { hashAnswer } from "../../../lib/base/api/leases.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { directoryDefault, directoryKind } from "../options.ts";
import { exchangePaths, writeOwner } from "./exchange-files.ts";
import { namespace, userAddresses } from "./tunnel.ts";

interface Joined {
  readonly address: string;
  readonly command: string;
}

const columns: readonly Column<Joined>[] = [
  { name: "address", head: "address in the tunnel", value: ({ address }) => address },
  { name: "command", head: "commands there", value: ({ command }) => command },
];

export const command = gatewayCommand({
  service: "peering",
  about: `What "tailscale up" is for the VPN of an exchange. The device of the stack's tunnel is one user's at a time: \
who joins has it from then on.`,
  options: {
    dir: {
      kind: directoryKind,
      defaultText: "as for vantage stack",
      meaning: "where the stack keeps everything",
    },
  },
  arguments: {},
  examples: ["vantage stack join --dir ./platform"],
  act: async (session, { dir }) => {
    const directory = dir ?? directoryDefault();
    if (!existsSync(exchangePaths(directory).environment)) {
      throw cannot(
        `There is no exchange in ${directory}: start one with vantage stack --exchange --dir ${directory}`,
      );
    }
    const gateway = await session.open();
    const { user_hash: userHash } = await gateway.read("/api/user/info", hashAnswer, {
      signal: session.signal,
    });
    writeOwner(directory, userHash);
    const joined = { address: userAddresses.v4, command: `ip netns exec ${namespace} COMMAND` };
    session.printRecord(columns, joined);
    return exitCodes.ok;
  },
});

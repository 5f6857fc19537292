/** `vantage ping`: probes to targets themselves. */
import { defineCommand } from "../../../lib/command/command/command.ts";
import { openAddressContext } from "../../../lib/command/command/context-options.ts";
import { checkBinaryOutput } from "../../../lib/command/command/program-output.ts";
import { targetArguments } from "./arguments.ts";
import { pingOptions } from "./option-tables.ts";
import { pingOrder } from "./options.ts";
import { pingAll } from "./ping-all.ts";
import { exits, openSession } from "./session.ts";

export const command = defineCommand({
  options: pingOptions,
  arguments: targetArguments,
  notes: `Needs root, or CAP_NET_RAW; not with --from, where agents send: -s, -i and --rate do not go with it. A \
target that answers an echo from another of its addresses is shown with "from ADDRESS", and counts as answered.`,
  examples: [
    "vantage ping example.org",
    "vantage ping -p tcp --dst-port 443 -c 20 --interval-ms 200 192.0.2.1",
    "vantage ping --summary -o csv 192.0.2.1 2001:db8::1",
  ],
  exits,
  act: async (given, { name }) => {
    checkBinaryOutput(given.output);
    const options = pingOrder(given);
    const addressContext = openAddressContext(options.context, options.output === "table");
    if (options.from !== null) {
      // Loaded on demand: a local ping starts without it.
      const { pingFrom } = await import("./remote/ping-from.ts");
      return await pingFrom(name, options, options.from, addressContext);
    }
    await using session = await openSession(name, options);
    return await pingAll(session, options, addressContext);
  },
});

/** `vantage trace`: the paths to targets, with all their branches. */
import { defineCommand } from "../../../lib/command/command/command.ts";
import { openAddressContext } from "../../../lib/command/command/context-options.ts";
import { checkBinaryOutput } from "../../../lib/command/command/program-output.ts";
import { traceArguments } from "./arguments.ts";
import { traceOptions } from "./option-tables.ts";
import { traceOrder } from "./options.ts";
import { exits, openSession } from "./session.ts";
import { targetsOf } from "./targets-file.ts";
import { traceAll } from "./trace-all.ts";
import { checkScreen } from "./watch-order.ts";

export const command = defineCommand({
  options: traceOptions,
  arguments: traceArguments,
  notes: `Needs root, or CAP_NET_RAW; not with --from. Replies must carry back a keyed tag: forged ones are left \
out, and counted. Each flow leaves as the kernel routes its source and ports, so equal routes of this host show as \
branches at the first hop (net.ipv4.fib_multipath_hash_policy=1). An echo reply counts for its target, whatever \
address it comes from. The zone of a link-local target is its interface: fe80::1%eth0. With --from agents \
probe a few hops at a time, until the target answers; probes no longer needed are cancelled and refunded. \
Give sources as AGENT:ADDRESS: -s, -i and --rate cannot be used with --from.`,
  examples: [
    "vantage trace example.org",
    "vantage trace -p tcp --dst-port 443 192.0.2.1 2001:db8::1",
    "vantage trace --watch -p icmp example.org",
    "vantage trace --report --cycles 60 -o csv example.org",
    "vantage trace -f targets.txt -o ndjson",
    "vantage trace --svg path.svg example.org",
    "vantage trace -o warts example.org > trace.warts",
    "vantage trace --from west,east -p icmp example.org",
    "vantage trace -p icmp --flows 32 -q 1 -o ndjson example.org | jq .hops",
  ],
  exits,
  act: async (given, { name }) => {
    const fileTargets = (await Promise.all(given.file.map(targetsOf))).flat();
    checkBinaryOutput(given.output);
    const options = traceOrder(given, fileTargets);
    const addressContext = openAddressContext(options.context, options.output === "table");
    if (options.from !== null) {
      // Loaded on demand: a local trace starts without it.
      const { traceFrom } = await import("./remote/trace-from.ts");
      return await traceFrom(name, options, options.from, addressContext);
    }
    if (options.watch !== null) {
      // Loaded on demand, too.
      const { watchAll } = await import("./watch/watch-all.ts");
      checkScreen(options.watch);
      await using session = await openSession(name, options);
      return await watchAll(session, options, options.watch, addressContext);
    }
    await using session = await openSession(name, options);
    return await traceAll(session, options, addressContext);
  },
});

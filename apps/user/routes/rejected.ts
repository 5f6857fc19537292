/** `vantage routes rejected`: what peers have sent and routers have refused, by a collector. */
import { type RejectedAnswer, rejectedAnswer } from "../../../lib/base/api/routes.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { RowsOutput } from "../../../lib/base/terminal/rows-output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import { collectorAt } from "../../../lib/command/command/gateway/collector.ts";
import { address } from "../../../lib/command/command/kinds.ts";
import type { Gateway } from "../../../lib/engines/gateway-client/gateway.ts";
import type { Ask } from "../../../lib/engines/gateway-client/transport.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { answerColumns } from "./answer-columns.ts";
import { collectorDefault, collectorError, collectorOption } from "./collector-option.ts";

export const rejected = defineCommand({
  about: `Asks a collector (vantage collector) for the routes that its routers have received and rejected, each as \
received. Where a router sends its routes before and after its policy (BMP), those that are only in the first are \
rejected; \
BIRD without BMP is asked for what it has filtered, where the collector may; of others only routes with a known mark \
show. The table is read piece by piece: what changes meanwhile may be missed.`,
  options: {
    ...formatOption,
    ...collectorOption,
    router: { kind: address, meaning: "of this router alone" },
    peer: { kind: address, meaning: "of this peer alone" },
  },
  arguments: {},
  examples: ["vantage routes rejected", "vantage routes rejected --peer 2001:db8::9 -o json"],
  exits: { failure: "the collector is unreachable" },
  act: async ({ collector, router, peer, output: format }) => {
    const gateway = collectorAt(collector, collectorDefault);
    const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
    const rows = new RowsOutput({ columns: answerColumns, format, print: printLine, dim });
    const given = {
      ...(router === null ? {} : { router: formatAddress(router) }),
      ...(peer === null ? {} : { peer: formatAddress(peer) }),
    };
    let silent: readonly string[] = [];
    for (let from: number | null = 1; from !== null; ) {
      const query = { ...given, from };
      const ask = { query, anonymous: true };
      const page: RejectedAnswer = await pageOf(gateway, ask);
      for (const route of page.routes) {
        rows.add(route);
      }
      [from, silent] = [page.next, page.routers_without_policy];
    }
    rows.finish();
    if (silent.length > 0) {
      complain(
        "routes rejected",
        `${silent.join(", ")}: sends no table after its policy, and cannot be queried: only marks show`,
      );
    }
    return exitCodes.ok;
  },
});

async function pageOf(gateway: Gateway, ask: Ask): Promise<RejectedAnswer> {
  return await gateway.read("/api/routes/rejected", rejectedAnswer, ask).catch((error) => {
    throw collectorError(error);
  });
}

/** `vantage experiment show`: the results of its rounds, in tables. */
import { dayOf } from "../../../../lib/answers/enrich/address-context.ts";
import { atOnce } from "../../../../lib/base/list/steps.ts";
import { printLine } from "../../../../lib/base/terminal/output.ts";
import type { Format } from "../../../../lib/base/terminal/rows-output.ts";
import {
  contextFolderOption,
  contextRequest,
  openAddressContext,
} from "../../../../lib/command/command/context-options.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { choice } from "../../../../lib/command/command/kinds.ts";
import { roundsOf, sweepRounds } from "../../../../lib/measuring/experiment/begun.ts";
import { bothPlanes, reactionRows } from "../../../../lib/measuring/experiment/both-planes.ts";
import type { ExperimentLedger } from "../../../../lib/measuring/experiment/journal.ts";
import { moveRows, roundRows, siteRows } from "../../../../lib/measuring/experiment/round-rows.ts";
import { experimentArgument, readLedger } from "./experiment-id.ts";
import { printed } from "./printed.ts";
import { moveColumns, reactionColumns, roundColumns, siteColumns } from "./tables.ts";
import {
  type AsnOf,
  groupColumns,
  groupRows,
  networkOf,
  targetColumns,
  targetRows,
} from "./target-tables.ts";

const views = ["rounds", "moves", "sites", "targets", "prefixes", "asns", "convergence"] as const;
type ViewName = (typeof views)[number];

export const show = gatewayCommand({
  about: `The catchments of its rounds, and of a sweep what each site catches with each number of prepends.

  rounds    each site's targets; one that was at another site the round before has moved here
  moves     how many targets went from which site to which
  sites     each site's share of the targets, with each number of prepends there and none elsewhere, and alone
  targets   each target: the site, the order in which it prefers sites, the prepends that move it, and where to;
            how often its site changed (flips), in how many rounds it answered at several (unstable), or not (silent)
  prefixes  the same in sums for each /24 and /48
  asns      and for each AS
  convergence  how long after each change each peer of a router and each agent saw something new, first and last`,
  options: {
    view: {
      kind: choice(views),
      short: "v",
      defaultText: "rounds, moves, sites and convergence",
      meaning: "which table",
    },
    context: { ...contextFolderOption, meaning: "for ASes: where the sets of vantage context lie" },
  },
  arguments: { experiment: experimentArgument },
  examples: ["vantage experiment show 'prepend west'", "vantage experiment show -v targets -o csv sweep"],
  act: async (session, { experiment, view, context }) => {
    const { format } = session;
    const ledger = await readLedger(await session.open(), experiment, session.signal);
    session.note(stateOf(ledger));
    if (view === null && format === "table") {
      printSummary(ledger);
    } else {
      const isAsked = view === "asns" || context !== null;
      const asnOf = view === "asns" || view === "targets" ? asnsBy(context, isAsked, ledger) : () => null;
      printView(view ?? "rounds", ledger, { format, asnOf });
    }
    return exitCodes.ok;
  },
});

/** The default tables, without empty ones. */
export function printSummary(ledger: ExperimentLedger): void {
  const rounds = roundsOf(ledger);
  const sites = siteRows(sweepRounds(rounds));
  const moves = [...moveRows(rounds)];
  const unsteady = targetRows(rounds, [], () => null).filter(({ flips, unstable }) => flips + unstable > 0);
  printed(roundColumns, roundRows(rounds), "table");
  if (moves.length > 0) {
    printLine("\nTargets that moved since the round before:");
    printed(moveColumns, moves, "table");
  }
  if (sites.length > 0) {
    printLine("\nTargets that each site catches, by its prepends, and alone:");
    printed(siteColumns(sites), sites, "table");
  }
  const reactions = [...reactionRows(atOnce(bothPlanes(ledger, null)))];
  if (reactions.length > 0) {
    printLine("\nAfter each change, what was new at each peer and agent, first and last:");
    printed(reactionColumns, reactions, "table");
  }
  if (unsteady.length > 0) {
    printLine(`\n${unsteady.length} targets changed their site or answered at several: --view targets`);
  }
}

interface Printing {
  readonly format: Format;
  readonly asnOf: AsnOf;
}

function printView(view: ViewName, ledger: ExperimentLedger, { format, asnOf }: Printing): void {
  const rounds = roundsOf(ledger);
  const sweep = sweepRounds(rounds);
  switch (view) {
    case "rounds":
      printed(roundColumns, roundRows(rounds), format);
      break;
    case "convergence":
      printed(reactionColumns, reactionRows(atOnce(bothPlanes(ledger, null))), format);
      break;
    case "moves":
      printed(moveColumns, moveRows(rounds), format);
      break;
    case "sites": {
      const rows = siteRows(sweep);
      printed(siteColumns(rows), rows, format);
      break;
    }
    case "targets":
      printed(targetColumns, targetRows(rounds, sweep, asnOf), format);
      break;
    case "prefixes":
      printed(groupColumns("prefix"), groupRows(rounds, sweep, networkOf), format);
      break;
    case "asns": {
      const groupOf = (target: string) => asnText(asnOf(target));
      printed(groupColumns("AS"), groupRows(rounds, sweep, groupOf), format);
      break;
    }
  }
}

function asnText(asn: number | null): string | null {
  return asn === null ? null : `AS${asn}`;
}

/** As of the day of its start. Throws CommandError when ASes are requested and there is no set. */
function asnsBy(folder: string | null, isAsked: boolean, { begun }: ExperimentLedger): AsnOf {
  const fields = isAsked ? (["asn"] as const) : null;
  const addressContext = openAddressContext(
    contextRequest({ with: fields, context: folder, resolver: [] }),
    true,
  );
  const day = dayOf(begun?.startMs ?? 0);
  return (target) => addressContext.of(target, day).context?.asn ?? null;
}

function stateOf({ begun, ended, done }: ExperimentLedger): string {
  if (begun === null) {
    return "it has not begun";
  }
  return `${begun.name}: ${done.size} actions done, ${ended === null ? "not ended" : `ended: ${ended.reason}`}`;
}

/** `vantage experiment stop`: ends a run, whether its command is alive or not. */
import { changedAnswer } from "../../../../lib/base/api/announcements.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import { experimentTickMs } from "../limits.ts";
import { announcementPath } from "../peering/announcement-options.ts";
import { askToStop, begunExperiment, openJournal, readJournal } from "./journal.ts";
import { journalArgument } from "./printed.ts";

export const stop = gatewayCommand({
  service: "peering",
  about: "Withdraws the prefix everywhere at once, and ends the run, whether its command is alive or not.",
  options: {},
  arguments: { journal: journalArgument },
  examples: ["vantage experiment stop prepend.yaml.journal"],
  act: async (session, { journal }) => {
    const ledger = readJournal(journal);
    if (ledger.ended !== null) {
      session.note(`it has ended already: ${ledger.ended.reason}`);
      return exitCodes.ok;
    }
    // First, so that a controller renews nothing after the withdrawal.
    askToStop(journal);
    const gateway = await session.open();
    const begun = begunExperiment(ledger) ?? nothingBegun(journal);
    const ask = { method: "DELETE", repeatable: true } as const;
    await gateway.read(announcementPath(begun.experiment.prefix), changedAnswer, ask);
    await pause(2 * experimentTickMs);
    if (readJournal(journal).ended === null && !endedByUs(journal)) {
      session.note("its command is still alive, and ends within seconds");
    }
    session.note("withdrawn everywhere");
    return exitCodes.ok;
  },
});

/** False when its command is running. */
function endedByUs(path: string): boolean {
  try {
    using journal = openJournal(path);
    journal.write({ kind: "ended", atNs: String(BigInt(Date.now()) * 1_000_000n), reason: "stopped" });
    return true;
  } catch {
    return false;
  }
}

function nothingBegun(journal: string): never {
  throw cannot(`${journal} has no experiment that was begun: begin one with vantage experiment run`);
}

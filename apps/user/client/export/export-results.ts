/** Exports a measurement's results into a new folder: from a gateway, or a column store. */
import * as v from "valibot";
import { gatewaySource } from "../../../../lib/answers/results/gateway-source.ts";
import { storeSource } from "../../../../lib/answers/results/store-source.ts";
import { unattributedTexts } from "../../../../lib/answers/results/unattributed.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { listenForInterrupt } from "../../../../lib/base/terminal/interruption.ts";
import { printLine } from "../../../../lib/base/terminal/output.ts";
import { Screen } from "../../../../lib/base/terminal/screen.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { complain } from "../../../../lib/command/command/complain.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { inSession } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { type GatewaySession, userAgent } from "../../../../lib/command/command/gateway/session.ts";
import { measurementStatusSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import { type ColumnStore, openStore } from "../../../../lib/engines/store/clickhouse/open.ts";
import { rowsOf } from "../../../../lib/engines/store/clickhouse/rows.ts";
import { isEnded } from "../gateway/measurement-columns.ts";
import { wholeId } from "../gateway/measurement-id.ts";
import { storeAddressOf } from "../replies/run-results.ts";
import { type FrozenSource, freeze } from "./freeze.ts";
import { FrozenFolder } from "./frozen-folder.ts";
import type { ExportOrder } from "./options.ts";

const vantageVersion = `${userAgent.replace("vantage/", "")} (${process.env.VANTAGE_COMMIT ?? "development"})`;

/** Resolves to the exit code. */
export async function exportResults(name: string, order: ExportOrder): Promise<ExitCode> {
  const { place } = order;
  if (place.kind === "gateway") {
    return await inSession(name, place.common, async (session) => {
      const source = await sourceOf(session, place.measurementId, order);
      return await intoFolder(source, order, { ...session, note: (text) => session.note(text) });
    });
  }
  using interruption = listenForInterrupt();
  const { signal } = interruption;
  const progress = new Screen(process.stderr.isTTY === true, process.stderr);
  try {
    await using store = await openStore(storeAddressOf(place));
    const source = await sourceIn(store, order.measurement);
    return await intoFolder(source, order, { signal, progress, note: (text) => complain(name, text) });
  } catch (error) {
    if (signal.aborted) {
      return exitCodes.interrupted;
    }
    throw error;
  }
}

interface Surroundings {
  readonly signal: AbortSignal;
  readonly progress: Screen;
  readonly note: (text: string) => void;
}

async function intoFolder(
  source: FrozenSource,
  order: ExportOrder,
  { signal, progress, note }: Surroundings,
): Promise<ExitCode> {
  using folder = new FrozenFolder(order.folder);
  const onProgress = (text: string) => progress.draw(text);
  try {
    const description = await freeze(source, { ...order, signal, onProgress }, folder);
    signal.throwIfAborted();
    folder.finish();
    progress.clear();
    const rows = description.files.reduce((sum, file) => sum + file.rows, 0);
    printLine(`${order.folder}: ${description.files.length} files of results, ${grouped(rows)} rows`);
    for (const text of unattributedTexts(description.unattributed)) {
      note(text);
    }
    if (order.terms.authors.length === 0) {
      note("the citation has no author (see: --author)");
    }
    return exitCodes.ok;
  } finally {
    progress.clear();
  }
}

async function sourceOf(session: GatewaySession, given: string, order: ExportOrder): Promise<FrozenSource> {
  const { signal } = session;
  const gateway = await session.open();
  const measurementId = await wholeId(session, gateway, given);
  const path = `/api/measurements/${measurementId}/status`;
  // The response is kept unchanged, including members unknown to this version.
  const answer = await gateway.read(path, v.looseObject(measurementStatusSchema.entries), { signal });
  const hasEnded = isEnded(answer);
  if (!hasEnded && !order.isUnfinishedTaken) {
    throw cannot(
      `Cannot export ${measurementId}: it has not ended; wait for it (see: vantage follow), or give --unfinished`,
    );
  }
  return {
    results: gatewaySource(gateway, signal),
    measurementId,
    request: { gateway: gateway.address, answer, isEnded: hasEnded },
    versions: { vantage: vantageVersion, column_store: null },
  };
}

async function sourceIn(store: ColumnStore, measurementId: string): Promise<FrozenSource> {
  const asked = rowsOf<{ readonly version: string }>(store, {
    sql: "SELECT version() AS version",
    params: {},
  });
  const [row] = await Array.fromAsync(asked);
  return {
    results: storeSource(store),
    measurementId,
    request: null,
    versions: { vantage: vantageVersion, column_store: row?.version ?? null },
  };
}

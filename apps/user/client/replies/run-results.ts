/** Runs the commands that show results: from the gateway, or from a given column store. */
import * as v from "valibot";
import { gatewaySource } from "../../../../lib/answers/results/gateway-source.ts";
import { campaignRunsMax } from "../../../../lib/answers/results/limits.ts";
import { storeSource } from "../../../../lib/answers/results/store-source.ts";
import { unattributedTexts } from "../../../../lib/answers/results/unattributed.ts";
import { campaignRunAnswer } from "../../../../lib/base/api/campaigns.ts";
import { paletteFor } from "../../../../lib/base/terminal/colour.ts";
import { listenForInterrupt } from "../../../../lib/base/terminal/interruption.ts";
import { Screen } from "../../../../lib/base/terminal/screen.ts";
import { cannot, wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { complain } from "../../../../lib/command/command/complain.ts";
import { openAddressContext } from "../../../../lib/command/command/context-options.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { inSession } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { checkBinaryOutput } from "../../../../lib/command/command/program-output.ts";
import { openStore } from "../../../../lib/engines/store/clickhouse/open.ts";
import type { CampaignRun } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import { campaignId } from "../campaign/campaign-id.ts";
import { readClientConfig } from "../config.ts";
import { followMeasurement } from "../gateway/follow-measurement.ts";
import { wholeId } from "../gateway/measurement-id.ts";
import { campaignPageRowsMax } from "../limits.ts";
import { follow } from "./follow.ts";
import type { GatewayLocation, Options, StoreLocation } from "./options.ts";
import { type Shown, showView } from "./show.ts";

export const about = `The gateway shows your own measurements; a column store (--store, --config) shows any, without \
a login.`;

/** Resolves to the exit code. */
export async function runResults(name: string, options: Options): Promise<ExitCode> {
  checkBinaryOutput(options.format);
  const { place } = options;
  if (place.kind === "gateway") {
    return await throughGateway(name, options, place);
  }
  const { campaign } = options;
  if (place.kind === "campaign") {
    return await throughGateway(name, options, { common: place.common, measurementId: null });
  }
  if (campaign === null) {
    return await fromStore(name, options, place);
  }
  return await inSession(name, campaign.common, async (session) => {
    const runs = await runsOf(session, campaign.given);
    return await fromStore(name, { ...options, filter: { ...options.filter, runs } }, place);
  });
}

async function throughGateway(
  name: string,
  options: Options,
  {
    common,
    measurementId: given,
  }: Pick<GatewayLocation, "common"> & { readonly measurementId: string | null },
): Promise<ExitCode> {
  return await inSession(name, common, async (session) => {
    if (!options.follow) {
      const gateway = await session.open();
      const of =
        given === null
          ? { campaignId: await campaignId(gateway, options.campaign?.given ?? "", session.signal) }
          : { measurementId: await wholeId(session, gateway, given) };
      const { againstGiven: against } = options;
      const ask = {
        ...options,
        filter: { ...options.filter, ...of },
        against:
          against === null
            ? null
            : { ...options.filter, measurementId: await wholeId(session, gateway, against) },
        with: options.context.fields ?? [],
      };
      const source = gatewaySource(gateway, session.signal);
      const shown = await showView(source, ask, { ...session.show, palette: session.palette });
      for (const remark of remarksOn(shown, options, "")) {
        session.note(remark);
      }
      return exitCodes.ok;
    }
    if (options.view !== "replies") {
      throw wrongUsage(`-f with --view ${options.view} needs a column store (--store, --config)`);
    }
    return followMeasurement(session, {
      id: given ?? "",
      filter: options.filter,
      count: null,
      timeoutMs: null,
    });
  });
}

async function fromStore(name: string, options: Options, place: StoreLocation): Promise<ExitCode> {
  const isTerminal = process.stdout.isTTY === true;
  if (options.follow && options.view !== "replies" && !isTerminal) {
    throw wrongUsage(`-f with --view ${options.view} draws on a terminal, and standard output is not one`);
  }
  await using store = await openStore(storeAddressOf(place));
  const screen = new Screen(isTerminal && options.follow);
  const palette = paletteFor(isTerminal, process.env.NO_COLOR);
  const show = {
    palette,
    print: (text: string) => screen.print(text),
    write: (bytes: Uint8Array) => screen.write(bytes),
  };
  if (options.follow) {
    using interruption = listenForInterrupt();
    await follow({ ...show, store, options, screen, signal: interruption.signal });
    return exitCodes.interrupted;
  }
  const addressContext = openAddressContext(options.context, false);
  const source = storeSource(store, () => addressContext);
  const { againstGiven: given } = options;
  const against = given === null ? null : { ...options.filter, measurementId: given };
  const shown = await showView(source, { ...options, against, with: addressContext.fields }, show);
  for (const remark of remarksOn(shown, options, ` in ${store.address}`)) {
    complain(name, remark);
  }
  return exitCodes.ok;
}

/** A campaign's newest measurements, from the gateway: a column store has no campaigns. */
async function runsOf(session: GatewaySession, given: string): Promise<readonly CampaignRun[]> {
  const { signal } = session;
  const gateway = await session.open();
  const id = await campaignId(gateway, given, signal);
  const query = { limit: campaignPageRowsMax };
  const rows = await gateway.read(`/api/campaigns/${id}/runs`, v.array(campaignRunAnswer), { query, signal });
  const runs = rows.flatMap(({ run, planned_at, measurements }) =>
    measurements.flatMap(({ measurement_id: measurementId }) =>
      measurementId === null ? [] : [{ measurementId, run, plannedMs: Date.parse(planned_at) }],
    ),
  );
  return runs.slice(0, campaignRunsMax);
}

/** CSV lines of paths are routers, so their number does not show whether there are more paths. */
function remarksOn({ rows, unattributed }: Shown, { view, format, limit }: Options, place: string): string[] {
  const isCut = rows >= limit && !(view === "paths" && format === "csv");
  return [
    ...unattributedTexts(unattributed),
    ...(rows === 0 ? [`nothing found${place}: replies may be on their way, or kept no longer`] : []),
    ...(isCut ? [`shown are the first ${rows}; there may be more (see: --limit)`] : []),
  ];
}

export function storeAddressOf({ storeAddress, config }: StoreLocation): string {
  if (storeAddress !== null) {
    return storeAddress;
  }
  const address = config === null ? "" : readClientConfig(config, process.env).storeAddress;
  if (address === "") {
    throw cannot(`${config} has no store.address: set it, or give --store`);
  }
  return address;
}

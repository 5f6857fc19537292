/** The command lines of `vantage replies` and `vantage catchment`, parsed. */
import { canHaveContext } from "../../../../lib/answers/results/view-answer.ts";
import {
  campaignViewNames,
  type ViewName as View,
  viewOf,
  viewNames as views,
} from "../../../../lib/answers/results/views.ts";
import type { Format } from "../../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import {
  type ContextGiven,
  type ContextRequest,
  contextRequest,
} from "../../../../lib/command/command/context-options.ts";
import {
  type CommonGiven,
  type CommonOptions,
  commonOptions,
} from "../../../../lib/command/command/gateway/common-options.ts";
import { readBy } from "../../../../lib/command/command/parse.ts";
import type { Given } from "../../../../lib/command/command/table.ts";
import type { ReplyFilter } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import {
  type ColumnForm,
  isColumnForm,
  isProgramForm,
  isTraceForm,
  type ProgramForm,
} from "../../../../lib/measuring/formats/forms.ts";
import { measurementId } from "../gateway/measurement-id.ts";
import { rowsDefault, rowsMax } from "../limits.ts";
import type { catchmentOptions, resultArguments } from "./option-tables.ts";

export interface Options {
  /** The source of results. */
  readonly place: StoreLocation | GatewayLocation | CampaignLocation;
  readonly view: View;
  readonly filter: ReplyFilter;
  /** The measurement to compare links with, as given; null = none. */
  readonly againstGiven: string | null;
  /** Rows, or paths. */
  readonly limit: number;
  readonly follow: boolean;
  readonly format: Format | ColumnForm | ProgramForm;
  /** File of the picture, in place of text; null = text. */
  readonly svg: string | null;
  /** Context of addresses. */
  readonly context: ContextRequest;
  readonly campaign: CampaignSelection | null;
}

/** The gateway that has the campaign. */
interface CampaignLocation {
  readonly kind: "campaign";
  readonly common: CommonOptions;
}

interface CampaignSelection {
  readonly given: string;
  readonly common: CommonOptions;
}

/** A column store; one of the two is given. */
export interface StoreLocation {
  readonly kind: "store";
  /** Null when `storeAddress` is given. */
  readonly config: string | null;
  readonly storeAddress: string | null;
}

export interface GatewayLocation {
  readonly kind: "gateway";
  /** For `wholeId`. */
  readonly measurementId: string;
  readonly common: CommonOptions;
}

type CatchmentGiven = Given<typeof catchmentOptions, typeof resultArguments>;

interface MoreGiven {
  readonly campaign?: string | null;
  readonly against?: string | null;
}

/** Throws CommandError `usage`. */
export function resultsOrder(
  asked: View,
  given: CatchmentGiven & Partial<ContextGiven> & MoreGiven,
): Options {
  const { follow, output: format, svg, against = null } = given;
  const isExport = isProgramForm(format);
  const exported = isTraceForm(format) ? "traces" : "graph";
  const view = isExport && asked === "replies" ? exported : asked;
  if (isExport && viewOf(view).writers?.[format] === undefined) {
    throw wrongUsage(`-o ${format} has no ${asked}: leave out --view for the ${exported} of a measurement`);
  }
  if (isColumnForm(format) && !viewOf(asked).hasColumns) {
    throw wrongUsage(`-v ${asked} has no columns: take -o csv, or -v traces with -o ${format}`);
  }
  if (svg !== null && viewOf(view).picture === undefined) {
    const drawn = views.filter((name) => viewOf(name).picture !== undefined);
    throw wrongUsage(`--svg draws ${drawn.join(", ")}: choose one with --view`);
  }
  if (follow && format !== "table" && (view !== "replies" || format === "json")) {
    throw wrongUsage(
      "-f goes with tables, and for replies with -o ndjson and -o csv: the others have an end",
    );
  }
  if (against !== null && view !== "links") {
    throw wrongUsage("--against compares links: give it with -v links");
  }
  const context = contextRequest({ with: null, context: null, resolver: [], ...given });
  const campaign = campaignOf(given, view);
  const place =
    campaign !== null && given.store === null && given.config === null
      ? ({ kind: "campaign", common: campaign.common } as const)
      : placeOf(given);
  checkContext(context, { place, view, format });
  // Formats of other programs have all rows; a picture has as many as a table.
  const limitDefault =
    (isExport && format !== "svg") || isColumnForm(format)
      ? rowsMax
      : Math.min(rowsDefault, viewOf(view).limitDefault ?? rowsDefault);
  const limit = given.limit ?? limitDefault;
  return {
    place,
    view,
    filter: filterOf(given),
    againstGiven: against,
    limit,
    follow,
    format,
    svg,
    context,
    campaign,
  };
}

/** Throws CommandError `usage`. */
function campaignOf(
  given: CatchmentGiven & { readonly campaign?: string | null },
  view: View,
): CampaignSelection | null {
  const { campaign = null, measurement, output } = given;
  if (campaign === null) {
    return null;
  }
  if (!(campaignViewNames as readonly View[]).includes(view)) {
    throw wrongUsage(`--campaign goes with -v ${campaignViewNames.join(", ")}, not with -v ${view}`);
  }
  if (measurement !== null) {
    throw wrongUsage("--campaign does not go with a MEASUREMENT: it shows all of its own");
  }
  return { given: campaign, common: commonOptions(given, "probing", formatOf(output)) };
}

/** Throws CommandError `usage`. */
function checkContext(
  { fields, folder, servers }: ContextRequest,
  { place, view, format }: Pick<Options, "place" | "view" | "format">,
): void {
  const { contextFields: able } = viewOf(view);
  const strange = fields?.find((field) => !able.includes(field));
  if (strange !== undefined) {
    const others = views.filter((name) => viewOf(name).contextFields.includes(strange));
    throw wrongUsage(`--with ${strange} goes with -v ${others.join(", ")}, not with -v ${view}`);
  }
  if (!canHaveContext(view, format === "table" ? "brief" : format, fields ?? [])) {
    throw wrongUsage(`--with ${fields?.join()} does not go with -v ${view} -o ${format}: take -o ndjson`);
  }
  if (place.kind !== "store" && (folder !== null || servers.length > 0)) {
    throw wrongUsage("--context and --resolver go with --store or --config: a gateway has sets of its own");
  }
}

type PlaceGiven = CommonGiven &
  Pick<CatchmentGiven, "config" | "store" | "measurement" | "source"> & {
    readonly output: Options["format"];
  };

/** A column store if given, else the gateway; never both. */
export function placeOf(given: PlaceGiven): StoreLocation | GatewayLocation {
  const { config, store: storeAddress, measurement, source } = given;
  if (config !== null || storeAddress !== null) {
    return { kind: "store", config, storeAddress };
  }
  if (measurement === null) {
    throw wrongUsage("Give a measurement ID (list them: vantage measurements), or --store");
  }
  if (source !== null) {
    throw wrongUsage(
      "--source is for a column store (--store, --config): the gateway shows your own measurements",
    );
  }
  const id = readBy(measurementId, "MEASUREMENT", measurement);
  return {
    kind: "gateway",
    measurementId: id,
    common: commonOptions(given, "probing", formatOf(given.output)),
  };
}

function filterOf({ measurement, agent, destination, source, since }: CatchmentGiven): ReplyFilter {
  return {
    ...(measurement === null ? {} : { measurementId: measurement }),
    ...(agent === null ? {} : { agent }),
    ...(destination === null ? {} : { destination }),
    ...(source === null ? {} : { source }),
    ...(since === null ? {} : { sinceMs: since }),
  };
}

/** For remarks. */
export function formatOf(form: Options["format"]): Format {
  return isProgramForm(form) || isColumnForm(form) ? "table" : form;
}

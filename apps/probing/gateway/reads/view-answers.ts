/** Returns one view of a measurement in the requested format, to its user or to those with whom it is shared. */
import type { Context } from "hono";
import * as v from "valibot";
import type { ContextField } from "../../../../lib/answers/enrich/context-fields.ts";
import type { TextForm } from "../../../../lib/answers/results/result-source.ts";
import type { AskStore, View } from "../../../../lib/answers/results/view.ts";
import { canHaveContext, viewAnswer } from "../../../../lib/answers/results/view-answer.ts";
import { answeredProbesView } from "../../../../lib/answers/results/views/probes.ts";
import { type ViewName, viewAgainst, viewOf } from "../../../../lib/answers/results/views.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import type { CampaignRun, ReplyFilter } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import { flagInput } from "../measurements/list-query.ts";
import { AddressContexts, withInput } from "./address-contexts.ts";
import type { AnswerStreams } from "./answer-streams.ts";
import { FairQueue } from "./fair-queue.ts";
import { figuresWaitingMax, figureWaitMs } from "./limits.ts";
import type { MeasurementWindow } from "./measurement-window.ts";
import { filterOf, formatInput, formsOf, limitInput, partInput, partOf, wantedFormat } from "./read-query.ts";
import { type ReadServices, unattributedHeaders, withAttribution } from "./selection.ts";

const figureNames: ReadonlySet<ViewName> = new Set([
  "paths",
  "loss",
  "catchment",
  "sites",
  "mtu",
  "traces",
  "pings",
  "multipaths",
  "heatmap",
  "series",
  "trend",
  "changes",
  "links",
  "nodes",
  "graph",
]);
const viewInput = { ...partInput, limit: v.optional(limitInput(Number.MAX_SAFE_INTEGER)) };
/** `replies` counts the replies to each submitted probe. */
const countsInput = { ...viewInput, replies: v.optional(flagInput, "") };

/** Another measurement of the same user, whose links these are compared with. */
const againstInput = v.optional(v.pipe(v.string(), v.uuid("must be the id of a measurement")));

/** The query of a view's route. */
export function viewQuery(name: ViewName) {
  const format = formatInput(formsOf(viewOf(name)));
  if (name === "probes") {
    return v.object({ ...countsInput, format });
  }
  const { contextFields: fields } = viewOf(name);
  const known = { ...viewInput, format, with: withInput(fields) };
  if (name === "links") {
    return v.object({ ...known, against: againstInput });
  }
  return fields.length > 0 ? v.object(known) : v.object({ ...viewInput, format });
}

type ViewPart = v.InferOutput<ReturnType<typeof viewQuery>>;

interface ViewOrder {
  readonly name: ViewName;
  readonly part: ViewPart;
  /** The reader, for fair shares. */
  readonly who: string;
  readonly measured: MeasurementWindow;
  /** What links are compared with. */
  readonly against?: MeasurementWindow | undefined;
  /** Headers of the response, or a response in its place (304). */
  readonly before?: (form: TextForm, filter: ReplyFilter) => Promise<Record<string, string> | Response>;
}

interface RunsOrder extends Pick<ViewOrder, "name" | "part" | "who"> {
  readonly runs: readonly CampaignRun[];
}

export class ViewAnswers {
  readonly #services: ReadServices;
  readonly #streams: AnswerStreams;
  readonly #addressContexts: AddressContexts;
  readonly #figures: FairQueue;

  /** `figuresAtOnce`: concurrent queries that cost the store more than rows. */
  constructor(services: ReadServices, streams: AnswerStreams, figuresAtOnce: number) {
    this.#services = services;
    this.#streams = streams;
    this.#addressContexts = new AddressContexts(services.config);
    this.#figures = new FairQueue({
      atOnce: figuresAtOnce,
      waitingMax: figuresWaitingMax,
      waitMs: figureWaitMs,
    });
  }

  /** Rejects with Problem, or Failure `store`, before the first byte. */
  async answer(c: Context<HttpEnv>, order: ViewOrder): Promise<Response> {
    const { name, part, who, measured, before, against } = order;
    const { limit, ...rest } = part;
    const form = wantedFormat(c, part.format, formsOf(viewOf(name)));
    const view = viewFor(order);
    checkPictured(view, form, limit);
    const addressContext = this.#addressContextOf(name, form, contextOf(part));
    const { store } = this.#services;
    const filter = await withAttribution(this.#services, measured, filterOf(measured.id, rest));
    const headers = (await before?.(form, filter)) ?? {};
    if (headers instanceof Response) {
      return headers;
    }
    const ask: AskStore = (question) =>
      figureNames.has(name) ? this.#figures.run(who, () => store.ask(question)) : store.ask(question);
    const other = against && {
      against: await withAttribution(this.#services, against, filterOf(against.id, rest)),
    };
    const query = { filter, ...other, limit: limit ?? view.limitDefault };
    const left = await unattributedHeaders(this.#services, filter);
    const texts = viewAnswer(view, { ask, query, form }, addressContext);
    return await this.#streams.texts(c, who, texts, form, { ...left, ...headers });
  }

  /** The same for all runs of a campaign; the replies carry their measurement. */
  async ofRuns(c: Context<HttpEnv>, { name, part, who, runs }: RunsOrder): Promise<Response> {
    const { limit, ...rest } = part;
    const view = viewOf(name);
    const form = wantedFormat(c, part.format, formsOf(view));
    checkPictured(view, form, limit);
    const addressContext = this.#addressContextOf(name, form, contextOf(part));
    const { store } = this.#services;
    const ask: AskStore = (question) => this.#figures.run(who, () => store.ask(question));
    const query = { filter: { ...partOf(rest), runs }, limit: limit ?? view.limitDefault };
    return await this.#streams.texts(
      c,
      who,
      viewAnswer(view, { ask, query, form }, addressContext),
      form,
      {},
    );
  }

  #addressContextOf(name: ViewName, form: TextForm, fields: readonly ContextField[]) {
    if (!canHaveContext(name, form, fields)) {
      throw problem(
        400,
        "no_context",
        `Cannot answer as ${form} with=${fields.join()}: take another format, as ndjson`,
      );
    }
    return fields.length === 0 ? null : this.#addressContexts.addressContextFor(fields);
  }
}

/** Drawings are held in memory as a whole. Throws Problem. */
function checkPictured({ limitDefault }: View, form: TextForm, limit: number | undefined): void {
  if (form === "svg" && limit !== undefined && limitDefault !== null && limit > limitDefault) {
    throw problem(
      400,
      "too_many_rows",
      `Cannot draw ${limit} rows: a picture has at most ${limitDefault}, as it has without limit`,
    );
  }
}

function viewFor({ name, part, against }: Pick<ViewOrder, "name" | "part" | "against">): View {
  const isCounted = "replies" in part && part.replies === true;
  return isCounted ? answeredProbesView : viewAgainst(name, against !== undefined);
}

/** The id of the measurement to compare with; null = none. Throws Problem for views without comparison. */
export function againstOf(part: ViewPart, id: string | null): string | null {
  const asked = "against" in part ? (part.against ?? null) : null;
  if (asked !== null && (id === null || asked === id)) {
    const what = id === null ? "the links of a campaign, or of what is shared" : "a measurement with itself";
    throw problem(
      400,
      "not_comparable",
      `Cannot compare ${what}: give another measurement of yours as against`,
    );
  }
  return asked;
}

export function contextOf(part: ViewPart): readonly ContextField[] {
  return (part as { readonly with?: readonly ContextField[] }).with ?? [];
}

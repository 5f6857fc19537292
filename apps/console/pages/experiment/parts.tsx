/** @jsxImportSource hono/jsx */
/** The parts of an experiment's page: each has a table, with a picture where useful. */
import type { Child } from "hono/jsx";
import type * as v from "valibot";
import { type experimentDetailAnswer, timeLineAnswer } from "../../../../lib/base/api/experiments.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { roundsPicture } from "../../../../lib/measuring/pictures/charts/rounds-picture.ts";
import { eventWord, timeLinePicture } from "../../../../lib/measuring/pictures/charts/time-line-picture.ts";
import type { Visit } from "../../page.ts";
import { Foreign } from "../../parts/foreign.tsx";
import { addressWith } from "../../parts/links.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Paging } from "../../parts/paging.tsx";
import { PictureFrame } from "../../parts/picture.tsx";
import { type Column, Table } from "../../parts/table.tsx";

export type Experiment = v.InferOutput<typeof experimentDetailAnswer>;
type Event = v.InferOutput<typeof timeLineAnswer>[number];
type Round = Experiment["rounds"][number];
type Move = Experiment["moves"][number];
type Site = Experiment["sites"][number];
type Reaction = Experiment["convergence"][number];

interface ExperimentPart {
  readonly word: string;
  readonly show: (visit: Visit, experiment: Experiment) => Child | Promise<Child>;
}

export const experimentParts = {
  timeline: { word: "Time line", show: TimeLine },
  catchments: { word: "Catchments", show: Catchments },
  convergence: { word: "Convergence", show: Convergence },
  file: { word: "File", show: File },
} as const satisfies Readonly<Record<string, ExperimentPart>>;

async function TimeLine(visit: Visit, { id, changes }: Experiment) {
  const path = listPath(`/api/experiments/${id}/timeline`, visit, ["change"]);
  const page = await visit.api.page(path, timeLineAnswer);
  const { value: events } = page;
  // After a change, seconds matter; later samples are minutes apart.
  const drawn = visit.query.has("change") ? events.filter((event) => !isLook(event)) : events;
  return (
    <>
      <Changes visit={visit} changes={changes} />
      <PictureFrame picture={timeLinePicture(drawn, changes)} name="Both planes over time" />
      <Table
        caption="Events in the order of their times"
        columns={eventColumns}
        rows={events}
        none="Nothing yet."
      />
      <Paging visit={visit} page={page} parameter="after" />
    </>
  );
}

function isLook({ plane, source }: Event): boolean {
  return plane === "data" && source === "controller";
}

/** Changes are minutes apart, while seconds matter after each: so each can be shown alone. */
function Changes({ visit, changes }: { readonly visit: Visit; readonly changes: Experiment["changes"] }) {
  const chosen = visit.query.get("change") ?? "";
  return changes.length === 0 ? null : (
    <nav aria-label="Behind which change">
      <ul class="tabs">
        <li>
          <a href={addressWith(visit, { change: null })} aria-current={chosen === "" ? "page" : undefined}>
            All
          </a>
        </li>
        {changes.map(({ number, text }) => (
          <li>
            <a
              href={addressWith(visit, { change: String(number) })}
              aria-current={chosen === String(number) ? "page" : undefined}
            >
              {number}: <Foreign text={text} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const eventColumns: readonly Column<Event>[] = [
  { head: "Time (UTC)", cell: ({ time }) => <code>{time.slice(11, 23)}</code> },
  {
    head: "± (ms)",
    isFigure: true,
    cell: ({ within_ms: within }) => (within === null ? "?" : withinText(within)),
  },
  { head: "Plane", cell: ({ plane }) => plane },
  { head: "Source", cell: ({ source }) => <Foreign text={source} /> },
  { head: "Subject", isName: true, cell: ({ subject }) => <Foreign text={subject} /> },
  { head: "Event", cell: ({ event }) => <Foreign text={eventWord(event)} /> },
  { head: "Details", isSentence: true, cell: ({ detail }) => <Foreign text={detail} /> },
];

function Catchments(_visit: Visit, { rounds, moves, sites }: Experiment) {
  return (
    <>
      <PictureFrame picture={roundsPicture(rounds)} name="Targets by site, in each round" />
      <Table caption="Targets by site" columns={roundColumns} rows={rounds} none="No catchment yet." />
      <h2>Moved</h2>
      <Table caption="Targets that moved" columns={moveColumns} rows={moves} none="No target has moved." />
      {sites.length === 0 ? null : (
        <>
          <h2>Catchment by prepends</h2>
          <Table caption="Targets of each site" columns={siteColumns(sites)} rows={sites} none="" />
        </>
      )}
    </>
  );
}

const roundColumns: readonly Column<Round>[] = [
  { head: "Round", isName: true, cell: ({ round }) => String(round) },
  { head: "Announced", cell: ({ announced }) => <Foreign text={announced} /> },
  { head: "Site", cell: ({ site }) => <Foreign text={site} /> },
  { head: "Targets", isFigure: true, cell: ({ targets }) => grouped(targets) },
  {
    head: "Moved here",
    isFigure: true,
    cell: ({ moved_here: here }) => (here === null ? "–" : grouped(here)),
  },
];

const moveColumns: readonly Column<Move>[] = [
  { head: "Round", isName: true, cell: ({ round }) => String(round) },
  { head: "From", cell: ({ from }) => <Foreign text={from} /> },
  { head: "To", cell: ({ to }) => <Foreign text={to} /> },
  { head: "Targets", isFigure: true, cell: ({ targets }) => grouped(targets) },
];

/** A column for each tested number of prepends. */
function siteColumns(sites: readonly Site[]): Column<Site>[] {
  const counts = new Set(sites.flatMap(({ by_prepend: caught }) => caught.map(({ prepends }) => prepends)));
  const share = (caught: { readonly targets: number; readonly of: number } | null | undefined) =>
    caught == null ? "–" : `${grouped(caught.targets)} of ${grouped(caught.of)}`;
  return [
    { head: "Site", isName: true, cell: ({ site }) => <Foreign text={site} /> },
    ...[...counts]
      .sort((a, b) => a - b)
      .map(
        (count): Column<Site> => ({
          head: `+${count}`,
          isFigure: true,
          cell: ({ by_prepend: caught }) => share(caught.find(({ prepends }) => prepends === count)),
        }),
      ),
    { head: "Alone", isFigure: true, cell: ({ alone }) => share(alone) },
  ];
}

function Convergence(_visit: Visit, { convergence, changes }: Experiment) {
  const textOf = new Map(changes.map(({ number, text }) => [number, text]));
  const columns: readonly Column<Reaction>[] = [
    { head: "After", cell: ({ change }) => <Foreign text={`${change}: ${textOf.get(change) ?? ""}`} /> },
    { head: "Plane", cell: ({ plane }) => plane },
    { head: "Where", isName: true, cell: ({ who }) => <Foreign text={who} /> },
    { head: "First after (s)", isFigure: true, cell: ({ first_s: first }) => first.toFixed(3) },
    { head: "Last after (s)", isFigure: true, cell: ({ last_s: last }) => last.toFixed(3) },
    { head: "Changes", isFigure: true, cell: ({ signs }) => grouped(signs) },
    {
      head: "± (ms)",
      isFigure: true,
      cell: ({ within_ms: within }) => (within === null ? "?" : withinText(within)),
    },
  ];
  return (
    <Table
      caption="What was new at each peer and agent, first and last"
      columns={columns}
      rows={convergence}
      none="Nothing new was seen behind a change yet."
    />
  );
}

function File(_visit: Visit, { definition }: Experiment) {
  return (
    <section class="scroll" aria-label="Definition" tabindex={0}>
      <pre>
        <Foreign text={JSON.stringify(definition, null, 2)} />
      </pre>
    </section>
  );
}

/** Three significant digits. */
function withinText(ms: number): string {
  return ms === 0 ? "" : String(Number(ms.toPrecision(3)));
}

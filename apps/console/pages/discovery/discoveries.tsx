/** @jsxImportSource hono/jsx */
/** The visitor's discoveries, and the progress of one of them, round by round. */
import * as v from "valibot";
import { discoveryAnswer, type discoveryDetailAnswer } from "../../../../lib/base/api/discoveries.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { Empty } from "../../parts/empty.tsx";
import { exampleLinks } from "../../parts/examples.ts";
import { Action } from "../../parts/field.tsx";
import { Figure } from "../../parts/figure.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Id } from "../../parts/id.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Mark } from "../../parts/mark.tsx";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";

type Discovery = v.InferOutput<typeof discoveryAnswer>;
type Detail = v.InferOutput<typeof discoveryDetailAnswer>;
type Round = Detail["rounds"][number];

const listMax = 20;

export async function Discoveries({ visit }: { readonly visit: Visit }) {
  const page = await visit.api.page(
    listPath(`/api/discoveries?limit=${listMax}`, visit),
    v.array(discoveryAnswer),
  );
  return (
    <section aria-labelledby="discoveries-title">
      <h2 id="discoveries-title">Discoveries</h2>
      <Table
        caption="Your discoveries, the newest first"
        columns={columns}
        rows={page.value}
        none={<NoneYet />}
      />
      <Paging visit={visit} page={page} parameter="after" />
    </section>
  );
}

function NoneYet() {
  return (
    <Empty
      button={{ href: "/console/discovery?to=198.51.100.0%2F24", word: "Start a discovery" }}
      command="vantage discover --agent west --targets 198.51.100.0/24"
      example={exampleLinks()}
    >
      No discovery yet. In each round it sends more flows where paths branch, until the links between routers
      are found with the confidence that you ask for.
    </Empty>
  );
}

const columns: Column<Discovery>[] = [
  {
    head: "Discovery",
    isName: true,
    cell: ({ id, name }) => (
      <a href={`/console/discovery?discovery=${id}`}>
        <Foreign text={name} />
      </a>
    ),
  },
  { head: "State", cell: (one) => <Mark look={looks[one.state]} word={stateOf(one)} /> },
  { head: "Strategy", cell: ({ strategy }) => strategy },
  { head: "Round", isFigure: true, cell: ({ round }) => round ?? "–" },
  { head: "Sent", isFigure: true, cell: ({ probes_sent: sent }) => grouped(sent) },
  {
    head: "Links between routers",
    isFigure: true,
    cell: ({ links }) => (links === null ? "–" : grouped(links)),
  },
  {
    head: "Unfinished",
    isFigure: true,
    cell: ({ complete, units }) => (complete === true ? "–" : unfinished(units)),
  },
];

/** An incomplete discovery must not appear complete. */
function stateOf({ state, complete }: Pick<Discovery, "state" | "complete">): string {
  return complete === false ? `${state}, incomplete` : state;
}

interface ChangeProps {
  readonly id: string;
  readonly name: string;
  readonly isPaused: boolean;
}

function Change({ id, name, isPaused }: ChangeProps) {
  const call = `POST /console/call/api/discoveries/${id}`;
  return (
    <div class="actions">
      {isPaused ? (
        <Action call={`${call}/resume`} word="Resume" of={name} done="Resumed" />
      ) : (
        <Action call={`${call}/pause`} word="Pause" of={name} done="Paused" />
      )}
      <Action call={`${call}/stop`} word="End permanently" of={name} done="Ended" isDangerous />
    </div>
  );
}

/** Sent and expected probes, what is unfinished, and the results of each round. */
export function DiscoveryProgress({ of: one }: { readonly of: Detail }) {
  const {
    rounds,
    shares,
    state,
    reason,
    probes_sent: sent,
    probes_max,
    probes_rest: rest,
    units,
    links,
  } = one;
  const isOver = state === "ended";
  return (
    <div id="rounds" {...(state === "running" ? { "data-every-s": "10" } : {})}>
      <p>
        <Mark look={looks[state]} word={stateOf(one)} /> <Id id={one.id} />{" "}
        {reason === null ? null : <Foreign text={reason} />}
      </p>
      {isOver ? null : (
        <progress
          value={sent}
          max={Math.max(1, sent + (rest ?? probes_max - sent))}
          aria-label="Probes sent"
        />
      )}
      <dl class="figures">
        <Figure name="Probes sent" value={`${grouped(sent)} of at most ${grouped(probes_max)}`} />
        {isOver || rest === null ? null : <Figure name="Expected still" value={`about ${grouped(rest)}`} />}
        <Figure name="Round" value={one.round ?? "–"} />
        <Figure name="Links between routers" value={links === null ? "–" : grouped(links)} />
        <Figure name="Routers" value={one.nodes === null ? "–" : grouped(one.nodes)} />
        <Figure name="Unfinished" value={one.complete === true ? "nothing" : unfinished(units)} />
      </dl>
      {isOver ? (
        <Action
          call={`DELETE /api/campaigns/${one.id}`}
          word="Remove"
          of={one.name}
          done="Removed"
          then="/console/discovery"
          isDangerous
        />
      ) : (
        <Change id={one.id} name={one.name} isPaused={state === "paused"} />
      )}
      <details>
        <summary>Rounds</summary>
        <Table caption="Rounds of the discovery" columns={roundColumns} rows={rounds} none="No round yet." />
        {shares.length === 0 ? null : (
          <Table caption="Prefixes of each agent" columns={shareColumns} rows={shares} none="" />
        )}
      </details>
    </div>
  );
}

const looks = { running: "wait", paused: "wait", ended: "plain" } as const;

/** Pairs that wanted probes in the newest round. */
function unfinished(units: number | null): string {
  return units === null ? "all of it" : `${grouped(units)} prefix-agent ${units === 1 ? "pair" : "pairs"}`;
}

const shareColumns: Column<Detail["shares"][number]>[] = [
  { head: "Agent", isName: true, cell: ({ agent }) => agent },
  { head: "Prefixes", isFigure: true, cell: ({ prefixes }) => grouped(prefixes) },
];

const roundColumns: Column<Round>[] = [
  { head: "Round", isName: true, cell: ({ round }) => round },
  { head: "Sent", isFigure: true, cell: ({ sent }) => grouped(sent) },
  { head: "Prefixes and agents", isFigure: true, cell: ({ units }) => grouped(units) },
  { head: "Links between routers before", isFigure: true, cell: ({ links }) => grouped(links) },
  { head: "Routers before", isFigure: true, cell: ({ nodes }) => grouped(nodes) },
  { head: "Computed", cell: ({ computed_at: at }) => <Time at={at} /> },
];

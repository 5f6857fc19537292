/** @jsxImportSource hono/jsx */
/** The form to announce a prefix, with the remaining budgets. */
import {
  type AnnouncementsAnswer,
  neighborsMax,
  poisonMax,
  prependMax,
} from "../../../lib/base/api/announcements.ts";
import { Choice, Field, Tick } from "../parts/field.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { Mark } from "../parts/mark.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

type PrefixBudget = AnnouncementsAnswer["budget"]["prefixes"][number];

interface AnnounceFormProps {
  /** Path of the peering gateway for the page's script. */
  readonly api: string;
  /** Leased prefixes; at least one. */
  readonly prefixes: readonly string[];
  readonly answer: AnnouncementsAnswer;
}

export function AnnounceForm({ api, prefixes, answer: { neighbors, report } }: AnnounceFormProps) {
  const [first = ""] = prefixes;
  const servers = [...new Set(report?.states.map(({ server }) => server))].sort();
  return (
    <form data-call={`PUT ${api}/{prefix}`} data-done="Your client stack takes it">
      <div class="row">
        <Choice
          label="Prefix"
          name="prefix"
          value={first}
          options={Object.fromEntries(prefixes.map((prefix) => [prefix, prefix]))}
        />
        <Field label="At (exchange servers, * for all)" name="servers" kind="words" value="*" isRequired />
        <Field
          label={`Prepends (0 to ${prependMax})`}
          name="prepend"
          type="number"
          kind="number"
          value="0"
          isRequired
        />
        <Field label="Until (UTC; empty: the lease ends)" name="until" type="datetime-local" kind="utc" />
      </div>
      <p class="soft">
        Exchange servers of your client stack: <Foreign text={servers.join(", ") || "not reported yet"} />.
        Neighbours of the exchange:{" "}
        <Foreign
          text={neighbors.map(({ name, asn }) => `${name} (AS${asn})`).join(", ") || "none is listed"}
        />
        .
      </p>
      <More />
      <div class="row">
        <button type="submit" class="main">
          Announce
        </button>
        <button
          type="submit"
          data-call={`PUT ${api}/{prefix}?check=true`}
          data-done="It may be done now"
          data-shows="{outcome}"
          data-dry
        >
          Check first
        </button>
        <span class="soft">Only “changed” uses up one of your hourly changes.</span>
      </div>
    </form>
  );
}

function More() {
  return (
    <details id="announce-more">
      <summary>To whom, and how</summary>
      <div class="row">
        <Field
          label={`Not to (at most ${neighborsMax})`}
          name="not_to"
          kind="neighbors"
          hint="transit 64496"
        />
        <Field
          label={`Only to (at most ${neighborsMax})`}
          name="only_to"
          kind="neighbors"
          hint="transit 64496"
        />
        <Field
          label="Longer path towards (1 to 3 hops)"
          name="prepend_to"
          kind="counts"
          hint="transit=2 64497=1"
        />
      </div>
      <div class="row">
        <Tick label="Neighbours do not pass it on (no export)" name="no_export" />
        <Tick label="Other paths are preferred (graceful shutdown)" name="graceful_shutdown" />
      </div>
      <div class="row">
        <Field label="Discard packets to (addresses; a right)" name="blackhole" kind="words" grows />
        <Field label={`Poison (at most ${poisonMax} ASNs; a right)`} name="poison" kind="neighbors" />
      </div>
    </details>
  );
}

interface BudgetRow extends Omit<PrefixBudget, "exchanges"> {
  /** Null = not reported by any client stack. */
  readonly at: PrefixBudget["exchanges"][number] | null;
}

export function Budgets({ budget: { prefixes } }: Pick<AnnouncementsAnswer, "budget">) {
  const rows = prefixes.flatMap(({ exchanges, ...own }): BudgetRow[] =>
    exchanges.length === 0 ? [{ ...own, at: null }] : exchanges.map((at) => ({ ...own, at })),
  );
  return <Table caption="What may change, and when" columns={budgetColumns} rows={rows} none="" />;
}

const budgetColumns: readonly Column<BudgetRow>[] = [
  { head: "Prefix", isName: true, cell: ({ prefix }) => <code>{prefix}</code> },
  {
    head: "Next change",
    cell: ({ next_change_at: next }) => (next === null ? "now" : <Time at={next} />),
  },
  { head: "Exchange", cell: ({ at }) => (at === null ? "not reported yet" : <code>{at.server}</code>) },
  {
    head: "Changes left there",
    cell: ({ at }) => (at === null ? "–" : `${at.changes_left} of ${at.changes_max} changes`),
  },
  { head: "One more from", cell: ({ at }) => <Time at={at?.one_more_at ?? null} /> },
  {
    head: "On hold",
    cell: ({ at }) =>
      at === null || at.held_until === null ? (
        "–"
      ) : (
        <>
          <Mark look="bad" word="changed too often" /> until <Time at={at.held_until} />
        </>
      ),
  },
];

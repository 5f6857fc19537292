/** @jsxImportSource hono/jsx */
/** The store's delay behind what agents and gateways have published. */
import * as v from "valibot";
import { ingestAnswer } from "../../../../lib/base/api/probing-admin.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { durationInWords } from "../../../../lib/base/terminal/time-words.ts";
import type { Visit } from "../../page.ts";
import { Foreign } from "../../parts/foreign.tsx";
import { type Look, Mark } from "../../parts/mark.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age } from "../../parts/time.tsx";

type Feed = v.InferOutput<typeof ingestAnswer>;

/** Longer than the batching time of agents and store. */
const lateSec = 30;

export async function Ingest({ visit }: { readonly visit: Pick<Visit, "api" | "nowMs"> }) {
  const feeds = await visit.api.get("/admin/ingest", v.array(ingestAnswer));
  const troubles = [
    ...new Set(feeds.flatMap((feed) => [feed.store_trouble ?? [], feed.broker_trouble ?? []].flat())),
  ];
  return (
    <div id="ingest" data-every-s={10}>
      {troubles.map((trouble) => (
        <p class="bad">
          <Foreign text={trouble} />
        </p>
      ))}
      <Table caption="What waits to be stored" columns={columns(visit.nowMs)} rows={feeds} none="No feed." />
      <p class="soft">
        Agents publish replies, gateways probes, collectors updates of routes. Behind: age of the newest row
        while records are waiting. Covers the last two days.
      </p>
    </div>
  );
}

function columns(nowMs: number): readonly Column<Feed>[] {
  return [
    { head: "Feed", isName: true, cell: ({ feed }) => feed },
    { head: "Topic", cell: ({ topic }) => <code>{topic}</code> },
    { head: "State", cell: (feed) => <Mark {...stateOf(feed)} /> },
    { head: "Waiting records", isFigure: true, cell: ({ waiting_records: count }) => figure(count) },
    {
      head: "Behind",
      cell: ({ behind_seconds: seconds }) => behindText(seconds),
    },
    { head: "Newest row", cell: ({ newest_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { head: "Rows in a minute", isFigure: true, cell: ({ rows_last_minute: count }) => figure(count) },
  ];
}

function stateOf(feed: Feed): { readonly look: Look; readonly word: string } {
  if (feed.store_trouble !== null) {
    return { look: "bad", word: "no store" };
  }
  if (feed.broker_trouble !== null) {
    return { look: "wait", word: "unknown" };
  }
  return (feed.behind_seconds ?? 0) > lateSec
    ? { look: "bad", word: "late" }
    : { look: "good", word: "in time" };
}

/** The words for durations start at a second. */
function behindText(seconds: number | null): string {
  return seconds === null ? "–" : seconds === 0 ? "0 s" : durationInWords(seconds * 1000);
}

function figure(count: number | null): string {
  return count === null ? "–" : grouped(count);
}

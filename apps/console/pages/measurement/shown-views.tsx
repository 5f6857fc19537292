/** @jsxImportSource hono/jsx */
/** The page's views of results, in the order of its tabs. */
import type { Child } from "hono/jsx";
import { viewOf } from "../../../../lib/answers/results/views.ts";
import { type ApiRow, columnsOf, rowsAnswer, rowsMax } from "../../parts/api-rows.tsx";
import { rowOf } from "../../parts/links.tsx";
import { PagedTable } from "../../parts/paging.tsx";
import { PictureFrame } from "../../parts/picture.tsx";
import { CatchmentMap } from "./catchment-map.tsx";
import { HopTimes } from "./hop-times.tsx";
import { showPaths } from "./paths-view.tsx";
import { resultPath } from "./result-path.ts";
import type { Seen, ShownView } from "./shown-view.ts";

export const shownViews = {
  paths: { word: "Paths", show: showPaths },
  loss: charted("loss", "Loss", {
    ...{ destination: "Destination", loss_percent: "Loss %", lost: "Lost", agent: "Agent" },
    ...{ submitted: "Submitted", answered: "Answered", duplicates: "Duplicates" },
  }),
  heatmap: charted("heatmap", "Round-trip times", {
    ...{ time: "From (UTC)", rtt_median_ms: "Median (ms)", rtt_p5_ms: "5th percentile (ms)" },
    ...{ rtt_p95_ms: "95th percentile (ms)", replies: "Answers", width_ms: "Width (ms)" },
  }),
  catchment: charted("catchment", "Catchment", {
    ...{ probe_agent: "Sent by", probe_instance: "Instance", heard_by: "Received by", replies: "Answers" },
    ...{ share_percent: "Share %", destinations: "Destinations", responders: "Responders" },
  }),
  sites: charted("sites", "Sites", {
    ...{ address: "Name server", site: "Site", agent: "Agent", share_percent: "Share %" },
    ...{ answers: "Answers", errors: "Errors", rtt_min_ms: "Best (ms)", rtt_median_ms: "Median (ms)" },
  }),
  mtu: charted("mtu", "Path MTU", {
    ...{ ttl: "TTL", router: "Router", mtu_bytes: "MTU (bytes)", limit: "Limit" },
    ...{ reported_mtu_bytes: "Reported (bytes)", reported_by: "Reported by" },
    ...{ larger_lost: "Larger lost", larger_submitted: "Larger sent" },
    ...{ agent: "Agent", destination: "Destination" },
  }),
  replies: charted("replies", "Answers", {
    ...{ probe_ttl: "TTL", reply_src_addr: "From", rtt_ms: "RTT (ms)", time_received: "Received (UTC)" },
    ...{ agent_id: "Received by", probe_dst_addr: "Destination", probe_protocol: "Protocol" },
    ...{ probe_src_port: "Port", says: "Reply" },
  }),
} as const satisfies Readonly<Record<string, ShownView>>;

const noSites = "No name server has named its site. The start page's “More options” have “Ask name servers”.";

/** The usual replies have no words of their own in the views. */
function named(row: ApiRow): ApiRow {
  const isEcho = row.reply_icmp_type === 0 || row.reply_icmp_type === 129;
  return row.says === "" ? { ...row, says: isEcho ? "echo reply" : "time exceeded" } : row;
}

/** A view whose rows are those of its table, with a picture where it has one. */
function charted(
  name: "loss" | "heatmap" | "catchment" | "sites" | "mtu" | "replies",
  word: string,
  heads: Readonly<Record<string, string>>,
): ShownView {
  return {
    word,
    show: async ({ visit, at, isOver }) => {
      // A reply's row is large: one more than the page has.
      const limit = name === "replies" ? rowOf(visit) + rowsMax : viewOf(name).limitDefault;
      const query = limit === null ? {} : { limit: String(limit) };
      const rows = await visit.api.get(resultPath(visit, at, name, query), rowsAnswer);
      const picture = viewOf(name).picture?.(rows);
      const frame = picture === undefined ? null : <PictureFrame picture={picture} />;
      const byHop = name === "heatmap" && rows.length > 0 ? await HopTimes({ visit, at }) : null;
      const body = (
        <>
          {byHop}
          {byHop === null ? frame : <OverTime>{frame}</OverTime>}
          <PagedTable
            visit={visit}
            caption={`${word}, as the API has them`}
            columns={columnsOf(heads, visit)}
            rows={rows.map(named)}
            isCut={rows.length === limit}
            none={name === "sites" ? noSites : "Nothing yet: answers may be on their way."}
          />
          {name === "catchment" && rows.length > 0 ? await mapOf({ visit, at, isOver }) : null}
        </>
      );
      return { body, hasResults: rows.length > 0, asked: null };
    },
  };
}

/** The few replies of a trace are slivers in the picture. */
function OverTime({ children }: { readonly children?: Child }) {
  return (
    <>
      <h2>Over time</h2>
      <details>
        <summary>Picture</summary>
        {children}
      </details>
    </>
  );
}

/** A map of ended measurements only: while one runs, thousands of replies would be fetched every few seconds. */
async function mapOf({ visit, at, isOver }: Seen): Promise<Child> {
  return isOver ? (
    await CatchmentMap({ visit, at })
  ) : (
    <p class="soft">The map is drawn when the measurement has ended.</p>
  );
}

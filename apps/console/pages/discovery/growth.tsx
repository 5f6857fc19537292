/** @jsxImportSource hono/jsx */
/** Number of links by number of replies, up to now while it runs. */
import { type GrowthPoint, growthPicture } from "../../../../lib/measuring/pictures/charts/growth-picture.ts";
import { type ApiRow, columnsOf, rowsAnswer } from "../../parts/api-rows.tsx";
import { PagedTable } from "../../parts/paging.tsx";
import { PictureFrame } from "../../parts/picture.tsx";
import { type LinksProps, linksPath } from "./graph.tsx";

/** Requested links: more would not improve the curve. */
const linksMax = 50_000;

/** Replies are counted by the heat map's time bins: those with a known round-trip time. */
export async function Growth(props: LinksProps) {
  const { visit } = props;
  const [links, bins] = await Promise.all([
    visit.api.get(linksPath(props, "links", { limit: String(linksMax) }), rowsAnswer),
    visit.api.get(linksPath(props, "heatmap"), rowsAnswer),
  ]);
  const points = pointsOf(links, bins);
  return (
    <>
      <PictureFrame picture={growthPicture(points)} />
      {links.length === linksMax ? <p class="soft">Only the first {linksMax} links are counted.</p> : null}
      <PagedTable
        visit={visit}
        caption="Links and answers up to the end of each bin of time"
        columns={columnsOf({ time: "Up to (UTC)", answers: "Answers", links: "Links" })}
        rows={points.map((point) => ({ ...point }))}
        none="No answer yet."
      />
    </>
  );
}

function pointsOf(links: readonly ApiRow[], bins: readonly ApiRow[]): GrowthPoint[] {
  const seenMs = links.map(({ first_seen: seen }) => Date.parse(String(seen))).sort((a, b) => a - b);
  let [answers, known] = [0, 0];
  return bins.map(({ time, width_ms: width, replies }) => {
    const endMs = Date.parse(String(time)) + Number(width);
    answers += Number(replies);
    while ((seenMs[known] ?? Number.POSITIVE_INFINITY) < endMs) {
      known++;
    }
    return { time: new Date(endMs).toISOString(), answers, links: known };
  });
}

/** What the drawing of a view shows, and what it must show of the same rows in JSON. */
import type * as v from "valibot";
import type { pathSchema } from "../../../lib/answers/results/path-json.ts";
import type { LabelJson } from "../../../lib/answers/results/value-forms.ts";
import { type ReplyRow, replyOutputColumns } from "../../../lib/answers/results/views/replies.ts";
import { type ViewName, viewOf } from "../../../lib/answers/results/views.ts";

type PathJson = v.InferOutput<typeof pathSchema>;

/** Its cells without their widths, a line for each row; of a path those of each router. */
export function drawnCells(view: ViewName, text: string): string[] {
  if (view === "paths") {
    const routers = text.matchAll(/[●◉] [ │]*(\S+) +(\d+ %) +([\d.]+|\?) +([\d.]+|\?) +([\d.]+|\?)/g);
    return Array.from(routers, ([, ...cells]) => cells.join(" "));
  }
  const [table = ""] = text.split("\n\n");
  return table.trimEnd().split("\n").slice(1).map(inWords);
}

export function expectedCells(view: ViewName, rows: readonly unknown[]): string[] {
  if (view === "paths") {
    return (rows as readonly PathJson[]).flatMap(({ hops }) =>
      hops.flatMap(({ routers }) => routersOf(routers)),
    );
  }
  if (view === "replies") {
    const columns = replyOutputColumns("table");
    return (rows as readonly ReplyRow[]).map((row) =>
      inWords(columns.map(({ value, text }) => text?.(row) ?? String(value(row))).join(" ")),
    );
  }
  const names = shownNames[view] ?? viewOf(view).csvNames;
  return (rows as readonly Readonly<Record<string, unknown>>[]).map((row) =>
    inWords(names.map((name) => listTexts[name]?.(row[name]) ?? String(row[name] ?? "")).join(" ")),
  );
}

/** Where CSV has links. */
const shownNames: Partial<Readonly<Record<ViewName, readonly string[]>>> = {
  multipaths: [
    ...["measurement_id", "agent", "address", "protocol", "dst_port", "flow_count", "sent", "answers"],
  ],
  graph: ["node_count", "silent_count", "link_count", "router_link_count"],
};

const listTexts: Readonly<Record<string, (value: unknown) => string>> = {
  buckets: shadesOf,
  mpls_labels: (stack) =>
    (stack as readonly LabelJson[])
      .map(({ label, exp, bottom_of_stack: bottom, ttl }) => [label, exp, Number(bottom), ttl].join("/"))
      .join("|"),
};

/** Fourteen letters from 1 µs to 10 s, darker where more answers are. */
function shadesOf(buckets: unknown): string {
  const own = buckets as readonly { rtt_from_ms: number; replies: number }[];
  const placeOf = (ms: number) =>
    [0.0032, 0.01, 0.0317, 0.1, 0.3163, 1, 3.163, 10, 31.623, 100, 316.228, 1000, 3162.278].filter(
      (edge) => ms >= edge,
    ).length;
  const sums = Array.from({ length: 14 }, (_, place) =>
    own
      .filter(({ rtt_from_ms }) => placeOf(rtt_from_ms) === place)
      .reduce((sum, { replies }) => sum + replies, 0),
  );
  return sums
    .map((sum) => (sum === 0 ? "·" : "░▒▓█"[Math.min(3, Math.floor((4 * sum) / Math.max(...sums)))]))
    .join("");
}

function routersOf(routers: PathJson["hops"][number]["routers"]): string[] {
  return routers
    .filter(({ address }) => address !== null)
    .map((router) => {
      const { rtt_min_ms: min, rtt_median_ms: median, rtt_max_ms: max } = router;
      const isCoarse = [min, max].every((ms) => ms === null || Math.round(1000 * ms) % 100 === 0);
      const figures = [min, median, max].map((ms) => ms?.toFixed(isCoarse ? 1 : ms < 9.9995 ? 3 : 2) ?? "?");
      return [router.address, `${router.loss_percent.toFixed(0)} %`, ...figures].join(" ");
    });
}

function inWords(line: string): string {
  return line.trim().replaceAll(/ +/g, " ");
}

/** Pictures of the console for docs/images: `npm run screenshots`. */
import { type ConsoleHome, operator } from "../contract/console/console-home.ts";
import { until } from "../exchange/until.ts";
import type { Browser } from "./browser.ts";
import { logInWith } from "./console-scenes.ts";
import type { Look, Tab } from "./tab.ts";

const wide: Look = { scheme: "light", widthPx: 1280 };
const dark: Look = { scheme: "dark", widthPx: 1280 };
const phone: Look = { scheme: "light", widthPx: 390 };

interface Shown {
  readonly experiment: string;
  readonly measurement: string;
  readonly anycast: string;
  readonly campaign: string;
}

/** Names of files, the page, and how it is looked at; `part` is all that is kept of it. */
function picturesOf({ measurement, anycast, campaign, experiment }: Shown) {
  const one = `console/measurements/${measurement}`;
  const several = `console/campaigns/${campaign}`;
  return [
    { name: "console-start", path: "console?from=west&to=203.0.113.10,example.org&protocol=udp", look: wide },
    { name: "console-start-phone", path: "console", look: phone },
    { name: "console-measurements", path: "console/measurements", look: dark },
    { name: "path-graph", path: `${one}?view=paths`, look: wide, part: "#view .picture" },
    { name: "console-paths", path: `${one}?view=paths`, look: wide },
    { name: "console-paths-phone", path: `${one}?view=paths`, look: phone },
    { name: "console-round-trip-times", path: `${one}?view=heatmap`, look: wide, part: "#view figure" },
    { name: "console-loss", path: `${one}?view=loss`, look: wide, part: "#view figure" },
    {
      name: "console-catchment",
      path: `console/measurements/${anycast}?view=catchment`,
      look: wide,
      part: "#view figure",
    },
    {
      name: "console-catchment-map",
      path: `console/measurements/${anycast}?view=catchment`,
      look: wide,
      part: 'figure:has([aria-label="Map"])',
    },
    { name: "console-campaigns", path: "console/campaigns", look: wide },
    { name: "console-campaign-runs", path: several, look: wide },
    {
      name: "console-campaign-series",
      path: `${several}?view=series`,
      look: wide,
      part: "#part [data-series]",
    },
    { name: "console-campaign-alerts", path: `${several}?view=alerts`, look: wide },
    { name: "console-discovery", path: `console/discovery?of=${measurement}&by=router`, look: wide },
    { name: "console-experiment", path: `console/experiments/${experiment}`, look: wide },
    {
      name: "console-experiment-change",
      path: `console/experiments/${experiment}?change=3`,
      look: dark,
      part: "#part figure",
    },
    { name: "console-peering", path: "console/peering", look: wide },
    { name: "console-agents", path: "console/operators", look: wide },
    { name: "console-users", path: "console/operators?view=users", look: wide },
    { name: "console-keys", path: "console/operators?view=keys", look: wide },
    { name: "console-safety", path: "console/operators?view=safety", look: wide },
    { name: "console-audit", path: "console/operators?view=audit", look: wide },
    { name: "console-ingest", path: "console/operators?view=ingest", look: wide },
    { name: "console-public", path: "console/public", look: wide },
  ] satisfies { name: string; path: string; look: Look; part?: string }[];
}

const statement = "SELECT agent_id, count() AS answers FROM replies GROUP BY ALL ORDER BY ALL";
const operatorViews = [
  ...["agents", "keys", "users", "leases", "campaigns", "exchanges", "ingest", "safety", "find", "audit"],
];

/** Every page, as people find it by the navigation and by tabs. */
function pagesOf(ids: Shown & More): string[] {
  const { measurement, anycast, campaign, experiment, nat, sites } = ids;
  const one = `console/measurements/${measurement}`;
  const several = `console/campaigns/${campaign}`;
  return [
    ...["console?from=west&to=203.0.113.10,example.org", "console/measurements"],
    ...["console/measurements?status=failed", "console/measurements?since=nothing", "console/nothing/here"],
    "console/campaigns?to=192.0.2.1",
    ...["paths", "loss", "heatmap", "catchment", "sites", "replies"].map((view) => `${one}?view=${view}`),
    ...[`console/measurements/${anycast}?view=catchment`, `console/measurements/${sites}?view=sites`],
    `console/measurements/${nat}`,
    ...["runs", "series", "trend", "changes", "alerts"].map((view) => `${several}?view=${view}`),
    ...["console/discovery?to=198.51.100.0/24", `console/discovery?of=${measurement}&by=router`],
    ...[`console/discovery?of=${measurement}`, `console/discovery?of=${measurement}&view=growth`],
    `console/discovery?of=${measurement}&view=differences&against=${anycast}`,
    `console/sql?${new URLSearchParams({ query: statement })}`,
    ...["console/peering", "console/routes", "console/routes?asn=64500", "console/experiments"],
    ...["timeline", "catchments", "convergence", "file"].map(
      (view) => `console/experiments/${experiment}?view=${view}`,
    ),
    ...["console/account", "console/public"],
    ...operatorViews.map((view) => `console/operators?view=${view}`),
    `console/operators?view=find&source=192.0.2.1&trace=${measurement}`,
  ];
}

/** What is folded there is shown, too. */
function unfoldedOf({ measurement, campaign }: Shown): string[] {
  const one = [`console/measurements/${measurement}`, `console/campaigns/${campaign}`];
  return ["console", ...one, "console/account", "console/peering", "console/operators?view=agents"];
}

/** For somebody who has nothing yet, and for strangers. */
const newcomersPages = [
  ...["console", "console/measurements", "console/campaigns", "console/discovery", "console/sql"],
  ...["console/peering", "console/experiments", "console/account", "console/operators"],
];

/** A picture that is wider than its frame is kept whole. */
const unroll = `for (const { style } of document.querySelectorAll("[data-graph]")) {
  style.overflow = "visible";
  style.maxHeight = "none";
  style.width = "max-content";
}`;

/** What only pictures of every page show; `shared` is the address of a shared link. */
interface More {
  readonly nat: string;
  readonly sites: string;
  readonly shared: string;
}

interface Order {
  readonly ids: Shown;
  /** Takes each picture, as PNG; false = it is too large. */
  readonly keep: (name: string, png: Uint8Array) => boolean;
  /** Every page in both widths and themes, instead of the pictures of the docs. */
  readonly more: More | null;
}

/** Less and less of a page, until its picture is small enough. */
const heightsPx = [840, 700, 560, 420];
const wholePx = 2400;

export async function consolePictures(home: ConsoleHome, browser: Browser, order: Order): Promise<void> {
  const { url } = home.serve();
  const tab = await browser.open(`${url}console`);
  await logInWith(tab, url, operator);
  await tab.go(`${url}console/peering`);
  for (const [what, button] of [
    ["an AS number", "main .card button"],
    ["a lease", "main form.row button"],
  ] as const) {
    const before = await tab.text("#peering");
    await tab.eval(`document.querySelector("${button}").click()`);
    await until(what, async () => (await tab.text("#peering")) !== before);
  }
  if (order.more !== null) {
    return await everyPage(tab, browser, { url, keep: order.keep, ids: { ...order.ids, ...order.more } });
  }
  for (const { name, path, look, part } of picturesOf(order.ids)) {
    await tab.look(look);
    await tab.go(`${url}${path}`);
    if (part !== undefined) {
      await tab.eval(unroll);
    }
    let isKept = false;
    for (const heightPx of heightsPx) {
      isKept ||= order.keep(name, await tab.picture(part, heightPx));
    }
    if (!isKept) {
      throw new Error(
        `${name} is too large, even with ${heightsPx.at(-1)} px of its height: show less of the page`,
      );
    }
  }
}

interface All {
  readonly url: string;
  readonly keep: Order["keep"];
  readonly ids: Shown & More;
}

const unfold = `for (const one of document.querySelectorAll("details")) {
  one.open = true;
}`;

async function everyPage(tab: Tab, browser: Browser, { url, keep, ids }: All): Promise<void> {
  const take = async (who: string, one: Tab, paths: readonly string[], then = "") => {
    for (const [i, path] of paths.entries()) {
      for (const widthPx of [wide.widthPx, phone.widthPx]) {
        for (const scheme of ["light", "dark"] as const) {
          await one.look({ scheme, widthPx });
          await one.go(`${url}${path}`);
          await one.eval(`${then}; undefined`);
          keep(
            `${who}-${String(i).padStart(2, "0")}-${nameOf(path)}-${widthPx}-${scheme}`,
            await one.picture("html", wholePx),
          );
        }
      }
    }
  };
  await take("full", tab, pagesOf(ids));
  await take("unfolded", tab, unfoldedOf(ids), unfold);
  const newcomer = await browser.openPrivately(`${url}console`);
  const strangersPages = [...newcomersPages, "console/public", "console/routes", ids.shared];
  await take("stranger", newcomer, strangersPages);
  await logInWith(newcomer, url, "newcomer");
  await take("newcomer", newcomer, newcomersPages);
}

function nameOf(path: string): string {
  return path
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "ID")
    .replaceAll(/[^\w]+/g, "-")
    .slice(0, 60);
}

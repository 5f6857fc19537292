/** @jsxImportSource hono/jsx */
/**
 * The catchment on a map: sites where their agents' attributes say, and the answers that each heard where a set of the
 * gateway knows the place of who answered. The table below it has the same figures.
 */
import * as v from "valibot";
import { agentAnswer } from "../../../../lib/base/api/agents.ts";
import { sitesOf } from "../../../../lib/measuring/pictures/charts/catchment-picture.ts";
import { tonesMax } from "../../../../lib/measuring/pictures/look.ts";
import { countryPlaces, type Place } from "../../../../lib/measuring/pictures/map/country-places.ts";
import { type MapPoint, mapPicture } from "../../../../lib/measuring/pictures/map/map-picture.ts";
import { withContext } from "../../api-client.ts";
import { landAddress } from "../../frame/files.ts";
import type { Visit } from "../../page.ts";
import { Foreign } from "../../parts/foreign.tsx";
import { PictureFrame } from "../../parts/picture.tsx";
import { Table } from "../../parts/table.tsx";
import { resultPath } from "./result-path.ts";

/** Some MB of JSON, and enough for where answers come from. */
const repliesMax = 5000;
const rowsMax = 200;

const geo = v.nullish(
  v.object({ country: v.nullish(v.string()), lat: v.nullish(v.number()), lon: v.nullish(v.number()) }),
);
const replySchema = v.object({ agent_id: v.string(), geo });
type Reply = v.InferOutput<typeof replySchema>;

interface HeardPlace {
  readonly name: string;
  readonly site: string;
  readonly answers: number;
  readonly place: Place;
}

/** Null where neither a site nor an answer has a place. */
export async function CatchmentMap({ visit, at }: { readonly visit: Visit; readonly at: string }) {
  const [agents, replies] = await Promise.all([
    visit.api.get("/api/agents", v.array(agentAnswer)),
    placedReplies(visit, at),
  ]);
  const heard = heardPlaces(replies);
  const names = sitesOf([
    ...Map.groupBy(replies, ({ agent_id: site }) => site)
      .entries()
      .map(([site, own]) => ({
        heard_by: site,
        replies: own.length,
      })),
  ]);
  const toneOf = (site: string) => Math.min(tonesMax - 1, Math.max(0, names.indexOf(site)));
  const sites = agents.flatMap(({ id: site, country }) => {
    const place = countryPlaces.get(country?.toUpperCase() ?? "");
    return place !== undefined && names.includes(site) ? [sitePoint(site, place, toneOf(site))] : [];
  });
  if (heard.length + sites.length === 0) {
    return null;
  }
  const most = Math.max(...heard.map(({ answers }) => answers), 1);
  const points = heard.map((one) => heardPoint(one, toneOf(one.site), most));
  const placed = heard.reduce((sum, { answers }) => sum + answers, 0);
  const cut = replies.length === repliesMax ? `the first ${repliesMax}` : String(replies.length);
  const sentence =
    `Of ${cut} answers ${placed} have a known place, from ${new Set(heard.map(({ name }) => name)).size} places; a ` +
    `circle has the tone of the site that heard them, a square is a site. Places are a database's guess.`;
  const picture = mapPicture([...points, ...sites], { sentence, land: await landAddress() });
  return (
    <>
      <PictureFrame picture={picture} name="Map" />
      <Table
        caption="Answers by place"
        columns={columns}
        rows={heard.slice(0, rowsMax)}
        none="No set of the gateway knows the place of an answer."
      />
    </>
  );
}

/** A gateway without a set of context knows no place. */
function placedReplies(visit: Visit, at: string): Promise<readonly Reply[]> {
  return withContext("geo", (more) =>
    visit.api.get(
      resultPath(visit, at, "replies", { limit: String(repliesMax), ...more }),
      v.array(replySchema),
    ),
  );
}

/** Most answers first. */
function heardPlaces(replies: readonly Reply[]): HeardPlace[] {
  const found = new Map<string, HeardPlace>();
  for (const { agent_id: site, geo: known } of replies) {
    const country = known?.country ?? "";
    const place =
      known?.lat == null || known.lon == null
        ? countryPlaces.get(country)
        : { latitude: known.lat, longitude: known.lon };
    if (place !== undefined) {
      const key = `${place.latitude} ${place.longitude} ${site}`;
      const answers = (found.get(key)?.answers ?? 0) + 1;
      found.set(key, { name: country, site, answers, place });
    }
  }
  return [...found.values()].sort((a, b) => b.answers - a.answers || (a.name < b.name ? -1 : 1));
}

function sitePoint(site: string, place: Place, tone: number): MapPoint {
  return { place, tone, shape: "square", share: 1, label: site, title: `Site ${site}` };
}

function heardPoint({ name, site, answers, place }: HeardPlace, tone: number, most: number): MapPoint {
  const title = `${name}: ${answers} answers heard by ${site}`;
  return { place, tone, shape: "circle", share: answers / most, label: "", title };
}

const columns = [
  { head: "Country", isName: true, cell: ({ name }: HeardPlace) => <Foreign text={name} /> },
  {
    head: "North, east",
    isFigure: true,
    cell: ({ place: { latitude, longitude } }: HeardPlace) => `${latitude}, ${longitude}`,
  },
  { head: "Heard by", cell: ({ site }: HeardPlace) => <Foreign text={site} /> },
  { head: "Answers", isFigure: true, cell: ({ answers }: HeardPlace) => answers },
];

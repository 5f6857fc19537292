/** @jsxImportSource hono/jsx */
/**
 * The catchment on a map: sites at their agents' locations, and the replies that each received, where a set of context
 * has the replying address's place. The table below it has the same figures.
 */
import * as v from "valibot";
import { agentAnswer } from "../../../../lib/base/api/agents.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
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

/** Some MB of JSON, enough for an overview of origins. */
const repliesMax = 5000;
const rowsMax = 200;

const geo = v.nullish(
  v.object({ country: v.nullish(v.string()), lat: v.nullish(v.number()), lon: v.nullish(v.number()) }),
);
const replySchema = v.object({ agent_id: v.string(), geo });
type Reply = v.InferOutput<typeof replySchema>;

interface ReceivedPlace {
  readonly name: string;
  readonly site: string;
  readonly answers: number;
  readonly place: Place;
}

/** Null where neither a site nor a reply has a place. */
export async function CatchmentMap({ visit, at }: { readonly visit: Visit; readonly at: string }) {
  const [agents, replies] = await Promise.all([
    visit.api.get("/api/agents", v.array(agentAnswer)),
    placedReplies(visit, at),
  ]);
  const received = receivedPlaces(replies);
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
  if (received.length + sites.length === 0) {
    return null;
  }
  const most = Math.max(...received.map(({ answers }) => answers), 1);
  const points = received.map((one) => receivedPoint(one, toneOf(one.site), most));
  const placed = received.reduce((sum, { answers }) => sum + answers, 0);
  const cut = replies.length === repliesMax ? `the first ${grouped(repliesMax)}` : grouped(replies.length);
  const sentence =
    `Of ${cut} replies, ${grouped(placed)} have a known place, in ` +
    `${new Set(received.map(({ name }) => name)).size} places; a circle has the colour of the site that ` +
    `received them, a square is a site. Places are a database's estimate.`;
  const picture = mapPicture([...points, ...sites], { sentence, land: await landAddress() });
  return (
    <>
      <PictureFrame picture={picture} name="Map" />
      <Table
        caption="Replies by place"
        columns={columns}
        rows={received.slice(0, rowsMax)}
        none="The gateway's sets of context have no place for any reply."
      />
    </>
  );
}

/** A gateway without a set of context has no places. */
function placedReplies(visit: Visit, at: string): Promise<readonly Reply[]> {
  return withContext("geo", (more) =>
    visit.api.get(
      resultPath(visit, at, "replies", { limit: String(repliesMax), ...more }),
      v.array(replySchema),
    ),
  );
}

/** Most replies first. */
function receivedPlaces(replies: readonly Reply[]): ReceivedPlace[] {
  const found = new Map<string, ReceivedPlace>();
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

function receivedPoint({ name, site, answers, place }: ReceivedPlace, tone: number, most: number): MapPoint {
  const title = `${name}: ${answers} replies received by ${site}`;
  return { place, tone, shape: "circle", share: answers / most, label: "", title };
}

const columns = [
  { head: "Country", isName: true, cell: ({ name }: ReceivedPlace) => <Foreign text={name} /> },
  {
    head: "North, east",
    isFigure: true,
    cell: ({ place: { latitude, longitude } }: ReceivedPlace) => `${latitude}, ${longitude}`,
  },
  { head: "Received by", cell: ({ site }: ReceivedPlace) => <Foreign text={site} /> },
  { head: "Replies", isFigure: true, cell: ({ answers }: ReceivedPlace) => grouped(answers) },
];

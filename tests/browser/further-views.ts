/** What only some measurements have: a NAT on the path, sites of a name server, packets. */
import { expect } from "bun:test";
import { storePackets } from "../../apps/probing/gateway/packets/packet-files.ts";
import type { ResultsHome } from "../contract/probing-gateway-reads/results-home.ts";
import { until } from "../exchange/until.ts";
import { demoRows, siteRows } from "./demo-network.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";

interface Scene {
  readonly tab: Tab;
  /** Where the gateway listens, with a slash at its end. */
  readonly address: string;
  readonly home: ResultsHome;
  readonly user: string;
}

interface SiteRow {
  readonly address: string;
  readonly site: string;
  readonly agent: string;
  readonly share_percent: number;
  readonly answers: number;
}

export async function checkFurtherViews({ tab, address, home, user }: Scene): Promise<void> {
  const measured = async ({ probes, replies }: ReturnType<typeof siteRows>, id: string) => {
    await home.store.insertProbes(probes);
    await home.store.insertReplies(replies);
    await home.end(id, 60);
  };
  const nat = await home.submit(user, 5);
  await measured(demoRows(nat, { hasNat: true }), nat);
  await checkNat(tab, `${address}console/measurements/${nat}`);
  const sites = await home.submit(user, 5);
  await measured(siteRows(sites), sites);
  await tab.go(`${address}console/measurements/${sites}?view=sites`);
  const answer = await fetch(`${address}api/measurements/${sites}/sites`);
  const rows = (await answer.json()) as SiteRow[];
  expect(rows.map(({ site }) => site)).toEqual(["ams3.example", "sea1.example", "pdx2.example"]);
  expect((await cellsOf(tab)).map((cells) => cells.slice(0, 5))).toEqual(
    rows.map((row) => [row.address, row.site, row.agent, row.share_percent, row.answers].map(String)),
  );
  await mustBeReadable(tab);
  await checkPackets(tab, { address, home, id: nat });
}

/** Marked at the first hop that shows it, and in the graph at each. */
async function checkNat(tab: Tab, page: string): Promise<void> {
  const words = "behind a NAT: source 203.0.113.77, checksum";
  await tab.go(page);
  expect(await tab.text("#view")).toContain(`From hop 3 on ${words} (west to 203.0.113.10).`);
  const marked = (await cellsOf(tab)).filter((cells) => cells.includes(words)).map(([ttl]) => ttl);
  expect(marked).toEqual(["3", "3", "3"]);
  const labels = await tab.eval<string[]>(
    "[...document.querySelectorAll('[data-graph=right] .node')].map((one) => one.ariaLabel)",
  );
  const behind = labels.filter((one) => one.includes("behind a NAT that changes source, checksum"));
  expect(behind.map((one) => one.slice(0, 5)).sort()).toEqual([
    "TTL 3",
    "TTL 3",
    "TTL 3",
    "TTL 4",
    "TTL 4",
    "TTL 5",
  ]);
  await mustBeReadable(tab);
}

async function checkPackets(
  tab: Tab,
  { address, home, id }: Pick<Scene, "address" | "home"> & { readonly id: string },
): Promise<void> {
  const { database } = home.gateway.services;
  await database.sql`UPDATE measurements SET records_packets = true WHERE measurement_id = ${id}`;
  const content = new Uint8Array(40).fill(7);
  await storePackets(database, 1_000_000, {
    ...{ measurementId: id, agentId: "west", interfaceName: "eth0", sent: 3200, heard: 2981, leftOut: 2 },
    content,
  });
  await tab.go(`${address}console/measurements/${id}`);
  expect(await tab.text("#packets")).toMatch(/west\.eth0\.pcap\s+3,200\s+2,981\s+2\s+40 bytes/);
  const link = await tab.eval<string>("document.querySelector('#packets a[download]').href");
  expect(await (await fetch(link)).bytes()).toEqual(content);
  await mustBeReadable(tab);
}

/** On the page of one that runs. */
export async function checkCancel(tab: Tab, page: string): Promise<void> {
  await tab.go(page);
  await mustBeReadable(tab);
  await tab.eval("document.querySelector('#progress form button').click()");
  await until("its cancellation", async () => (await tab.text("#progress")).includes("cancelled"));
  expect(await tab.eval<boolean>("document.querySelector('#progress form') === null")).toBe(true);
}

function cellsOf(tab: Tab): Promise<string[][]> {
  return tab.eval(
    "[...document.querySelectorAll('#view tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))",
  );
}

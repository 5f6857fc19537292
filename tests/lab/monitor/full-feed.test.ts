/**
 * FRR sends no End-of-RIB of a peer that comes up after the BMP session: its table counts when it stops growing.
 *
 * @tier long: of one way of FRR, which changes seldom
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { bmpRouter, MonitorLab } from "./monitor-lab.ts";

const limitMs = 600_000;
let lab: MonitorLab;
beforeAll(async () => {
  lab = await MonitorLab.start();
}, limitMs);
afterAll(() => lab[Symbol.asyncDispose]());

interface Status {
  readonly peers: readonly {
    readonly router: string;
    readonly address: string | null;
    readonly is_up: boolean | null;
    readonly tables: readonly {
      readonly paths: number;
      readonly complete: readonly number[];
      readonly quiet: readonly number[];
    }[];
  }[];
}

async function peersOfFrr(): Promise<Status["peers"]> {
  const { peers } = JSON.parse(await lab.collectorStatus()) as Status;
  return peers.filter(({ router, address }) => router === bmpRouter && address !== null);
}

async function feedOf(family: "v4" | "v6") {
  const text = await lab.runBeside(["curl", "-fsS", "http://127.0.0.1:8096/data/ris-peer-count/data.json"]);
  const { data } = JSON.parse(text) as {
    data: { peer_count: Record<string, { full_feed: readonly Record<string, number>[] }> };
  };
  return data.peer_count[family]?.full_feed[0];
}

test(
  "a peer of FRR counts as a full feed a minute after its table has come, by its quiet time",
  async () => {
    await lab.startCollector();
    await until("FRR at the collector", async () => (await peersOfFrr()).length > 0, limitMs);
    // A session that comes up after that of BMP.
    await lab.tellFrr([], "clear bgp *");
    await lab.tell(() => true);
    await until(
      "the routes of FRR's peer",
      async () => {
        const peers = await peersOfFrr();
        return peers.some(({ is_up, tables }) => is_up === true && tables.some(({ paths }) => paths > 0));
      },
      limitMs,
    );
    await until(
      "a full feed",
      async () => {
        const [v4, v6] = [await feedOf("v4"), await feedOf("v6")];
        return (v4?.by_quiet_time ?? 0) + (v6?.by_quiet_time ?? 0) > 0;
      },
      limitMs,
    );
    const tables = (await peersOfFrr()).flatMap((peer) => peer.tables);
    expect(tables.some(({ complete, quiet }) => complete.length === 0 && quiet.length > 0)).toBe(true);
  },
  limitMs,
);

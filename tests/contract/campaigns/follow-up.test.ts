/** Runs that measure again what they found, on a gateway with a column store: every part is the real one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { decodeProbe, probeMessageBytes } from "../../../lib/net/wire/probe-codec.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { come, made, measured } from "../probing-gateway/campaign-time.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

const user = "anna";
const followUp = { ping: "responders", packets: 2, at_most: 2 };
let engine: EngineHome;
let home: ResultsHome;

beforeAll(async () => {
  engine = await startEngine();
  home = await ResultsHome.start(engine);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

async function second(id: string): Promise<string | null> {
  const answer = await home.get(user, `/api/campaigns/${id}/runs`);
  const [run] = (await answer.json()) as { measurements: { measurement_id: string | null }[] }[];
  return run?.measurements[1]?.measurement_id ?? null;
}

function destinationsOf(record: Uint8Array): string[] {
  return Array.from({ length: record.length / probeMessageBytes }, (_, i) => {
    const read = decodeProbe(record, i * probeMessageBytes);
    return read.ok ? `${formatAddress(read.probe.dst)} ${read.probe.protocol}` : "unreadable";
  });
}

test("when its answers are in, a run pings who answered, at most so many; then it is done", async () => {
  const { gateway } = home;
  const id = await made(gateway, user, { name: "again", follow_up: followUp });
  const first = await measured(gateway, user, id, 0);
  // Three routers, the first one twice.
  const hosts = [3, 1, 2, 1];
  await home.ingest(
    first,
    3,
    hosts.map((host) => ({ from: `198.51.100.${host}` })),
  );
  // Just ended: answers may still be on their way.
  await home.end(first, 0);
  gateway.services.campaigns.wake();
  await Bun.sleep(300);
  expect(await second(id)).toBeNull();
  await home.end(first, 60);
  gateway.services.campaigns.wake();
  let ping: string | null = null;
  await eventually(async () => {
    ping = await second(id);
    expect(ping).not.toBeNull();
  });
  const lines = (await gateway.records(`${ping}`)).flatMap(({ value }) => destinationsOf(value));
  expect(lines).toEqual([
    ...["198.51.100.1 icmp", "198.51.100.2 icmp"],
    ...["198.51.100.1 icmp", "198.51.100.2 icmp"],
  ]);
  await home.end(`${ping}`, 60);
  gateway.services.campaigns.wake();
  await come(gateway, user, id, ["0 done"]);
});

test("when nobody answered, nothing follows", async () => {
  const { gateway } = home;
  const id = await made(gateway, user, { name: "nobody", follow_up: followUp });
  await home.end(await measured(gateway, user, id, 0), 60);
  gateway.services.campaigns.wake();
  await come(gateway, user, id, ["0 done"]);
  expect(await second(id)).toBeNull();
});

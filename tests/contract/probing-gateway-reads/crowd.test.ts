/** Ten accounts that open all the streams they may have: the results of others are read all the same. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { eventStreamsMax } from "../../../apps/probing/gateway/reads/limits.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { readEvents } from "./event-reader.ts";
import { ResultsHome } from "./results-home.ts";

let database: EngineHome;
let home: ResultsHome;
let server: ReturnType<ResultsHome["listen"]>;

beforeAll(async () => {
  database = await startEngine();
  home = await ResultsHome.start(database);
  server = home.listen();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

/** Opens an answer and never reads a byte of it. */
function unread(user: string, path: string): Disposable {
  const socket = connect(server.port, "127.0.0.1", () => {
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user}\r\n\r\n`);
  });
  socket.on("error", () => {});
  return { [Symbol.dispose]: () => socket.destroy() };
}

async function untilTaken(streams: number): Promise<void> {
  const { registry } = home.gateway.services.metrics;
  const metric = () => registry.getSingleMetricAsString("vantage_gateway_streams");
  while (!(await metric()).trimEnd().endsWith(`vantage_gateway_streams ${streams}`)) {
    await Bun.sleep(20);
  }
}

const ask = (user: string, path: string) =>
  fetch(`${server.url}${path.slice(1)}`, { headers: { authorization: `Bearer ${user}` } });

test("a hundred streams of events: another user's begins at once, and replies are read beside them", async () => {
  using crowd = new DisposableStack();
  for (let i = 0; i < 10; i++) {
    const id = await home.submit(`crowd-${i}`, 1);
    for (let n = 0; n < 10; n++) {
      crowd.use(unread(`crowd-${i}`, `/api/measurements/${id}/events`));
    }
  }
  await untilTaken(eventStreamsMax);
  const id = await home.submit("anna", 2);
  await home.ingest(id, 2, [{}, {}]);
  expect(await home.rows("anna", `/api/measurements/${id}/replies`)).toHaveLength(2);
  expect((await ask("anna", `/api/measurements/${id}/loss`)).status).toBe(200);
  const events = await readEvents(
    await ask("anna", `/api/measurements/${id}/events`),
    (so) => so.length >= 3,
  );
  expect(events.map(({ event }) => event)).toEqual(["progress", "reply", "reply"]);
});

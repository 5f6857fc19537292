/** Exchange servers that answer, are silent, or are slow, over real HTTP; each has an address of loopback. */
import { afterEach, expect, test } from "bun:test";
import { ExchangeWatch } from "../../../apps/peering/bootstrap/exchange-watch.ts";
import { until } from "../../exchange/until.ts";

const own = "100.64.0.11";
const quick = "127.0.0.1";
const slow = "127.0.0.2";
const stack: Bun.Server<undefined>[] = [];
let asked: string[] = [];
afterEach(async () => {
  asked = [];
  await Promise.all(stack.splice(0).map((server) => server.stop(true)));
});

const session = {
  ...{ address: own, asn: 65_011, is_up: true, remark: null, suspended_until: null },
  ...{ leases: [], accepted: [], refused: [] },
};

/** Both on one port, as all exchange servers have the same. */
function listen(answers: Readonly<Record<string, () => Promise<void>>>): number {
  let port = 0;
  for (const [hostname, before] of Object.entries(answers)) {
    const fetch = async () => {
      asked.push(hostname);
      await before();
      return Response.json({ sessions: [session] });
    };
    const server = Bun.serve({ hostname, port, fetch });
    stack.push(server);
    port = server.port ?? 0;
  }
  return port;
}

test("one that is slow holds up neither the look nor the others, and its answer counts when it comes", async () => {
  const gate = Promise.withResolvers<void>();
  const port = listen({ [quick]: async () => undefined, [slow]: () => gate.promise });
  const watch = new ExchangeWatch({ port, everyMs: 1000, elapsedMs: () => 0 });
  const first = await watch.look([quick, slow], own);
  expect([...first.keys()]).toEqual([quick]);
  watch.hurry();
  await watch.look([quick, slow], own);
  expect(asked.filter((address) => address === slow).length).toBe(1);
  gate.resolve();
  const later = await until("the slow one's word", async () => {
    const heard = await watch.look([quick, slow], own);
    return heard.size === 2 && heard;
  });
  expect(later.get(slow)?.session?.asn).toBe(65_011);
});

test("each is asked by the clock, or when something has changed; who is left is forgotten", async () => {
  const port = listen({ [quick]: async () => undefined });
  let nowMs = 0;
  const watch = new ExchangeWatch({ port, everyMs: 1000, elapsedMs: () => nowMs });
  await watch.look([quick], own);
  await watch.look([quick], own);
  expect(asked.length).toBe(1);
  nowMs = 1000;
  await watch.look([quick], own);
  watch.hurry();
  await watch.look([quick], own);
  expect(asked.length).toBe(3);
  expect((await watch.look([], own)).size).toBe(0);
});

test("one that cannot be reached is said to be, and nobody is asked before the own address is known", async () => {
  const port = listen({ [quick]: async () => undefined });
  const watch = new ExchangeWatch({ port, everyMs: 1000, elapsedMs: () => 0 });
  expect((await watch.look([slow], null)).size).toBe(0);
  const heard = await watch.look([slow], own);
  expect(heard.get(slow)).toMatchObject({
    session: null,
    failure: expect.stringContaining("Cannot ask http://"),
  });
});

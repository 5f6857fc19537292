import { expect, test } from "bun:test";
import type { RouteChange } from "../../../../lib/base/api/route-changes.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { noAttributes } from "../../../../lib/net/bgp/path-attributes.ts";
import type { RouteEvent } from "../../../../lib/net/bgp/route-event.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import { VrpTable } from "../../../../lib/net/rpki/vrp-table.ts";
import { watchChangesMax, watchesOfOneMax } from "./limits.ts";
import { RouteWatches } from "./route-watches.ts";
import { watchRoutes } from "./watch-routes.ts";

const router = address("192.0.2.1");

function event(kind: RouteEvent["kind"], prefix: string | null, med = 0): RouteEvent {
  const peer = { table: "in" as const, address: address("192.0.2.9"), asn: 64_500, routerId: null };
  const [base = "", length = "0"] = prefix?.split("/") ?? [];
  const route = prefix === null ? null : { prefix: prefixOf(address(base), Number(length)), pathId: null };
  const attributes = { ...noAttributes(), asPath: [64_500, 64_501], med };
  return { timeUs: null, peer, kind, family: null, route, attributes };
}

function scene() {
  const table = new LiveTable();
  let ids = 0;
  const watches = new RouteWatches(table, () => `watch${ids++}`);
  const vrps = { table: null as VrpTable | null };
  const app = watchRoutes({ table, watches, nowUs: () => 5n, vrps }).onError((error) => {
    return new Response("", { status: error instanceof Problem ? error.status : 500 });
  });
  const tell = (...events: RouteEvent[]) => {
    for (const one of events) {
      table.apply(router, one, 5n);
    }
  };
  const ask = async (query: string, lastId?: string) =>
    await app.request(`/api/routes/watch?${query}`, lastId ? { headers: { "last-event-id": lastId } } : {});
  return { table, watches, tell, ask, vrps };
}

/** Reads events as a client does, as many as are asked for. */
function reading({ body }: Response) {
  const reader = body?.getReader();
  let [text, lastId] = ["", ""];
  const next = async (count: number): Promise<RouteChange[]> => {
    const found: RouteChange[] = [];
    while (found.length < count) {
      const end = text.indexOf("\n\n");
      if (end < 0) {
        const piece = await reader?.read();
        if (piece === undefined || piece.done) {
          return found;
        }
        text += new TextDecoder().decode(piece.value);
      } else {
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        lastId = lines.find((line) => line.startsWith("id: "))?.slice(4) ?? lastId;
        const data = lines.find((line) => line.startsWith("data: "));
        found.push(...(data === undefined ? [] : [JSON.parse(data.slice(6))]));
      }
    }
    return found;
  };
  return { next, lastId: () => lastId, cut: async () => await reader?.cancel() };
}

const short = (changes: readonly RouteChange[]) =>
  changes.map(({ kind, prefix, is_synthetic, count }) =>
    [kind, prefix, is_synthetic ? "synthetic" : null, count].filter((part) => part !== null).join(" "),
  );

test("first what stands, then each change, with synthetic withdrawals and gaps", async () => {
  const { table, tell, ask } = scene();
  tell(event("announce", "198.51.100.0/24"), event("announce", "203.0.113.0/24"));
  const { next } = reading(await ask("prefix=198.51.100.0/24"));
  expect(short(await next(2))).toEqual(["path 198.51.100.0/24", "live 1"]);
  tell(event("announce", "203.0.113.0/24", 7), event("announce", "198.51.100.0/24", 7));
  tell(event("peer-down", null));
  table.gap({ router, fromUs: 5n, toUs: null, reason: "the router has closed it" });
  const received = await next(4);
  expect(short(received)).toEqual([
    "announce 198.51.100.0/24",
    "peer-down",
    "withdraw 198.51.100.0/24 synthetic",
    "gap",
  ]);
  expect(received[0]).toMatchObject({ multi_exit_disc: 7, as_path: [64_500, 64_501], peer: "192.0.2.9" });
  expect(received[3]).toMatchObject({
    router: "192.0.2.1",
    detail: "the router has closed it; it continues",
  });
});

test("each path and announcement is validated by the VRPs of its moment", async () => {
  const { vrps, tell, ask } = scene();
  const prefix = prefixOf(address("198.51.100.0"), 24);
  const validAs = (asn: number) => {
    vrps.table = new VrpTable();
    vrps.table.add({ prefix, maxLength: 24, asn });
  };
  tell(event("announce", "198.51.100.0/24"));
  const { next } = reading(await ask("prefix=198.51.100.0/24"));
  const [standing] = await next(2);
  expect(standing).toMatchObject({ rpki: null, origin_validation: null });
  validAs(64_501);
  tell(event("announce", "198.51.100.0/24", 7));
  expect((await next(1))[0]?.origin_validation).toMatchObject({ state: "valid", vrps_count: 1 });
  validAs(64_500);
  tell(event("announce", "198.51.100.0/24", 8), event("withdraw", "198.51.100.0/24"));
  const [invalid, withdrawn] = await next(2);
  expect(invalid?.origin_validation).toMatchObject({ state: "invalid", cause: "origin" });
  expect(withdrawn).toMatchObject({ kind: "withdraw", origin_validation: null });
  const [again] = await reading(await ask("prefix=198.51.100.0/24")).next(1);
  expect(again?.kind).toBe("live");
  tell(event("announce", "198.51.100.0/24", 9));
  const [path] = await reading(await ask("prefix=198.51.100.0/24")).next(1);
  expect(path).toMatchObject({ kind: "path", origin_validation: { state: "invalid" } });
});

test("who was cut off goes on where it was; what nobody knows any more is said, and the paths come again", async () => {
  const { watches, tell, ask } = scene();
  const first = reading(await ask("prefix=198.51.100.0/24"));
  await first.next(1);
  tell(event("announce", "198.51.100.0/24"));
  await first.next(1);
  await first.cut();
  expect(watches.open).toBe(0);
  tell(event("announce", "198.51.100.0/24", 8), event("withdraw", "198.51.100.0/24"));
  const again = reading(await ask("prefix=198.51.100.0/24", first.lastId()));
  expect(short(await again.next(3))).toEqual([
    "resumed 2",
    "announce 198.51.100.0/24",
    "withdraw 198.51.100.0/24",
  ]);
  expect(watches.counts).toMatchObject({ begun: 1, resumed: 1 });
  tell(event("announce", "198.51.100.0/24"));
  // The first place is of another run of the collector, the second of another watch.
  const lost = reading(await ask("prefix=198.51.100.0/24", "elsewhere-7"));
  expect(short(await lost.next(3))).toEqual(["missed", "path 198.51.100.0/24", "live 1"]);
  await again.cut();
  const other = reading(await ask("prefix=203.0.113.0/24", again.lastId()));
  expect(short(await other.next(2))).toEqual(["missed", "live 0"]);
});

test("a reader who is too slow hears how many changes it has missed, and what stands then", async () => {
  const { watches, tell, ask } = scene();
  const { next } = reading(await ask("prefix=198.51.0.0/16&more=true"));
  await next(1);
  for (let i = 0; i <= watchChangesMax; i++) {
    tell(event("announce", "198.51.100.0/24", i));
  }
  expect(short(await next(3))).toEqual(["missed 1", "path 198.51.100.0/24", "live 1"]);
  expect(watches.counts.missed).toBe(1);
  tell(event("withdraw", "198.51.100.0/24"));
  expect(short(await next(1))).toEqual(["withdraw 198.51.100.0/24"]);
});

test("places are limited, and free again; a stop ends all", async () => {
  const { watches, ask } = scene();
  const open = await Promise.all(
    Array.from({ length: watchesOfOneMax }, async () => reading(await ask("prefix=::/0"))),
  );
  expect((await ask("prefix=::/0")).status).toBe(503);
  await open[0]?.cut();
  const last = await ask("prefix=::/0");
  expect([last.status, watches.counts.refused]).toEqual([200, 1]);
  watches.close();
  expect(short(await reading(last).next(9))).toEqual([]);
  expect((await ask("prefix=2001:db8::1/32")).status).toBe(400);
});

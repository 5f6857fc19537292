/** Roles and Only-to-Customer (RFC 9234): an exchange is a provider to users, a customer or peer of its neighbours. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { steadyBirds } from "../../exchange/birds.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

const ownAsn = plan.rogue.asn;
const { own, leaked, plain } = plan.peerRoutes;
const roles = { provider: 0, serverClient: 2, customer: 3, peer: 4 } as const;

describe.each(steadyBirds)("BIRD $version", ({ version, program }) => {
  let lab: ExchangeLab;

  beforeAll(async () => {
    lab = await ExchangeLab.start({ withPeer: true, bird: { version, program } });
    await until("a route of the peer", () => lab.birds.two.hears(plain.prefix));
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  const otcAt = async (prefix: string) => {
    const lines = await lab.birds.two.ask(`show route where net = ${prefix} all`);
    const found = lines.flatMap((line) => /^\s+(?:BGP\.|bgp_)otc: (\d+)/.exec(line)?.[1] ?? []);
    return found[0] ?? null;
  };

  test("what users hear says that it is for customers only, and who said so first", async () => {
    const expected = [
      [plan.coveredRoute, plan.upstreamAsn],
      [plan.memberPrefix, plan.serverAsn],
      [own.prefix, plan.memberAsn],
      [plain.prefix, plan.memberAsn],
      [plan.infrastructurePrefix, plan.platformAsn],
      [plan.platformPrefix, plan.platformAsn],
    ] as const;
    for (const [prefix, asn] of expected) {
      await until(`OTC of ${prefix}`, async () => (await otcAt(prefix)) === String(asn));
    }
  });

  test("a route of a peer with the OTC of another AS is a leak: dropped, and BIRD's log says so", async () => {
    expect(await lab.birds.exchange.hears(leaked.prefix)).toBe(false);
    expect(await lab.birds.two.hears(leaked.prefix)).toBe(false);
    expect(lab.birds.exchange.said()).toMatch(/peer_direct.*leak.*OTC.*64499/);
  });

  const hasPath = (said: string) => /BGP\.as_path|bgp_path/.test(said);

  test("peers hear that a user's route is for their customers; upstreams and route servers do not", async () => {
    const told = async (where: "upstream" | "server", protocol: string) =>
      (
        await lab.birds[where].ask(`show route where net = ${plan.platformPrefix} protocol ${protocol} all`)
      ).join();
    await until("the route at the peer", async () => hasPath(await told("server", "as_peer")));
    expect(await told("server", "as_peer")).toMatch(new RegExp(`otc: ${plan.platformAsn}\\b`));
    await until("the route upstream", async () => hasPath(await told("upstream", "exchange")));
    expect(await told("upstream", "exchange")).not.toContain("otc");
    expect(await told("server", "exchange")).not.toContain("otc");
  });

  test.each([["customer", roles.customer]])("a user who says %s is let in", async (_name, role) => {
    const session = await lab.rogue.dialUp(ownAsn, { capabilities: [[9, [role]]] });
    await lab.rogue.hangUp(session);
    await until("its end", async () => !((await lab.rogueSession())?.isUp ?? false));
  });

  test.each([
    ["provider", roles.provider],
    ["peer", roles.peer],
    ["route server's client", roles.serverClient],
  ])("a user who says to be a %s hears that this does not fit", async (_name, role) => {
    const session = await until("an OPEN that is read", async () => {
      const dialled = lab.rogue.dial(ownAsn, { capabilities: [[9, [role]]] });
      await until("its end", () => lab.rogue.told(dialled, "closed"));
      return lab.rogue.told(dialled, "notified") ? dialled : null;
    });
    expect(lab.rogue.events).toContainEqual({ session, kind: "notified", code: 2, subcode: 11 });
  });

  test("a neighbour that tells no role is turned away where it must", async () => {
    const file = join(lab.folder, "exchange.conf");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("local role peer;", "local role peer;\n  require roles;"));
    await lab.birds.exchange.ask("configure");
    await until("the end of the peer's session", async () => {
      const sessions = await lab.birds.exchange.sessions();
      return sessions.find(({ name }) => name === "peer_direct")?.lastError?.includes("Role mismatch");
    });
  });
});

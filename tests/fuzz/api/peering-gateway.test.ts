/** Every route of the peering gateway, by requests made from its document: no failure 500, none undocumented. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { inTier } from "../../run/tier.ts";
import { adminKey, FuzzedGateway } from "./fuzzed-gateway.ts";
import { fuzz } from "./schemathesis.ts";

const examples = inTier({ usual: 1, long: 3 });
const serviceKey = "the service key of the fuzzed gateway";

let gateway: FuzzedGateway;
beforeAll(async () => {
  gateway = await FuzzedGateway.start("peering-gateway", {
    leases: { pool: ["2001:db8::/40"], per_user_max: 3 },
    rpki: { adapter: "local", origin_asn: 64_496 },
    subjects: { keys: [`one:${Buffer.alloc(32, 1).toString("base64url")}`] },
    service: { keys: [{ name: "fuzzer", key: serviceKey }] },
  });
});
afterAll(() => gateway[Symbol.asyncDispose]());

type Caller = readonly [who: string, paths: string, token: () => Promise<string>];

const callers: readonly Caller[] = [
  ["users and the public", "^/(api|vrps)", () => gateway.issuer.tokenFor("fuzzer")],
  ...inTier<readonly Caller[]>({
    usual: [],
    long: [
      ["services", "^/service", () => Promise.resolve(serviceKey)],
      ["admins", "^/admin", () => Promise.resolve(adminKey)],
    ],
  }),
];

for (const [who, paths, token] of callers) {
  test(who, async () => {
    const { passed, said } = await fuzz({ url: gateway.url, token: await token(), paths, examples });
    expect(passed ? "" : said).toBe("");
  });
}

/** Every route of the peering gateway, by requests made from its document: no failure of ours, none undocumented. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayProcess } from "../../contract/probing-gateway/gateway-process.ts";
import { startTestIssuer, type TestIssuer } from "../../issuer/issuer.ts";
import { fuzz } from "./schemathesis.ts";

const testMs = 120_000;
const examples = 6;
const adminKey = "the admin key of the fuzzed gateway";
const serviceKey = "the service key of the fuzzed gateway";

const folder = mkdtempSync(join(tmpdir(), "vantage-fuzz-"));
let issuer: TestIssuer;
let gateway: GatewayProcess;
beforeAll(async () => {
  issuer = await startTestIssuer();
  const config = join(folder, "gateway.yaml");
  const settings = {
    gateway: { address: "127.0.0.1:0", state_dir: join(folder, "state"), admin_key: adminKey },
    oidc: { issuer: issuer.url, audiences: [issuer.audience] },
    leases: { pool: ["2001:db8::/40"], per_user_max: 3 },
    rpki: { adapter: "local", origin_asn: 64_496 },
    subjects: { keys: [`one:${Buffer.alloc(32, 1).toString("base64url")}`] },
    service: { keys: [{ name: "fuzzer", key: serviceKey }] },
  };
  // JSON is YAML.
  await Bun.write(config, JSON.stringify(settings));
  gateway = await GatewayProcess.start(config, [], "peering-gateway");
}, testMs);
afterAll(async () => {
  await gateway.stop();
  await issuer[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const callers: readonly (readonly [string, string, () => Promise<string>])[] = [
  ["users and the public", "^/(api|vrps)", () => issuer.tokenFor("fuzzer")],
  ["services", "^/service", () => Promise.resolve(serviceKey)],
  ["admins", "^/admin", () => Promise.resolve(adminKey)],
];

for (const [who, paths, token] of callers) {
  test(
    who,
    async () => {
      const { passed, said } = await fuzz({ url: gateway.url, token: await token(), paths, examples });
      expect(passed ? "" : said).toBe("");
    },
    testMs,
  );
}

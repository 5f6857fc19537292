import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashKey } from "../../../lib/engines/auth/secret-key.ts";
import { gatewayConfigPage } from "../../../tests/reference/configuration/peering-gateway.ts";
import { readGatewayConfig } from "./config.ts";
import { makeSubjectKey, parseSubjectKey } from "./subjects/subject-key.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const key = makeSubjectKey("2026-01-31");
const needed = `leases: { pool: ["2001:db8:1::/48"] }\nsubjects: { keys: ["${key}"] }\n`;

function read(text: string, environment: Record<string, string> = {}) {
  return readGatewayConfig({ name: "g.yaml", text }, environment);
}

test("a pool and a key make a gateway that no user can log in to yet", () => {
  const state = "/var/lib/vantage/peering-gateway";
  expect(read(needed)).toMatchObject({
    listen: { host: "0.0.0.0", port: 8094 },
    database: { address: `pglite:${state}/database`, connectionsMax: 16 },
    oidc: null,
    asnRanges: [{ first: 65_000, last: 65_999 }],
    leases: {
      pool: { lines: ["2001:db8:1::/48"] },
      hoursMax: 24,
      perUserMax: 1,
      coolDownMinutes: 60,
      endsSoonMs: 1_800_000,
      historyDays: null,
    },
    subjectKeys: [parseSubjectKey(key)],
    email: null,
    serviceKeys: [],
    rpki: { mode: "pool", adapter: "none", originAsn: null, krill: null },
  });
});

test("the example of the page is a configuration", () => {
  const example = /```yaml\n(.*?)```/s.exec(gatewayConfigPage.head)?.[1] ?? "";
  const keys = join(folder, "keys");
  const secret = join(folder, "secret");
  writeFileSync(keys, `# new\n${key}\n\n${makeSubjectKey("2025-01-31")}\n`);
  writeFileSync(secret, "hush\n");
  const text = example
    .replace("/etc/vantage/subject-keys", keys)
    .replace("/etc/vantage/auth0-secret", secret);
  expect(read(text)).toMatchObject({
    subjectKeys: [{ kid: key.split(":")[0] }, { kid: expect.stringContaining("2025-01-31") }],
    email: { provider: "auth0", url: "https://login.example.net", clientSecret: "hush" },
    serviceKeys: [{ name: "exchange-1", hash: new Uint8Array(hashKey("test")) }],
    rpki: { mode: "lease", adapter: "local", originAsn: 64_500 },
  });
});

test.each([
  ["", "leases.pool: is missing, and so is pool_file"],
  ["", "subjects.keys: is missing, and so is keys_file; make one with: vantage peering-gateway --make-key"],
  ["leases: { pool: [a], pool_file: b }", "leases.pool: cannot be given beside pool_file"],
  ["subjects: { keys: [short] }", "must be ID:KEY as --make-key prints it"],
  ["asns: { pool: [65999-65000] }", "must be FIRST-LAST"],
  ["asns: { pool: [1-5, 5-9] }", "asns.pool: has 5-9 overlap another range"],
  ["rpki: { adapter: local }", "rpki.origin_asn: is missing: authorisations name it"],
  ["rpki: { adapter: krill, origin_asn: 1 }", "rpki.krill.url: is missing: the adapter krill needs it"],
  [
    "rpki: { adapter: krill, origin_asn: 1, krill: { url: 'https://k.example', ca: pool } }",
    "rpki.krill.token: is missing, and so is token_file",
  ],
  [
    "asns: { pool: [1-5] }\nrpki: { origin_asn: 5, krill: { aspa: true } }",
    "asns.pool: has rpki.origin_asn, which cannot be its own provider (rpki.krill.aspa)",
  ],
  ["rpki: { krill: { ca: ../other } }", "rpki.krill.ca: must be letters, digits, - and _"],
  ["rpki: { krill: { token: a b } }", "rpki.krill.token: must be visible ASCII, without spaces"],
  ["email: { provider: keycloak, url: 'https://k.example' }", "email.realm: is missing: keycloak needs it"],
  ["email: { provider: auth0 }", "email.client_secret: is missing, and so is client_secret_file"],
  ["service: { keys: [{ name: x }] }", "service.keys.0.key: is missing, and so is key_sha256"],
  ["gateway: { bypass_authentication: true }", "is for loopback only"],
  ["leases: { hours_max: 0 }", "must be a whole number from 1 to"],
  ["leases: { hour_max: 3 }", 'did you mean "hours_max"?'],
])("%p is refused: %s", (text, reason) => {
  expect(() => read(text)).toThrow(reason);
});

test("files that are named must be there and hold what they should", () => {
  const empty = join(folder, "empty");
  writeFileSync(empty, "# no key\n");
  const withKeys = (path: string) => read(`leases: { pool: [x] }\nsubjects: { keys_file: ${path} }`);
  expect(() => withKeys(empty)).toThrow(`Cannot use ${empty}: it holds no key; make one with`);
  writeFileSync(empty, `${key}\nnonsense\n`);
  expect(() => withKeys(empty)).toThrow("key 2 is not ID:KEY");
  expect(() => withKeys(join(folder, "absent"))).toThrow("no such file");
});

test("Krill's token and certificate come from files", () => {
  const [token, certificate] = [join(folder, "token"), join(folder, "certificate")];
  const krill = `{ url: "https://k.example:3000/", ca: pool, token_file: ${token} }`;
  const withKrill = (text: string) =>
    read(`${needed}rpki: { adapter: krill, origin_asn: 64500, krill: ${text} }`).rpki.krill;
  writeFileSync(token, "hush\n");
  expect(withKrill(krill)).toEqual({
    ...{ url: "https://k.example:3000", ca: "pool", token: "hush" },
    ...{ certificate: null, hasAspas: false, reconcileMs: 3_600_000 },
  });
  expect(withKrill(krill.replace(" }", ", aspa: true }"))).toMatchObject({ hasAspas: true });
  writeFileSync(certificate, "no PEM");
  const trusting = krill.replace(" }", `, certificate_file: ${certificate} }`);
  expect(() => withKrill(trusting)).toThrow(`Cannot use ${certificate}: it is not a certificate in PEM`);
  writeFileSync(token, "two words");
  expect(() => withKrill(krill)).toThrow(`Cannot use ${token}: it must hold Krill's token alone`);
});

test("the environment can give all that is needed", () => {
  const environment = { VANTAGE_LEASES__POOL: "2001:db8::/40", VANTAGE_SUBJECTS__KEYS: key };
  expect(read("", environment)).toMatchObject({ leases: { pool: { lines: ["2001:db8::/40"] } } });
});

import { describe, expect, test } from "bun:test";
import { openHttpWarnings } from "../../../lib/engines/config/addresses.ts";
import { gatewayWarnings } from "../../../lib/engines/service/gateway-config.ts";
import { gatewayConfigPage } from "../../../tests/reference/configuration/probing-gateway.ts";
import { readGatewayConfig } from "./config.ts";

function read(text: string, environment: Record<string, string> = {}) {
  return readGatewayConfig({ name: "g.yaml", text }, environment);
}

test("nothing at all is a gateway on embedded engines that no user can log in to", () => {
  const state = "/var/lib/vantage/probing-gateway";
  expect(read("")).toMatchObject({
    listen: { host: "0.0.0.0", port: 8093 },
    stateDir: state,
    gatewayId: null,
    adminKey: null,
    adminKeyFile: null,
    bypassAuthentication: false,
    database: { address: `pglite:${state}/database`, connectionsMax: 16 },
    broker: {
      address: `embedded:${state}/broker`,
      topic: "measure-probes",
      login: { protocol: "PLAINTEXT" },
    },
    storeAddress: null,
    oidc: null,
    limits: { probesPerDay: 10_000, retentionDays: 7 },
    safety: { blockReservedRanges: true, blocklistFile: null, allowlistFile: null },
  });
});

test("the example of the page is a configuration", () => {
  const example = /```yaml\n(.*?)```/s.exec(gatewayConfigPage.head)?.[1] ?? "";
  expect(read(example)).toMatchObject({
    contact: "noc@example.net",
    database: { address: "postgres://vantage@db.example/probing" },
    broker: { address: "kafka:broker.example:9092" },
    storeAddress: "http://store.example:8123",
    oidc: {
      issuer: "https://login.example.net/",
      audiences: ["https://vantage.example.net"],
      jwksUri: null,
    },
  });
});

test("the environment wins, and what it says of other programs does no harm", () => {
  const environment = {
    VANTAGE_GATEWAY__ADDRESS: "127.0.0.1:0",
    VANTAGE_OIDC__AUDIENCES: "a, b",
    VANTAGE_OIDC__ISSUER: "https://i.example/",
    VANTAGE_AGENT__ID: "west",
  };
  expect(read("gateway: { address: '[::1]:1' }", environment)).toMatchObject({
    listen: { host: "127.0.0.1", port: 0 },
    oidc: { audiences: ["a", "b"] },
  });
});

describe("what cannot be honoured is refused with its line", () => {
  test.each([
    [
      'database: { address: "mysql://u:secret@h/d" }',
      "g.yaml:1: database.address: must be pglite:DIR or postgres://USER@HOST/NAME",
    ],
    [
      'store: { address: "ftp://u:secret@h" }',
      "g.yaml:1: store.address: must be chdb:DIR or http(s)://HOST:PORT",
    ],
    ["gateway: { address: here }", 'g.yaml:1: gateway.address: must be HOST:PORT, not "here"'],
    [
      "gateway:\n  bypass_authentication: true",
      "g.yaml:2: gateway.bypass_authentication: is for loopback only, not for 0.0.0.0: anyone could act as any user",
    ],
    [
      "gateway:\n  admin_key: short",
      'g.yaml:2: gateway.admin_key: must have at least 16 characters, not "short"',
    ],
    [
      "gateway:\n  admin_key: 0123456789abcdef\n  admin_key_file: /f",
      "g.yaml:3: gateway.admin_key_file: cannot be given beside admin_key",
    ],
    [
      "gateway:\n  gateway_id: a b",
      'g.yaml:2: gateway.gateway_id: must be 1 to 64 letters, digits, dots, hyphens and underscores, not "a b"',
    ],
    [
      "oidc:\n  issuer: https://login.example/\n  operators: [ann]",
      "g.yaml:1: oidc.audiences: must be given with operators",
    ],
    ["oidc:\n  audiences: [a]", "g.yaml:1: oidc.issuer: is missing: tokens are checked against it"],
    [
      "oidc:\n  issuer: login.example",
      'g.yaml:2: oidc.issuer: must be a URL that starts with http:// or https://, not "login.example"',
    ],
    [
      "oidc:\n  issuer: http://login.example/",
      "g.yaml:2: oidc.issuer: must be https:// unless on loopback, or allow_http is true",
    ],
    [
      "oidc:\n  issuer: https://login.example/\n  jwks_uri: http://192.0.2.1/keys",
      "g.yaml:3: oidc.jwks_uri: must be https:// unless on loopback, or allow_http is true",
    ],
    ["limits:\n  probes_per_day: -1", "g.yaml:2: limits.probes_per_day: must be a whole number from 0 to"],
    ["limit: {}", 'g.yaml:1: limit: unknown key; did you mean "limits"?'],
  ])("%s", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test.each(["127.0.0.1:80", "[::1]:80", "localhost:80", "127.1.2.3:80"])("%s is loopback", (address) => {
    const text = `gateway: { address: "${address}", bypass_authentication: true }`;
    expect(read(text).bypassAuthentication).toBe(true);
  });
});

test.each([
  'issuer: "http://127.0.0.1:8095", audiences: [a]',
  'issuer: "http://[::1]/", audiences: [a]',
  'issuer: "http://login.example/", audiences: [a], allow_http: true',
  'issuer: "https://login.example/", audiences: [a]',
])("oidc: %s", (text) => {
  const config = read(`oidc: { ${text} }`);
  expect([config.oidc?.audiences, gatewayWarnings(config)]).toEqual([["a"], []]);
});

test("an issuer without audiences is taken, and warned of", () => {
  const config = read('oidc: { issuer: "https://login.example/" }');
  expect(gatewayWarnings(config)).toEqual([expect.stringContaining("oidc.audiences is empty")]);
});

test.each([
  ["http://gateway.example/", 1],
  ["http://192.0.2.1:8080", 1],
  ["https://gateway.example/", 0],
  ["http://localhost:8080", 0],
  ["http://127.0.0.1:8080", 0],
  ["", 0],
])("a key that goes to %p is warned of %p times", (url, warnings) => {
  expect(openHttpWarnings(url)).toHaveLength(warnings);
});

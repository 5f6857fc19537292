import { expect, test } from "bun:test";
import { readGeneratorConfig } from "./config.ts";

const good = `
gateway: {url: "http://192.0.2.1/service/mappings", key: k}
vpn: {headscale_url: "http://192.0.2.2/api/v1/node", headscale_key: h, issuer: "https://login.example/"}
platform: {asn: 64500}
`;

function read(text: string, environment = {}) {
  return readGeneratorConfig({ name: "generator.yaml", text }, environment);
}

test("a few keys are enough, and addresses may name the whole path, as existing generators have them", () => {
  const config = read(good);
  expect(config.gateway).toEqual({ url: "http://192.0.2.1", key: "k", watch: true });
  expect(config.vpn).toMatchObject({ kind: "headscale", url: "http://192.0.2.2", approveRoutes: false });
  expect([config.intervalMs, config.alertMs, config.staleMs]).toEqual([60_000, 300_000, 21_600_000]);
  expect(config.budget).toEqual({
    ...{ announcements: 10, suspensionMs: 1_800_000 },
    prefixes: { burst: 5, refillMs: 600_000 },
  });
});

test("the environment wins over the file", () => {
  expect(read(good, { VANTAGE_POLICY_GATEWAY__KEY: "other" }).gateway.key).toBe("other");
});

test.each([
  ["", "", 60],
  ["standby_after_sec: 45", "", 90],
  ["standby_after_sec: 61", "sample_sec: 60", 180],
  ["standby_after_sec: 600", "policy_ends_sec: 60", 60],
  ["", "policy_ends_sec: 0", 0],
])("with {%s} and {%s} a policy that nobody renews ends after %d s", (generator, daemon, endsSec) => {
  expect(read(`generator: {${generator}}\ndaemon: {${daemon}}\n${good}`).daemon.policyEndsSec).toBe(endsSec);
});

test.each([
  ["key: k}", "key: k, key_file: /x}", "gateway.key: give either"],
  ["key: k}", "}", "gateway.key: give either"],
  [', issuer: "https://login.example/"', "", "vpn.issuer: is missing"],
  ["headscale_key: h", "nodes_file: /x, headscale_key: h", "vpn.headscale_url: give either"],
  ["headscale_key: h,", "", "vpn.headscale_key: give one of"],
  ["asn: 64500", "asn: 64500, asn_pool_start: 66000", "platform.asn_pool_end: must not be below"],
  ["platform:", "generator: {max_stale_sec: 60}\nplatform:", "generator.max_stale_sec: must be more"],
  ["platform:", "daemon: {policy_ends_sec: 29}\nplatform:", "daemon.policy_ends_sec: must be 0, or three"],
  ["platform:", "generator: {address: here}\nplatform:", "generator.address: must be ADDRESS:PORT"],
])("with %p made %p it is refused: %s", (from, to, said) => {
  expect(() => read(good.replace(from, to))).toThrow(said);
});

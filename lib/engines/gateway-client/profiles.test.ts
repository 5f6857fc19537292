import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseGateway } from "./choose-gateway.ts";
import {
  gatewayAddressOf,
  isProfileName,
  isReadableOnTheWay,
  type Profile,
  profileNameOf,
} from "./profile.ts";
import { Profiles, settingsFolder } from "./profiles.ts";

let parent: string;
let profiles: Profiles;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "vantage-profiles-"));
  profiles = new Profiles(join(parent, "vantage"));
});
afterEach(() => rmSync(parent, { recursive: true }));

function profile(gateway: string, peering_gateway: string | null = null): Profile {
  return {
    gateway,
    peering_gateway,
    issuer: "https://issuer.example",
    client_id: "cli",
    audience: null,
    scopes: ["openid"],
    tokens: { access_token: "a", refresh_token: "r", expires_at: 1 },
  };
}

test("settings lie where the system wants them", () => {
  expect(settingsFolder({ XDG_CONFIG_HOME: "/etc/x" })).toBe("/etc/x/vantage");
  expect(settingsFolder({ XDG_CONFIG_HOME: "relative" })).toEndWith("/.config/vantage");
});

test("a profile is read back, by its user only", () => {
  profiles.write("lab", profile("https://a.example"));
  expect(profiles.read("lab")).toEqual(profile("https://a.example"));
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(mode(join(profiles.folder, "profiles"))).toBe("700");
  expect(mode(join(profiles.folder, "profiles/lab.json"))).toBe("600");
  expect(readdirSync(join(profiles.folder, "profiles"))).toEqual(["lab.json"]);
});

test("there is nothing before the first login", () => {
  expect([profiles.names(), profiles.current(), profiles.read("lab")]).toEqual([[], null, null]);
});

test("a damaged profile is reported with its path", () => {
  profiles.write("lab", profile("https://a.example"));
  writeFileSync(join(profiles.folder, "profiles/lab.json"), '{"gateway": 3}');
  expect(() => profiles.read("lab")).toThrow(`${profiles.folder}/profiles/lab.json is damaged`);
});

test("a lock is for one at a time", async () => {
  const first = await profiles.lock("lab");
  let isSecond = false;
  const second = profiles.lock("lab").then((lock) => {
    isSecond = true;
    return lock;
  });
  (await profiles.lock("other"))[Symbol.dispose]();
  expect(isSecond).toBe(false);
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
});

describe("the gateway that is meant", () => {
  beforeEach(() => {
    profiles.write("a", profile("https://a.example", "https://x.example"));
    profiles.write("b", profile("https://b.example"));
    profiles.write("b-too", profile("https://b.example"));
    profiles.use("b-too");
  });

  test.each([
    [{}, { address: "https://b.example", profile: "b-too" }],
    [{ profile: "a" }, { address: "https://a.example", profile: "a" }],
    [{ address: "https://A.example/" }, { address: "https://a.example", profile: "a" }],
    [{ address: "https://b.example" }, { address: "https://b.example", profile: "b-too" }],
    [
      { address: "https://b.example", profile: "b" },
      { address: "https://b.example", profile: "b" },
    ],
    [{ address: "https://new.example" }, { address: "https://new.example", profile: null }],
    [
      { service: "peering", profile: "a" },
      { address: "https://x.example", profile: "a" },
    ],
    [
      { service: "peering", address: "https://x.example" },
      { address: "https://x.example", profile: "a" },
    ],
  ] as const)("%j", (choice, chosen) => {
    expect(chooseGateway({ service: "probing", address: null, profile: null, ...choice }, profiles)).toEqual(
      chosen,
    );
  });

  test.each([
    [{ profile: "c" }, 'There is no profile "c"; known: a, b, b-too'],
    [
      { address: "https://b.example", profile: "a" },
      'Profile "a" belongs to https://a.example, not to https://b.example: leave one of them out',
    ],
    [
      { address: "b.example" },
      '"b.example" is not an address of a gateway: give one as https://gateway.example',
    ],
    [
      { service: "peering" },
      "No peering gateway is known: give --peering-gateway=URL, or set VANTAGE_PEERING_GATEWAY",
    ],
  ] as const)("%j is refused", (choice, message) => {
    expect(() =>
      chooseGateway({ service: "probing", address: null, profile: null, ...choice }, profiles),
    ).toThrow(message);
  });

  test.each([
    ["probing", "VANTAGE_GATEWAY"],
    ["peering", "VANTAGE_PEERING_GATEWAY"],
  ] as const)("none, for %s: says which variable would do", (service, variable) => {
    const empty = new Profiles(join(parent, "empty"));
    expect(() => chooseGateway({ service, address: null, profile: null }, empty)).toThrow(
      `No gateway is known: log in with \`vantage login --gateway=URL\`, or set ${variable}`,
    );
  });
});

test.each([
  ["https://Gateway.Example:443/", "https://gateway.example"],
  ["http://127.0.0.1:8080/api/", "http://127.0.0.1:8080/api"],
  ["ftp://a.example", null],
  ["https://user:secret@a.example", null],
  ["https://a.example?x", null],
  ["a.example", null],
])("the address of %s is %j", (text, address) => {
  expect(gatewayAddressOf(text)).toBe(address);
});

test.each([
  ["https://gateway.example:8443/x", "gateway.example-8443-x"],
  ["http://[::1]:80", "1"],
])("%s is kept as %s", (address, name) => {
  expect(profileNameOf(address)).toBe(name);
  expect(isProfileName(name)).toBe(true);
});

test.each(["", "../x", ".hidden", "a b", "x".repeat(65)])("%j names no profile", (name) => {
  expect(isProfileName(name)).toBe(false);
});

test("what goes over a wire in plain is known", () => {
  const addresses = ["https://a.example", "http://127.0.0.1:80", "http://[::1]:80", "http://10.0.0.1"];
  expect(addresses.map(isReadableOnTheWay)).toEqual([false, false, false, true]);
});

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Profiles } from "../../../lib/engines/gateway-client/profiles.ts";
import { readBootstrapConfig, readStateFolder } from "./config.ts";

const user = { USER_ASN: "65001" };
const read = (text: string, environment: Record<string, string> = user) =>
  readBootstrapConfig({ name: "bootstrap.yaml", text }, environment);

test("the environment alone is enough", () => {
  const config = read("{}", { ...user, VANTAGE_BOOTSTRAP_PLATFORM__ASN: "64500" });
  expect(config).toMatchObject({
    platformAsn: 64_500,
    user: { asn: 65_001, prefixes: [] },
    rule: { tag: "tag:exchange", hostPrefix: null },
    gateway: null,
  });
});

test("each daemon has its own places, and what is given goes before them", () => {
  const daemonOf = (text: string) => read(`platform: {asn: 64500}\ndaemon: ${text}\n`).daemon;
  expect(daemonOf("{}")).toMatchObject({ kind: "bird", configFile: "/etc/bird/bird.conf" });
  expect(daemonOf("{kind: frr, check_command: /opt/vtysh}")).toEqual({
    kind: "frr",
    configFile: "/etc/frr/frr.conf",
    snippetsFolder: "/etc/frr/snippets",
    controlSocket: "/run/frr",
    checkCommand: "/opt/vtysh",
    reloadCommand: "frr-reload.py",
    log: "stderr",
    feed: "full",
  });
});

test("who asks the service needs neither an ASN nor the platform's", () => {
  const folderOf = (text: string, environment = {}) =>
    readStateFolder({ name: "bootstrap.yaml", text }, environment);
  expect(folderOf("")).toBe("/var/lib/vantage/bootstrap");
  expect(folderOf("platform: {}\nbootstrap: {state_dir: /srv/b}")).toBe("/srv/b");
  expect(folderOf("platform: {asn: 64500}", { VANTAGE_BOOTSTRAP_BOOTSTRAP__STATE_DIR: "/srv/c" })).toBe(
    "/srv/c",
  );
  expect(() => folderOf("bootstrap: {stat_dir: /srv/b}")).toThrow('did you mean "state_dir"?');
});

test("mistakes of the file and of USER_ASN are reported together", () => {
  expect(() => read("platform: {asn: 0}", { USER_ASN: "x" })).toThrow(/USER_ASN[\s\S]*platform\.asn/);
});

test("without a gateway, the ASN and the platform's are needed; with one, it states both", () => {
  expect(() => read("platform: {asn: 64500}", {})).toThrow("environment USER_ASN: is missing");
  expect(() => read("{}")).toThrow("platform.asn: is missing, and no gateway is configured to state it");
  const login = { VANTAGE_BOOTSTRAP_GATEWAY__LOGIN: "https://probing.example.net" };
  expect(read("{}", { ...login, USER_ASN: "", VANTAGE_BOOTSTRAP_PLATFORM__ASN: "" })).toMatchObject({
    ...{ user: { asn: null, prefixes: null }, platformAsn: null, gateway: null },
    loginAt: "https://probing.example.net",
  });
});

test.each([
  ["daemon: {snippets_dir: '/etc/x\"; protocol bgp y {}'}", "must be an absolute path"],
  ["daemon: {snippets_dir: '/etc/*'}", "must be an absolute path"],
  ["daemon: {snippets_dir: snippets}", "must be an absolute path"],
  ["daemon: {snippets_dir: /etc/bird}", "must not lie in snippets_dir"],
  ["vpn: {device: 'a\"; b'}", "must be the name of a network device"],
  ["vpn: {exchange_tag: exchange}", "must be tag: and a word"],
  ["vpn: {exchange_host_prefix: 'ixp*'}", "must be the beginning of a host name"],
  ["gateway: {url: 'https://gateway.example'}", "give both url and token_file"],
  ["gateway: {token_file: /t, profile: lab}", "give profile or token_file, not both"],
  [
    "gateway: {url: 'https://gateway.example', token_file: /none}",
    "gateway.token_file: /none cannot be read",
  ],
  ["gateway: {profile: lab}", 'gateway.profile: there is no login "lab" in '],
  ["gateway: {profile: ../lab}", 'there is no login "../lab" in '],
  ["gateway: {login: 'https://p.example', profile: lab}", "give login alone"],
  ["bootstrap: {address: '8092'}", "must be ADDRESS:PORT"],
])("%s is refused: %s", (text, words) => {
  expect(() => read(`platform: {asn: 64500}\n${text}\n`)).toThrow(words);
});

test("a login that is kept on the machine says where the gateway is, and gives the token that it has now", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-bootstrap-"));
  try {
    const profiles = new Profiles(join(folder, "vantage"));
    const login = (access_token: string) => ({
      ...{ gateway: "https://p.example", peering_gateway: "https://g.example", issuer: "https://i.example" },
      ...{ client_id: "cli", audience: null, scopes: [] },
      tokens: { access_token, refresh_token: null, expires_at: Date.now() / 1000 + 3600 },
    });
    profiles.write("lab", login("first"));
    const environment = { ...user, XDG_CONFIG_HOME: folder };
    const { gateway } = read("platform: {asn: 64500}\ngateway: {profile: lab}\n", environment);
    expect([gateway?.url, await gateway?.tokens.token()]).toEqual(["https://g.example", "first"]);
    profiles.write("lab", login("second"));
    expect(await gateway?.tokens.token()).toBe("second");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a token in a file is read again for each request", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-bootstrap-"));
  try {
    const file = join(folder, "token");
    writeFileSync(file, "first\n");
    const text = `platform: {asn: 64500}\ngateway: {url: "https://g.example", token_file: "${file}"}\n`;
    const tokens = read(text).gateway?.tokens;
    expect([await tokens?.token(), await tokens?.renewed("first")]).toEqual(["first", null]);
    writeFileSync(file, "second\n");
    expect([await tokens?.renewed("first"), await tokens?.token()]).toEqual(["second", "second"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

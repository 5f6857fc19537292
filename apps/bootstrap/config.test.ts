import { expect, test } from "bun:test";
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
  expect(() => read("platform: {asn: 0}", {})).toThrow(/USER_ASN[\s\S]*platform\.asn/);
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
  ["bootstrap: {address: '8092'}", "must be ADDRESS:PORT"],
])("%s is refused: %s", (text, words) => {
  expect(() => read(`platform: {asn: 64500}\n${text}\n`)).toThrow(words);
});

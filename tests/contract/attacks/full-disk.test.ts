/** A disk that is full to the last byte, and who may read what lies on it: both gateways as processes, all embedded. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SmallDisk } from "../broker/small-disk.ts";
import { probeText } from "../probing-gateway/gateway-home.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";

/** The embedded database takes 60 of them. */
const diskMegabytes = 160;

let disk: SmallDisk;
beforeAll(async () => {
  disk = await SmallDisk.mount(diskMegabytes);
});
afterAll(() => disk[Symbol.asyncDispose]());

const sections = {
  "probing-gateway": (folder: string) => [`kafka: { brokers: "embedded:${folder}/broker" }`],
  "peering-gateway": () => [
    'asns: { pool: ["65000-65010"] }',
    'leases: { pool: ["2001:db8::/40"] }',
    'subjects: { keys: ["first:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"] }',
  ],
} as const;

interface Readiness {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
}

describe.each([
  ["probing-gateway", ["broker", "database", "spool"]],
  ["peering-gateway", ["database"]],
] as const)("%s", (command, leansOn) => {
  let gateway: GatewayProcess;
  let folder: string;
  beforeAll(async () => {
    folder = join(disk.folder, command);
    const config = `${folder}.yaml`;
    const common = `gateway: { address: "127.0.0.1:0", state_dir: "${folder}", bypass_authentication: true }`;
    writeFileSync(config, [common, ...sections[command](folder)].join("\n"));
    gateway = await GatewayProcess.start(config, [], command);
  });
  afterAll(() => gateway.kill());

  const ready = async (): Promise<[number, Readiness]> => {
    const response = await fetch(`${gateway.url}ready`);
    return [response.status, (await response.json()) as Readiness];
  };
  const untilReady = async (status: number): Promise<Readiness> => {
    for (;;) {
      const [found, readiness] = await ready();
      if (found === status) {
        return readiness;
      }
      await Bun.sleep(100);
    }
  };

  test("is not ready while its disk is full, and is when there is room again", async () => {
    await untilReady(200);
    await disk.fill();
    const full = await untilReady(503);
    expect(full.checks).toEqual(Object.fromEntries(leansOn.map((name) => [name, "unavailable"])));
    expect((await fetch(`${gateway.url}health`)).status).toBe(200);
    disk.empty();
    const again = await untilReady(200);
    expect(again.checks).toEqual(Object.fromEntries(leansOn.map((name) => [name, "ready"])));
  });

  test("its files are for nobody else on the machine", async () => {
    if (command === "probing-gateway") {
      const headers = { "content-type": "text/csv" };
      const url = `${gateway.url}api/probes?agents=west`;
      await (await fetch(url, { method: "POST", headers, body: probeText(3) })).text();
    }
    const open = [folder, ...below(folder)].filter((path) => (lstatSync(path).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(below(folder).length).toBeGreaterThan(5);
  });
});

/** Without what lies in PGlite's own folder: its files have modes of their own, and nobody gets there. */
function below(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => !name.includes("pgdata/")).map((name) => join(folder, name));
}

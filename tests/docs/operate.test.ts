/** The operator's pages on one machine and on upgrades, as one: what the first sets up, the second looks after. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayProcess } from "../contract/probing-gateway/gateway-process.ts";
import { Internet } from "../lab/internet.ts";
import { internet } from "../lab/topology.ts";
import { startPostgres } from "../postgres/postgres.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { readPage } from "./page-blocks.ts";
import { PageRun } from "./page-run.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-operate-"));
let net: Internet;

beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(async () => {
  await net?.stop();
  rmSync(folder, { recursive: true });
});

/** Why some blocks are not run. */
const notRun = {
  install: "it writes into /usr/local; tests/executable runs the file that npm run build makes",
  systemd:
    "no unit runs on a machine of tests; systemd reads them in apps/operator, tests/operator-day runs what they say",
};

test("one machine is set up, and looked after in an upgrade", async () => {
  const programs = join(folder, "new");
  mkdirSync(programs);
  writeFileSync(join(programs, "vantage"), `#!/bin/sh\nexec ${vantageCommand.join(" ")} "$@"\n`, {
    mode: 0o755,
  });
  const within = (command: readonly string[]) => net.at("east", command);
  const scene = { within, environment: { NEW: programs } };
  const services = { stack: scene, probing: scene, peering: scene, agent: scene };
  const terminals = Object.entries(services).map(([name, one]) => [name, { ...one, folderOf: "here" }]);
  const blocks = ["one-machine", "upgrade"].flatMap((name) => readPage(`docs/operate/${name}.md`));
  await using page = PageRun.of(blocks, {
    scenes: { here: scene, ...Object.fromEntries(terminals) },
    notRun,
  });
  await page.runAll();
});

test("many machines: a role that owns its databases is enough, and the configurations can be used", async () => {
  await using server = await startPostgres();
  const root = server.address("").replace(/\/$/, "");
  const environment = { SERVER: root, HOST: `127.0.0.1:${server.port}` };
  await using page = PageRun.open("docs/operate/many-machines.md", {
    scenes: { here: { environment } },
    notRun: {
      systemd: notRun.systemd,
      clickhouse:
        "no ClickHouse server can be had here; the command is run on the embedded store by tests/contract/store",
    },
  });
  await page.runAll();
  const config = join(page.folder(), "peering-gateway.yaml");
  // The port of the page is free on few machines.
  writeFileSync(config, readFileSync(config, "utf8").replace("127.0.0.1:8094", "127.0.0.1:0"));
  const gateway = await GatewayProcess.start(config, [], "peering-gateway");
  expect((await fetch(`${gateway.url}ready`)).status).toBe(200);
  await gateway.stop();
});

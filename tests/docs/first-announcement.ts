/**
 * The guide for who announces: real gateways, login, BIRD and exchange. Commands that use the tunnel are run where it
 * is, in a user's namespace of the lab, where gateways and issuer are at their addresses. The VPN's own daemon is a
 * stand-in.
 */
import { expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoopbackRelay } from "../../apps/stack/exchange/loopback-relay.ts";
import { exchangeDevice, Tailscaled } from "../contract/bootstrap/tailscaled.ts";
import { subjectKey } from "../contract/peering-gateway/peering-home.ts";
import { GatewayProcess } from "../contract/probing-gateway/gateway-process.ts";
import { sampleUser } from "../exchange/samples.ts";
import { gatewayKey } from "../exchange/sources-server.ts";
import { until } from "../exchange/until.ts";
import { approveDevice } from "../issuer/device-login.ts";
import { startTestIssuer } from "../issuer/issuer.ts";
import { ExchangeLab } from "../lab/exchange/exchange-lab.ts";
import * as plan from "../lab/exchange/plan.ts";
import { startRelay } from "../lab/exchange/relay.ts";
import { run } from "../lab/namespaces.ts";
import { sharedPostgres } from "../postgres/shared-postgres.ts";
import { PageRun } from "./page-run.ts";

const prefix = "2001:db8:20ab::/48";
const [name, node] = ["anna", "rogue"];

/** Rejects when a command fails, does not print what the page shows, or does not come true at the exchange. */
export async function firstAnnouncement(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "vantage-announcement-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const { probing, peering, issuer } = await startGateways(stack, folder);
  const lab = stack.use(await ExchangeLab.start({ users: [user], gatewayUrl: peering }));
  const namespace = `/run/netns/${lab.net.namespaceOf(node)}`;
  stack.use(await LoopbackRelay.open([probing, peering, issuer], namespace));
  const tailscaled = stack.use(new Tailscaled(join(folder, "tailscaled.sock"), [exchangeDevice(1)]));
  tailscaled.self = { HostName: name, TailscaleIPs: [plan.rogueAddress, "fd7a:115c:a1e0::42"] };
  const status = { node: "exchange", address: plan.exchangeMember.v4, port: 8091 };
  stack.use(startRelay(lab, { ...status, answer: (_path, from) => lab.status(from) }));
  const page = PageRun.open("docs/start/first-announcement.md", {
    scenes: {
      here: { environment: { GATEWAY: probing, TAILSCALED: tailscaled.socket } },
      tunnel: { within: (command) => lab.net.at(node, command), folderOf: "here" },
    },
    holds: ["guest"],
    answers: [{ when: /or open +(\S+)/, act: ([, url = ""]) => approveDevice(url, name) }],
    notRun: {
      vpn: "npm run lab:vpn does it with a real Headscale and Tailscale, which take minutes to build",
    },
  });
  stack.use(page);
  await play(page, lab);
}

async function play(page: PageRun, lab: ExchangeLab): Promise<void> {
  const heard = () => lab.birds.upstream.routes(`where net = ${prefix}`);
  await page.run("Look");
  expect(await heard()).toHaveLength(1);
  await until("the VPN's route", async () => (await lab.net.carried(node)).includes(prefix));
  const ping = ["ping", "-c", "1", "-W", "1", prefix.replace("/48", "1")];
  await until("an answer from the prefix's first address", () => run(lab.net.at("upstream", ping)));
  await page.run("Something is wrong?");
  expect(await heard()).toHaveLength(1);
  await page.runAll();
  await until("no route", async () => (await heard()).length === 0);
}

/** Leases are the gateway's; here they say which routes the user's device offers. */
const user = sampleUser(66, {
  subject: name,
  leases: [{ prefix, end_time: "2035-01-01T00:00:00Z" }],
});

/** On one issuer and one PostgreSQL. Resolves to their addresses. */
async function startGateways(
  stack: AsyncDisposableStack,
  folder: string,
): Promise<{ probing: string; peering: string; issuer: string }> {
  const [postgres, issuer] = await Promise.all([sharedPostgres(), startTestIssuer()]);
  stack.use(postgres);
  stack.use(issuer);
  const start = async (kind: "probing" | "peering", sections: object) => {
    const file = join(folder, `${kind}-gateway.yaml`);
    const common = {
      gateway: { address: "127.0.0.1:0", state_dir: join(folder, kind) },
      database: { address: await postgres.createDatabase() },
      oidc: { issuer: issuer.url, audiences: [issuer.audience] },
    };
    writeFileSync(file, JSON.stringify({ ...common, ...sections }));
    const gateway = await GatewayProcess.start(file, [], `${kind}-gateway`);
    stack.defer(async () => void (await gateway.stop()));
    return gateway.url.replace(/\/$/, "");
  };
  const peering = await start("peering", {
    leases: { pool: [prefix] },
    subjects: { keys: [subjectKey] },
    service: { keys: [{ name: "lab", key: gatewayKey }] },
  });
  const address = "127.0.0.1:0";
  const gateway = { address, state_dir: join(folder, "probing"), peering_gateway: peering };
  return { peering, issuer: issuer.url, probing: await start("probing", { gateway }) };
}

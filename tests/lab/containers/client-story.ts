/** A user's part, by containers alone: from an empty folder to packets that arrive at an address of the leased /48. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StatusBody } from "../../../apps/peering/bootstrap/status/bodies.ts";
import { readPage } from "../../docs/page-blocks.ts";
import { until } from "../../exchange/until.ts";
import { LabError } from "../namespaces.ts";
import type { Place } from "./place.ts";
import { copyAuthority, logIn } from "./platform-story.ts";
import type { Table } from "./table.ts";

const startMsMax = 120_000;

export interface Client {
  readonly name: "user" | "second";
  readonly prefix: string;
  /** The client has it; it is in the prefix. */
  readonly address: string;
}

export async function status(place: Place, name: "user" | "second"): Promise<StatusBody> {
  const said = await place.at(name, ["curl", "-sS", "--max-time", "4", "http://127.0.0.1:8092/status.json"]);
  return JSON.parse(said) as StatusBody;
}

/** `waitMinutes`: how long the user lets the logins wait. */
export async function playClient(place: Place, table: Table, waitMinutes: number): Promise<Client> {
  const name = "user";
  copyAuthority(place, name);
  writeOverride(place, name);
  await using page = place.page(name, "A client");
  const startedMs = performance.now();
  const since = () => ((performance.now() - startedMs) / 1000).toFixed(1);
  await table.step("user: up, by the page", () => page.runNext());
  const links = await table.step("user: the page has both links", () => bothLinks(place, name));
  table.figure(`user: both links ${since()} s after \`up\``);
  await table.step(`user: waits ${waitMinutes} min, then logs in at the platform`, async () => {
    await Bun.sleep(waitMinutes * 60_000);
    await logIn(place, name, links.login);
  });
  const secondMs = performance.now();
  await table.step("user: logs in to the VPN", () => logIn(place, name, links.vpn));
  await table.step("user: session Established", () =>
    until("the session", async () => (await status(place, name)).exchanges.some(({ is_up: isUp }) => isUp)),
  );
  const afterLogin = ((performance.now() - secondMs) / 1000).toFixed(1);
  const waited = `${waitMinutes * 60} s of them waiting`;
  table.figure(
    `user: Established ${since()} s after \`up\`, ${waited}; ${afterLogin} s after the VPN login began`,
  );
  await table.step("user: what the page shows is in the command too, and a lease", () => page.runAll());
  const leasedMs = performance.now();
  const prefix = await table.step("user: the lease is announced", () => announced(place, name));
  table.figure(
    `user: ${prefix} announced ${((performance.now() - leasedMs) / 1000).toFixed(1)} s after its lease`,
  );
  await table.step("user: the upstream has the route", () =>
    until("the route at the upstream", () => place.upstream.hears(prefix)),
  );
  await table.tryStep("user: a login at the wrong gateway is answered with the right command", async () => {
    const command = "docker compose exec -T bootstrap vantage login --gateway=https://peering.example.net";
    const said = await place.at(name, `COMPOSE_FILE=${composeFiles} ${command} 2>&1 || true`);
    const right =
      "vantage login --gateway=https://probing.example.net --peering-gateway=https://peering.example.net";
    if (!said.trim().endsWith(right)) {
      throw new LabError(said);
    }
  });
  const address = `${prefix.replace(/::\/48$/, "")}::1`;
  await table.step("user: an address of the /48 answers the upstream", async () => {
    appendFileSync(join(place.home(name), ".env"), `CLIENT_ADDRESSES=${address}\n`);
    await place.at(name, `COMPOSE_FILE=${composeFiles} docker compose up --detach`);
    await until(`an answer of ${address}`, () => place.isReached(address));
  });
  return { name, prefix, address };
}

export const composeFiles = "compose.client.yaml:compose.override.yaml";

/** The page's, which stands there for clients. */
export function writeOverride(place: Place, name: "user" | "second"): void {
  const block = readPage("docs/operate/compose.md").find(
    ({ language, text }) => language === "yaml" && /^ {2}vpn: \*trust/m.test(text),
  );
  if (block === undefined) {
    throw new LabError("docs/operate/compose.md has no override for clients");
  }
  writeFileSync(join(place.home(name), "compose.override.yaml"), `${block.text}\n`);
}

export function bothLinks(place: Place, name: "user" | "second"): Promise<{ login: string; vpn: string }> {
  return until(
    "both links",
    async () => {
      const { steps } = await status(place, name);
      const link = (text: string) => steps.find((step) => step.text === text)?.url ?? null;
      const [login, vpn] = [link("Log in to the platform"), link("Log in to the VPN")];
      return login !== null && vpn !== null && { login, vpn };
    },
    startMsMax,
  );
}

export function announced(place: Place, name: "user" | "second"): Promise<string> {
  return until("an announced prefix", async () => {
    const { prefixes } = await status(place, name);
    return prefixes.find(({ exchanges }) => exchanges.some(({ verdict }) => verdict === "announced"))?.prefix;
  });
}

/** A `vantage` command with the login of the client's container. */
export function inClient(place: Place, words: readonly string[]): Promise<string> {
  const compose = `env COMPOSE_FILE=${composeFiles} docker compose exec -T bootstrap vantage`;
  return place.at("user", `timeout 120 ${compose} ${words.join(" ")}`);
}

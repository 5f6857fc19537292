/** Two real gateways for `vantage admin`, with `olga` as their operator; imported before the tests of a file. */
import { afterAll, beforeAll, expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { configText } from "../peering-gateway/peering-home.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";
import { CliPlace, type PlacedAgent } from "./cli-place.ts";
export let place: CliPlace;
export let west: PlacedAgent;
let peering: GatewayProcess;
const owned = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), "vantage-cli-admin-"));

export const line = "203.0.113.9,24000,33434,7,UDP\n";
export const hashOf = (subject: string) => identityOf(subject).userHash;
export const olga = `operator:${hashOf("olga")}`;

/** As after a login that knows both gateways. */
export const logIn = (user: string) => place.logIn(user, {}, peering.url.replace(/\/$/, ""));

beforeAll(async () => {
  place = owned.use(await CliPlace.start({ oidc: { operators: ["olga"] } }));
  west = await place.addAgent("west");
  const postgres = owned.use(await sharedPostgres());
  const config = join(folder, "peering.yaml");
  const { url, audience } = place.issuer;
  const yaml = `oidc: { issuer: "${url}", audiences: ["${audience}"], operators: [olga] }`;
  writeFileSync(config, configText({ yaml }, folder, await postgres.createDatabase()));
  peering = await GatewayProcess.start(config, [], "peering-gateway");
  for (const user of ["olga", "ann", "bob"]) {
    await logIn(user);
  }
  await place.run("ann", ["peering", "prefix", "request", "4"]);
  await place.run("ann", ["send", "-a", "west"], { input: line });
});
afterAll(async () => {
  await peering?.stop();
  await owned.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

export const admin = (...args: string[]) => place.run("olga", ["admin", ...args]);
/** What it printed as JSON; it must have nothing to complain about. */
export async function json(...args: string[]) {
  const { exitCode, stdout, stderr } = await admin(...args, "-o", "json");
  expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: [] });
  return JSON.parse(stdout);
}

/** The real peering gateway at the core, on its embedded database; and the user's words to it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { audienceDefault } from "../../../apps/stack/issuer/issuer.ts";
import { until } from "../../exchange/until.ts";
import { run } from "../namespaces.ts";
import { serviceKey } from "./exchange-server.ts";
import { type VpnLab, vantage } from "./place.ts";
import * as plan from "./plan.ts";

export async function startPeeringGateway(place: VpnLab, issuerUrl: string): Promise<void> {
  const subjectKey = (await run([...vantage, "peering-gateway", "--make-key"])).trim();
  const file = join(place.folder, "gateway.yaml");
  writeFileSync(
    file,
    `gateway: {address: "${plan.underlay.core}:${plan.gatewayPort}", state_dir: ${place.folder}/gateway}
oidc: {issuer: "${issuerUrl}", audiences: ["${audienceDefault}"]}
leases: {pool: ["${plan.leasePool}"]}
subjects: {keys: ["${subjectKey}"]}
service: {keys: [{name: ixp, key: ${serviceKey}}]}
`,
  );
  const command = [...vantage, "peering-gateway", "-c", file];
  place.transcript.started("core", command);
  const daemon = place.daemon("gateway", "core", command);
  await until("the peering gateway", () => {
    daemon.mustRun();
    return daemon.said().includes('"url"');
  });
}

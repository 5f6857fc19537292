/** The file of the policy, which BIRD's configuration includes: checked within a small test configuration. */
import {
  BirdConfigurationFile,
  type BirdConfigurationFileOptions,
} from "../../../lib/bird/configuration-file.ts";

export type PolicyFileOptions = Pick<
  BirdConfigurationFileOptions,
  "path" | "controlSocket" | "checkCommand" | "writer"
>;

export class PolicyFile extends BirdConfigurationFile {
  constructor(options: PolicyFileOptions) {
    super({ ...options, versionName: "peering_policy_version", around: aroundPolicy });
  }
}

function aroundPolicy(path: string): string {
  return [
    "router id 192.0.2.1;",
    "protocol device {}",
    `include "${path}";`,
    "filter one_user { if (bgp_next_hop != tunnel_ipv6(from)) then reject; enforce_user_policy(from); }",
    "",
  ].join("\n");
}

/** The services of ours that a machine can run, and what each needs of it beyond what all need. */

export interface Service {
  readonly name: string;
  readonly purpose: string;
  /** Behind the executable; `{config}` and `{state}` stand for the configuration file and the state folder. */
  readonly command: string;
  readonly hasConfig: boolean;
  /** Names without `CAP_`; only these are in its reach, and it has them from the start. */
  readonly capabilities: readonly string[];
  readonly addressFamilies: readonly string[];
  /** Takes SIGHUP as "read your lists again". */
  readonly reloads: boolean;
  /** Further lines of `[Unit]` and `[Service]`, each with its reason. */
  readonly unit: readonly string[];
  readonly service: readonly string[];
  /** Another service's group that it belongs to; its files are that group's. */
  readonly group: string | null;
}

const internet = ["AF_UNIX", "AF_INET", "AF_INET6"];
const plain = {
  hasConfig: true,
  capabilities: [],
  addressFamilies: internet,
  reloads: false,
  unit: [],
  service: [],
  group: null,
} as const;

export const services: readonly Service[] = [
  {
    ...plain,
    name: "agent",
    purpose: "Vantage agent: probes out, answers back",
    command: "agent --config {config}",
    capabilities: ["NET_RAW"],
    // Frames in and out; routes, neighbours and interfaces of the kernel.
    addressFamilies: [...internet, "AF_NETLINK", "AF_PACKET", "AF_XDP"],
    reloads: true,
    service: [
      "# Its folder would carry the agent's id, which the unit does not know.",
      "Environment=VANTAGE_AGENT__STATE_DIR={state}",
      "# Memory that AF_XDP shares with the kernel.",
      "LimitMEMLOCK=64M",
    ],
  },
  {
    ...plain,
    name: "probing-gateway",
    purpose: "Vantage probing gateway: measurements from users, over HTTP",
    command: "probing-gateway --config {config}",
    reloads: true,
  },
  {
    ...plain,
    name: "peering-gateway",
    purpose: "Vantage peering gateway: ASNs and leases, over HTTP",
    command: "peering-gateway --config {config}",
  },
  {
    ...plain,
    name: "policy-generator",
    purpose: "Vantage policy generator: leases to routing policy",
    command: "policy-generator --config {config}",
    unit: ["After=bird.service"],
    service: [
      "# The policy that BIRD includes: written beside it, then renamed, so the folder is written to.",
      "ReadWritePaths=/etc/bird",
    ],
    // BIRD's control socket is for its group, and BIRD reads the policy as that group.
    group: "bird",
  },
  {
    ...plain,
    name: "stack",
    purpose: "Vantage stack: broker, store and gateway of one machine",
    command: "stack --dir {state}",
    hasConfig: false,
    // chDB lists the interfaces of the machine.
    addressFamilies: [...internet, "AF_NETLINK"],
  },
];

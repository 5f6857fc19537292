/** Our services that a machine can run, and each one's special needs. */

export interface Service {
  readonly name: string;
  readonly purpose: string;
  /** Arguments of the executable; `{config}` and `{state}` stand for the configuration file and the state folder. */
  readonly command: string;
  /** Kind and file extension of its configuration: YAML, or environment variables for systemd. */
  readonly config: "yaml" | "env" | null;
  /** Names without `CAP_`: both its ambient and its bounding set. */
  readonly capabilities: readonly string[];
  readonly addressFamilies: readonly string[];
  /** Reloads its lists on SIGHUP. */
  readonly reloads: boolean;
  /** Further lines of `[Unit]` and `[Service]`, each with its reason. */
  readonly unit: readonly string[];
  readonly service: readonly string[];
  /** Another service's group that it belongs to; its files are that group's. */
  readonly group: string | null;
  /** Another service of this machine whose user, state folder and configuration it shares; null = its own. */
  readonly as: string | null;
}

const internet = ["AF_UNIX", "AF_INET", "AF_INET6"];
const plain = {
  config: "yaml",
  capabilities: [],
  addressFamilies: internet,
  reloads: false,
  unit: [],
  service: [],
  group: null,
  as: null,
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
      "# Its folder's name would contain the agent's id, which the unit does not have.",
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
    name: "policy-standby",
    purpose: "Vantage policy generator, standing by: ends leases while the other one is silent",
    command: "policy-generator --config {config} --standby",
    unit: ["After=bird.service"],
    service: ["# As the policy generator.", "ReadWritePaths=/etc/bird"],
    group: "bird",
    as: "policy-generator",
  },
  {
    ...plain,
    name: "collector",
    purpose: "Vantage collector: routes from routers, by BMP and in files of MRT",
    command: "collector --config {config}",
    unit: ["After=bird.service"],
  },
  {
    ...plain,
    name: "stack",
    purpose: "Vantage stack: broker, column store and ingester of one machine",
    // With gateways it brings an issuer that lets anyone log in as anyone, which is for development.
    command: "stack --dir {state} --no-gateway",
    config: null,
    // chDB lists the interfaces of the machine.
    addressFamilies: [...internet, "AF_NETLINK"],
  },
  {
    ...plain,
    name: "ingester",
    purpose: "Vantage ingester: submitted probes, and replies, from broker to column store",
    // Filled in by systemd: see systemd.service(5), "command lines".
    command: "stack ingest --broker $BROKER --store $STORE --dir {state} $OPTIONS",
    config: "env",
    service: [
      "# BROKER=kafka:HOST:PORT, STORE=@FILE with https://USER:PASSWORD@HOST:PORT, logins at Kafka as variables;",
      "# OPTIONS=--listen=ADDRESS:PORT for health and metrics.",
      "EnvironmentFile={config}",
    ],
  },
  {
    ...plain,
    name: "bootstrap",
    purpose: "Vantage bootstrap: a user's side of the exchange",
    command: "bootstrap run --config {config}",
    unit: ["After=bird.service tailscaled.service"],
    service: [
      "# USER_ASN and USER_PREFIXES; bootstrap itself reports what is missing.",
      "EnvironmentFile=-/etc/vantage/bootstrap.env",
      "# BIRD's configuration: written beside it, then renamed, so the folder is written to.",
      "ReadWritePaths=/etc/bird",
    ],
    group: "bird",
  },
];

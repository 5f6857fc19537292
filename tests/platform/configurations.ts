/** The files that an operator writes for this platform, and the keys in them. */
import type { KafkaAccount } from "../../lib/engines/broker/broker-options.ts";
import { userHashOf } from "../../lib/peering/policy/subject.ts";
import * as plan from "../lab/exchange/plan.ts";

export const adminKey = "the-admin-key-of-the-platform-0001";
export const serviceKey = "the-service-key-of-the-generator-01";
/** What the user's name becomes at the development issuer. */
export const user = "alice";
export const leased = "2001:db8:2001::/48";
/** The pool's first, as nobody was there before. */
export const userAsn = 65_000;
/** The user's device in the VPN. */
export const [, , , userDevice = plan.exchangeMember] = plan.userMembers;

export interface Issuer {
  readonly url: string;
  readonly audience: string;
}

export interface BrokerAddress {
  /** HOST:PORT */
  readonly server: string;
  readonly authority: string;
}

/** As docs/operate/encrypted-links.md has it. */
export function kafkaSection(
  { server, authority }: BrokerAddress,
  { user, password, mechanism }: KafkaAccount,
) {
  return {
    brokers: server,
    auth_protocol: "SASL_SSL",
    auth_tls_ca_file: authority,
    auth_sasl_mechanism: mechanism,
    auth_sasl_username: user,
    auth_sasl_password: password,
  };
}

export interface GatewayAddress {
  readonly folder: string;
  /** `postgres://…` */
  readonly database: string;
  readonly issuer: Issuer;
}

export function peeringGateway({ folder, database, issuer }: GatewayAddress, subjectKey: string) {
  return {
    gateway: { address: "127.0.0.1:0", state_dir: folder, admin_key: adminKey },
    database: { address: database },
    oidc: { issuer: issuer.url, audiences: [issuer.audience] },
    leases: { pool: [leased] },
    subjects: { keys: [subjectKey] },
    service: { keys: [{ name: "generator", key: serviceKey }] },
  };
}

export function probingGateway(
  { folder, database, issuer }: GatewayAddress,
  parts: object,
  peeringUrl: string,
) {
  return {
    gateway: { address: "127.0.0.1:0", state_dir: folder, admin_key: adminKey, peering_gateway: peeringUrl },
    database: { address: database },
    oidc: { issuer: issuer.url, audiences: [issuer.audience] },
    // Everything in the lab has addresses for documentation.
    safety: { block_reserved_ranges: false },
    ...parts,
  };
}

export function agent(folder: string, gateway: object, kafka: object) {
  return {
    agent: { id: "west", state_dir: folder, metrics_address: "127.0.0.1:8080", block_reserved_ranges: false },
    gateway,
    prober: [{ name: "main", interface: "near", probing_rate: 1000 }],
    kafka,
  };
}

/** Devices of the VPN, kept by hand. */
export const nodesFile = `${userHashOf(user)} ${userDevice.v4} ${userDevice.v6}  # ${user}\n`;

export function policyGenerator(
  folder: string,
  gatewayUrl: string,
  policyFile: string,
  controlSocket: string,
) {
  return {
    generator: { state_dir: folder, address: "127.0.0.1:0" },
    gateway: { url: gatewayUrl, key: serviceKey },
    vpn: { nodes_file: `${folder}/nodes` },
    platform: { asn: plan.platformAsn },
    daemon: {
      policy_file: policyFile,
      control_socket: controlSocket,
      check_command: "/usr/sbin/bird",
      sample_sec: 1,
    },
  };
}

/** Documentation ranges stand for the Internet here, so they are not bogons. */
export function exchange(policyFile: string) {
  return {
    exchange: {
      asn: plan.platformAsn,
      router_id: "192.0.2.1",
      tunnel_address: plan.exchangeMember.v4,
      policy_file: policyFile,
      log: "stderr",
    },
    platform: { prefixes: [plan.platformAggregate], infrastructure_prefix: plan.infrastructurePrefix },
    // Nobody is there: nothing is known of any route, so none is invalid.
    rpki: { host: "127.0.0.1", port: 8282 },
    neighbors: [
      {
        name: "transit",
        role: "upstream",
        asn: plan.upstreamAsn,
        address: plan.upstreamLink.other,
        local_address: plan.upstreamLink.exchange,
      },
    ],
    outside: { bogon_prefixes: ["fc00::/7"], bogon_asns: ["0"] },
  };
}

/** The upstream's BIRD only listens. */
export const upstreamConfiguration = `log stderr all;
router id 192.0.2.2;
protocol device {}
protocol bgp exchange {
  local ${plan.upstreamLink.other} as ${plan.upstreamAsn};
  neighbor ${plan.upstreamLink.exchange} as ${plan.platformAsn};
  connect delay time 1; connect retry time 1;
  ipv6 { import all; export none; };
}
`;

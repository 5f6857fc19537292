/** What a gateway and a coordination server answer, in small: for tests of the policy and of its generator. */
import { userHashOf } from "../../lib/peering/policy/subject.ts";
import { recorded } from "../vectors/headscale/recorded.ts";

export const issuer = "https://login.example/";
export const asnPool = { start: 65_000, end: 65_999 };

export interface SampleUser {
  readonly subject: string;
  readonly asn: number;
  readonly email: string | null;
  readonly mayPoison?: boolean;
  readonly mayBlackhole?: boolean;
  /** The gateway says that an operator has. */
  readonly isSuspended?: boolean;
  readonly isStopped?: boolean;
  readonly leases: readonly { readonly prefix: string; readonly end_time: string }[];
  /** In the VPN, a device each. */
  readonly devices: readonly (readonly string[])[];
}

/** User `n` (0–65535) with one lease until `end`, and one device. */
export function sampleUser(n: number, parts: Partial<SampleUser> = {}): SampleUser {
  const hex = n.toString(16);
  return {
    subject: `auth0|user-${n}`,
    asn: asnPool.start + n,
    email: `user-${n}@example.org`,
    leases: [{ prefix: `2001:db8:${hex}::/48`, end_time: "2030-01-01T00:00:00+00:00" }],
    devices: [[`100.64.${n >> 8}.${n & 255}`, `fd7a:115c:a1e0::${hex}`]],
    ...parts,
  };
}

export function hashOf(user: SampleUser): string {
  return userHashOf(user.subject);
}

/** As `GET /service/mappings`. */
export function mappingsAnswer(users: readonly SampleUser[]) {
  return {
    mappings: users.map((user) => ({
      user_hash: hashOf(user),
      user_id: hashOf(user),
      email: user.email,
      asn: user.asn,
      prefixes: user.leases.map(({ prefix }) => prefix),
      leases: user.leases,
      suspended: user.isSuspended ?? false,
      announcements_stopped: user.isStopped ?? false,
      may_poison: user.mayPoison ?? false,
      may_blackhole: user.mayBlackhole ?? false,
    })),
  };
}

/** As `GET /api/v1/node`: each device like the recorded one of a user, but for what is said here. */
export function nodesAnswer(users: readonly SampleUser[]) {
  const devices = users.flatMap((user) => user.devices.map((addresses) => ({ user, addresses })));
  return {
    nodes: devices.map(({ user, addresses }, index) => ({
      ...recorded.user,
      id: String(index + 1),
      ipAddresses: addresses,
      name: `device-${index + 1}`,
      user: {
        ...recorded.user?.user,
        id: String(index + 1),
        name: user.subject,
        email: user.email ?? "",
        providerId: `${issuer}${encodeURIComponent(user.subject)}`,
      },
      approvedRoutes: [],
      availableRoutes: user.leases.map(({ prefix }) => prefix),
    })),
  };
}

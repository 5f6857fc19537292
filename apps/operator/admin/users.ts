/** `vantage admin users`: finds users of both gateways, limits, suspends and resumes them. */
import type * as v from "valibot";
import { peeringUserAnswer } from "../../../lib/base/api/peering-admin.ts";
import { probingUserAnswer } from "../../../lib/base/api/probing-admin.ts";
import { defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { cannot, wrongUsage } from "../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../lib/command/command/gateway/session.ts";
import { kindOf, unfit } from "../../../lib/command/command/kinds.ts";
import { leaseHoursMax, leasesPerUserMax } from "../../../lib/peering/lease/limits.ts";
import { AdminApi, noneOn } from "./admin-api.ts";
import { limitOption, reasonOption, userArgument } from "./arguments.ts";
import { type Both, bothCommand } from "./both-command.ts";
import { eraseCommand } from "./erase.ts";
import { exportCommand } from "./export.ts";
import { type ShownUser, userColumns } from "./user-rows.ts";
import { hashOf } from "./who.ts";

type Service = keyof Both;
const schemas = { probing: probingUserAnswer, peering: peeringUserAnswer } as const;

/** The user at each gateway that has it. Rejects with CommandError where none does. */
async function atEach(
  both: Both,
  given: string,
  ask: (api: AdminApi, service: Service, hash: string) => Promise<v.InferOutput<(typeof schemas)[Service]>>,
): Promise<ShownUser[]> {
  const rows: ShownUser[] = [];
  const hash = await hashOf(both, given);
  for (const service of ["probing", "peering"] as const) {
    const api = both[service];
    const user = api === null ? null : await noneOn("unknown_user", ask(api, service, hash));
    if (user !== null) {
      rows.push({ ...user, service });
    }
  }
  if (rows.length === 0) {
    throw cannot(`No such user: ${given}. Users appear after their first request`);
  }
  return rows;
}

function shown(session: GatewaySession, rows: readonly ShownUser[]): ExitCode {
  session.printRows(userColumns, rows);
  return exitCodes.ok;
}

const list = bothCommand({
  options: {
    suspended: { flag: true, meaning: "only suspended users; --no-suspended: only others" },
  },
  arguments: {
    start: {
      kind: kindOf("HASH", "any", (given) =>
        /^[\da-f]{1,64}$/.test(given) ? given : unfit("is not the start of a hash"),
      ),
      meaning: "only users whose hash starts with it",
    },
  },
  examples: ["vantage admin users list", "vantage admin users list --suspended -o json"],
  act: async (session, both, { start, suspended }) => {
    const output = session.output(userColumns);
    const query = { hash: start ?? undefined, suspended: suspended === null ? undefined : String(suspended) };
    for (const service of ["probing", "peering"] as const) {
      const rows = both[service]?.list("/users", schemas[service], { query, idOf: (user) => user.user_hash });
      for await (const user of rows ?? []) {
        output.add({ ...user, service });
      }
    }
    output.finish();
    return exitCodes.ok;
  },
});

const show = bothCommand({
  options: {},
  arguments: { user: userArgument },
  examples: ["vantage admin users show 'auth0|68a1'"],
  act: async (session, both, { user }) =>
    shown(
      session,
      await atEach(both, user, (api, service, hash) => api.read(`/users/${hash}`, schemas[service])),
    ),
});

const limit = bothCommand({
  about: "Values that are not given stay unchanged.",
  options: {
    probesPerDay: limitOption("probes x agents of a UTC day", 0, 2 ** 50),
    probesPerSec: limitOption("pace of submissions, in probes a second", 1, 2 ** 31 - 1),
    recordPackets: { flag: true, meaning: "let agents record packets of the user's measurements on request" },
    poison: {
      flag: true,
      meaning: "the user may put others' ASNs into paths (docs/announce/announcements.md)",
    },
    blackhole: {
      flag: true,
      meaning: "the user may have packets to single addresses discarded (docs/announce/announcements.md)",
    },
    leases: limitOption("leases at one time", 0, leasesPerUserMax),
    leaseHours: limitOption("longest lease", 1, leaseHoursMax),
  },
  arguments: { user: userArgument },
  examples: [
    "vantage admin users limit 'auth0|68a1' --probes-per-day 1000000",
    "vantage admin users limit 'auth0|68a1' --record-packets",
    "vantage admin users limit 'auth0|68a1' --no-poison",
    "vantage admin users limit 'auth0|68a1' --leases 3 --lease-hours default",
  ],
  act: async (session, both, given) => {
    const changes = {
      probing: changesOf({
        probes_per_day_max: given.probesPerDay,
        rate_probes_per_sec_max: given.probesPerSec,
        may_record_packets: given.recordPackets === null ? null : { limit: given.recordPackets },
      }),
      peering: changesOf({
        leases_max: given.leases,
        lease_hours_max: given.leaseHours,
        may_poison: given.poison === null ? null : { limit: given.poison },
        may_blackhole: given.blackhole === null ? null : { limit: given.blackhole },
      }),
    };
    const services = (["probing", "peering"] as const).filter((one) => Object.keys(changes[one]).length > 0);
    if (services.length === 0) {
      throw wrongUsage(
        "no limit is given: --probes-per-day, --probes-per-sec, --record-packets, --poison, --blackhole, --leases or " +
          "--lease-hours",
      );
    }
    const meant = {
      probing: services.includes("probing") ? both.probing : null,
      peering: services.includes("peering") ? both.peering : null,
    };
    const { user } = given;
    const change = (api: AdminApi, service: Service, hash: string) =>
      api.send("PATCH", `/users/${hash}`, schemas[service], changes[service]);
    return shown(session, await atEach(meant, user, change));
  },
});

function changesOf(limits: Readonly<Record<string, { readonly limit: number | boolean | null } | null>>) {
  return Object.fromEntries(
    Object.entries(limits).flatMap(([name, value]) => (value === null ? [] : [[name, value.limit]])),
  );
}

const suspend = bothCommand({
  about: "No new measurements, no new leases; the user's prefixes leave the routing policy at once.",
  options: reasonOption,
  arguments: { user: userArgument },
  examples: ["vantage admin users suspend 'auth0|68a1' --reason 'scans a hospital'"],
  act: async (session, both, { user, reason }) =>
    shown(
      session,
      await atEach(both, user, (api, service, hash) =>
        api.send("POST", `/users/${hash}/suspend`, schemas[service], { reason }),
      ),
    ),
});

const resume = bothCommand({
  options: {},
  arguments: { user: userArgument },
  examples: ["vantage admin users resume 'auth0|68a1'"],
  act: async (session, both, { user }) =>
    shown(
      session,
      await atEach(both, user, (api, service, hash) =>
        api.send("POST", `/users/${hash}/resume`, schemas[service]),
      ),
    ),
});

const releaseAsn = gatewayCommand({
  service: "peering",
  about: "A user keeps an AS number until an operator takes it back; live leases must have ended.",
  options: {},
  arguments: { user: userArgument },
  examples: ["vantage admin users release-asn 'auth0|68a1'"],
  act: async (session, { user }) => {
    const api = await AdminApi.open(session);
    const hash = await hashOf({ probing: null, peering: api }, user);
    const released = await api.send("DELETE", `/users/${hash}/asn`, peeringUserAnswer);
    return shown(session, [{ ...released, service: "peering" }]);
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("list", "list users of both gateways", list),
    subcommand("show", "show a user, with limits and use", show),
    subcommand("limit", "change the limits of a user", limit),
    subcommand("suspend", "suspend a user, with a reason that the user sees", suspend),
    subcommand("resume", "end the suspension of a user", resume),
    subcommand("export", "write all that is kept about a user, as JSON", exportCommand),
    subcommand("erase", "erase a user from both gateways and the column store", eraseCommand),
    subcommand("release-asn", "take a user's AS number back", releaseAsn),
  ],
  examples: ["vantage admin users show 'auth0|68a1'"],
});

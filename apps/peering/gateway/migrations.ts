/** The schema of the peering gateway: the numbered files of sql/postgres/peering, oldest first. */
import { schemaOf } from "../../../lib/engines/store/postgres/migrate.ts";
import users from "../../../sql/postgres/peering/001-users.sql" with { type: "text" };
import pool from "../../../sql/postgres/peering/002-pool.sql" with { type: "text" };
import leases from "../../../sql/postgres/peering/003-leases.sql" with { type: "text" };
import operations from "../../../sql/postgres/peering/004-operations.sql" with { type: "text" };
import serviceKeys from "../../../sql/postgres/peering/005-service-keys.sql" with { type: "text" };
import erasure from "../../../sql/postgres/peering/006-erasure.sql" with { type: "text" };
import announcements from "../../../sql/postgres/peering/007-announcements.sql" with { type: "text" };
import leaseLookUps from "../../../sql/postgres/peering/008-lease-look-ups.sql" with { type: "text" };
import poison from "../../../sql/postgres/peering/009-poison.sql" with { type: "text" };
import reportMachines from "../../../sql/postgres/peering/010-report-machines.sql" with { type: "text" };
import blackhole from "../../../sql/postgres/peering/011-blackhole.sql" with { type: "text" };
import announcedAt from "../../../sql/postgres/peering/012-announced-at.sql" with { type: "text" };
import announcementSets from "../../../sql/postgres/peering/013-announcement-sets.sql" with { type: "text" };
import announcementStop from "../../../sql/postgres/peering/014-announcement-stop.sql" with { type: "text" };
import mappings from "../../../sql/postgres/peering/015-mappings.sql" with { type: "text" };
import roaPublication from "../../../sql/postgres/peering/016-roa-publication.sql" with { type: "text" };
import announcementRights from "../../../sql/postgres/peering/017-announcement-rights.sql" with {
  type: "text",
};
import grants from "../../../sql/postgres/peering/018-grants.sql" with { type: "text" };

export const peeringSchema = schemaOf("peering", {
  users,
  pool,
  leases,
  operations,
  "service keys": serviceKeys,
  erasure,
  announcements,
  "lease look-ups": leaseLookUps,
  poison,
  "report machines": reportMachines,
  blackhole,
  "announced at": announcedAt,
  "announcement sets": announcementSets,
  "announcement stop": announcementStop,
  mappings,
  "roa publication": roaPublication,
  "announcement rights": announcementRights,
  grants,
});

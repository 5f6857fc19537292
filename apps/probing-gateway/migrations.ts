/** The schema of the probing gateway: the numbered files of sql/postgres/probing, oldest first. */
import type { Schema } from "../../lib/store/postgres/migrate.ts";
import users from "../../sql/postgres/probing/001-users.sql" with { type: "text" };
import agents from "../../sql/postgres/probing/002-agents.sql" with { type: "text" };
import measurements from "../../sql/postgres/probing/003-measurements.sql" with { type: "text" };
import safety from "../../sql/postgres/probing/004-safety.sql" with { type: "text" };
import charges from "../../sql/postgres/probing/005-charges.sql" with { type: "text" };
import finished from "../../sql/postgres/probing/006-finished.sql" with { type: "text" };
import destinationShares from "../../sql/postgres/probing/007-destination-shares.sql" with { type: "text" };
import sources from "../../sql/postgres/probing/008-sources.sql" with { type: "text" };
import grantedPrefixes from "../../sql/postgres/probing/009-granted-prefixes.sql" with { type: "text" };

export const probingSchema: Schema = {
  name: "probing",
  migrations: [
    { number: 1, name: "users", text: users },
    { number: 2, name: "agents", text: agents },
    { number: 3, name: "measurements", text: measurements },
    { number: 4, name: "safety", text: safety },
    { number: 5, name: "charges", text: charges },
    { number: 6, name: "finished", text: finished },
    { number: 7, name: "destination-shares", text: destinationShares },
    { number: 8, name: "sources", text: sources },
    { number: 9, name: "granted-prefixes", text: grantedPrefixes },
  ],
};

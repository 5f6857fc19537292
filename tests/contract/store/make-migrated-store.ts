/** Makes a store with all tables in a folder: `bun make-migrated-store.ts FOLDER`. */
import { migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { Part, sqlValues } from "./processes.ts";

const [folder = ""] = process.argv.slice(2);
await using _part = await Part.start("store", "--dir", folder, "--child");
await using store = await openStore(`chdb:${folder}`);
await migrate(store, sqlValues);

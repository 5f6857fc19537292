/** The embedded column store in a process of its own: `bun run-store.ts DIR`, until standard input ends. */
import { runStoreProcess } from "../../../apps/stack/store-process.ts";

await runStoreProcess(process.argv[2] ?? "", true);

/** The command line against one real gateway with a real column store. */
import "./with-store.ts";
import "./export.ts";
import "./ping-from.ts";
import "./results.ts";
import "./trace-from.ts";

/** Thread of the back end `live`: blocks in the kernel's call while the sender orders it (ffi/live). */
import { LiveCalls } from "../../../../ffi/live/live-calls.ts";
import { runWorker } from "./worker-loop.ts";
import type { LiveStart } from "./worker-messages.ts";

runWorker((start: LiveStart, onFailure) => new LiveCalls(start.memory, onFailure));

/** Thread of the back end `live`: sits in the kernel's call while the sender wants it to (ffi/live). */
import { LiveCalls } from "../../../ffi/live/live-calls.ts";
import { runWorker } from "./worker-loop.ts";
import type { LiveStart } from "./worker-messages.ts";

runWorker((start: LiveStart, onFailure) => new LiveCalls(start.memory, onFailure));

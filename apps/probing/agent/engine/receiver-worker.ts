/** Thread of one receiver: waits for its start message, then runs until it is stopped. */
import { Receiver } from "./receiver.ts";
import { runWorker } from "./worker-loop.ts";
import type { ReceiverStart } from "./worker-messages.ts";

runWorker((start: ReceiverStart) => new Receiver(start));

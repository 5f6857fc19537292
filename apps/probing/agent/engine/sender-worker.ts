/** Thread of one sender: waits for its start message, then runs until it is stopped. */
import { DrySender } from "./dry-sender.ts";
import { Sender } from "./sender.ts";
import { runWorker } from "./worker-loop.ts";
import type { SenderStart } from "./worker-messages.ts";

runWorker((start: SenderStart, onFailure) =>
  start.instance.dryRun === true ? new DrySender(start) : new Sender(start, onFailure),
);

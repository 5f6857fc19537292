/** Thread of the consumer. */
import { runAsyncWorker } from "../async-worker.ts";
import { Consumer, type ConsumerStart } from "./consumer.ts";

runAsyncWorker((start: ConsumerStart, onFailure, say) => new Consumer(start, onFailure, say));

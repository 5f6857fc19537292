/** Thread of the producer. */
import { runAsyncWorker } from "../async-worker.ts";
import { Producer, type ProducerStart } from "./producer.ts";

runAsyncWorker((start: ProducerStart, onFailure) => new Producer(start, onFailure));

/** Thread of the recorder: neither the disk nor many packets delay those that send, receive or control. */
import { runAsyncWorker } from "../async-worker.ts";
import { Recorder, type RecorderStart } from "./recorder.ts";

runAsyncWorker((start: RecorderStart, onFailure) => new Recorder(start, onFailure));

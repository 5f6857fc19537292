/**
 * Stops a timer of kafkajs 2.2.4 that fires each millisecond on every connection, idle or not, and with a negative
 * time, which Bun and Node print a warning about: the check for requests that wait is set up even if none waits.
 */
import RequestQueue from "kafkajs/src/network/requestQueue";

const schedule = RequestQueue.prototype.scheduleCheckPendingRequests;
let isQuiet = false;

/** For all clients of this process; to call it again does nothing. */
export function quietTimers(): void {
  if (isQuiet) {
    return;
  }
  isQuiet = true;
  RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    // A request that comes later sets the check up itself.
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) {
      schedule.call(this);
    }
  };
}

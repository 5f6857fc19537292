/** What quiet-timers.ts knows of the inside of kafkajs 2.2.4. */
declare module "kafkajs/src/network/requestQueue" {
  export default class RequestQueue {
    pending: { readonly length: number };
    /** Milliseconds since the epoch; -1 when the broker does not throttle. */
    throttledUntil: number;
    scheduleCheckPendingRequests(): void;
  }
}

/** Internals of kafkajs 2.2.4 that kafka-client.ts uses. */
declare module "kafkajs/src/network/requestQueue" {
  export default class RequestQueue {
    pending: { readonly length: number };
    /** Milliseconds since the epoch; -1 when the broker does not throttle. */
    throttledUntil: number;
    scheduleCheckPendingRequests(): void;
  }
}

/** Damaged UPDATEs are read, withdraw what they name, or are refused with a reason; nothing else happens. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { eventsOfRecord } from "../../../lib/net/bgp/mrt-message.ts";
import { MalformedRoutes } from "../../../lib/net/bgp/route-event.ts";
import { randomUpdate, recordOf } from "./random-updates.ts";

const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 });
/** In front of the attributes: head of the record, session, head of the message, withdrawn routes. */
const headBytes = 12 + 20 + 19 + 2;

test("bytes changed anywhere behind the message's head", () => {
  fc.assert(
    fc.property(randomUpdate, changes, (update, changed) => {
      const record = recordOf({ ...update, asnBytes: 4 }, 7);
      for (const [at, value] of changed) {
        record[headBytes + (at % (record.length - headBytes))] = value;
      }
      const discarded: string[] = [];
      try {
        const body = record.subarray(12);
        const events = eventsOfRecord({ timeSec: 1, type: 16, subtype: 4, body }, ({ reason }) =>
          discarded.push(reason),
        );
        expect(events.every(({ kind }) => kind !== "peer-up" && kind !== "peer-down")).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedRoutes);
        const { withdrawals, message } = error as MalformedRoutes;
        expect(message).not.toBe("");
        expect(withdrawals.every(({ kind, route }) => kind === "withdraw" && route !== null)).toBe(true);
      }
      expect(discarded).not.toContain("");
    }),
    { numRuns: 20_000 },
  );
});

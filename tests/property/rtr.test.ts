/** Whatever a cache of RTR sends, VRPs are those of its last whole answer, and failures are the client's own. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { streamMessages } from "../../lib/base/list/stream-messages.ts";
import { pduLength } from "../../lib/net/rpki/rtr/pdu.ts";
import { RtrData } from "../../lib/net/rpki/rtr/rtr-data.ts";
import { RtrFailure } from "../../lib/net/rpki/rtr/rtr-failure.ts";
import { RtrSession } from "../../lib/net/rpki/rtr/rtr-session.ts";
import { endOfData, ipv4, notify, pdu, refusal, response } from "./rtr-pdus.ts";

interface Change {
  readonly isAnnounced: boolean;
  readonly third: number;
  readonly maxLength: number;
  readonly asn: number;
}

/** Few values, so that many meet. */
const change = fc.record({
  isAnnounced: fc.boolean(),
  third: fc.integer({ min: 0, max: 2 }),
  maxLength: fc.integer({ min: 24, max: 25 }),
  asn: fc.integer({ min: 1, max: 2 }),
});
const answers = fc.array(
  fc.record({ changes: fc.array(change, { maxLength: 12 }), isWhole: fc.boolean(), isEnded: fc.boolean() }),
  { maxLength: 12 },
);

const keyOf = ({ third, maxLength, asn }: Change) => `192.0.${third}.0/24 ${maxLength} ${asn}`;

function heldBy({ table }: RtrData): string[] | null {
  if (table === null) {
    return null;
  }
  const held: string[] = [];
  for (const third of [0, 1, 2]) {
    const base = new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, third, 0]);
    const found = table.covering({ base, length: 24, family: 4 });
    held.push(...found.map(({ maxLength, asn }) => `192.0.${third}.0/24 ${maxLength} ${asn}`));
  }
  expect(held.length).toBe(table.count);
  return held.sort();
}

/** What the answer makes of a set, word by word; null = it is against the rules. */
function plainly(before: ReadonlySet<string>, changes: readonly Change[]): Set<string> | null {
  const after = new Set(before);
  for (const one of changes) {
    if (after.has(keyOf(one)) === one.isAnnounced) {
      return null;
    }
    one.isAnnounced ? after.add(keyOf(one)) : after.delete(keyOf(one));
  }
  return after;
}

test("VRPs are those of the last whole answer, whatever answers are cut off or against the rules", () => {
  const met = { whole: 0, cut: 0, refused: 0 };
  fc.assert(
    fc.property(answers, (all) => {
      const data = new RtrData();
      let plain: Set<string> | null = null;
      for (const [serial, { changes, isWhole, isEnded }] of all.entries()) {
        if (isWhole) {
          data.restart();
        }
        const session = new RtrSession(data, { routerKeys: 0, aspas: 0 });
        const before = session.ask()[1] === 2 ? new Set<string>() : (plain ?? new Set<string>());
        const after = plainly(before, changes);
        const pdus = changes.map((one) => ipv4(one.isAnnounced, one.third, one));
        let isRefused = false;
        try {
          for (const bytes of [response(), ...pdus, ...(isEnded ? [endOfData(serial)] : [])]) {
            session.take(bytes);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(RtrFailure);
          isRefused = true;
        }
        expect(isRefused).toBe(after === null);
        plain = isEnded && after !== null ? after : plain;
        met[isRefused ? "refused" : isEnded ? "whole" : "cut"]++;
        expect(heldBy(data)).toEqual(plain === null ? null : [...plain].sort());
      }
    }),
    { numRuns: 1000, seed: 8210 },
  );
  for (const count of Object.values(met)) {
    expect(count).toBeGreaterThan(200);
  }
});

const good = [
  ...[
    response(),
    ipv4(true, 2),
    ipv4(true, 3),
    ipv4(false, 2),
    endOfData(1),
    notify(2),
    refusal(2),
    refusal(4, 0),
  ],
  ...[response(0), endOfData(2, 0), pdu(8, 0), pdu(9, 0x100, "11".repeat(115)), pdu(11, 0, "0000fbf4")],
];

test("damaged PDUs, cut anywhere, end in the client's own failures", async () => {
  const damage = fc.record({ at: fc.nat(), to: fc.nat(255) });
  const failures = new Set<number | null>();
  await fc.assert(
    fc.asyncProperty(
      ...[fc.array(fc.constantFrom(...good), { maxLength: 20 }), fc.array(damage, { maxLength: 6 })],
      fc.array(fc.nat(), { maxLength: 4 }),
      async (
        pdus: readonly Uint8Array[],
        damages: readonly { at: number; to: number }[],
        cuts: readonly number[],
      ) => {
        const bytes = Buffer.concat([response(), ...pdus]);
        for (const { at, to } of damages) {
          bytes[at % bytes.length] = to;
        }
        const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const data = new RtrData();
        const session = new RtrSession(data, { routerKeys: 0, aspas: 0 });
        session.ask();
        try {
          for await (const some of streamMessages(inPieces(bytes, ends), pduLength)) {
            for (const one of some) {
              session.take(one);
            }
          }
        } catch (error) {
          if (error instanceof RtrFailure) {
            failures.add(error.code);
            // What the cache hears is a PDU itself.
            const report = session.reportOf(error);
            expect(report === null ? null : pduLength(report, 0)).toBe(report?.length ?? null);
          } else {
            expect(String(error)).toContain("the stream ends within a message");
          }
        }
      },
    ),
    { numRuns: 5000, seed: 6810 },
  );
  expect([...failures].sort()).toEqual([0, 4, 5, 6, 7, 8, null]);
});

async function* inPieces(bytes: Uint8Array, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const end of ends) {
    yield bytes.subarray(at, end);
    at = end;
  }
}

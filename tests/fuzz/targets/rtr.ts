/** What an RPKI cache sends by RTR, as the fuzzer gives it. */
import { pduLength } from "../../../lib/net/rpki/rtr/pdu.ts";
import { RtrData } from "../../../lib/net/rpki/rtr/rtr-data.ts";
import { RtrFailure } from "../../../lib/net/rpki/rtr/rtr-failure.ts";
import { RtrSession } from "../../../lib/net/rpki/rtr/rtr-session.ts";
import { endOfData, ipv4, notify, pdu, refusal, response } from "../../property/rtr-pdus.ts";
import { type FuzzTarget, refusing } from "../fuzz-target.ts";

const key = pdu(9, 0x100, "11".repeat(115));
const ipv6 = pdu(6, 0, `01203000${"20010db8".padEnd(32, "0")}0000fbf4`);

/** As a session would: until it ends, or the bytes do. */
function takeAll(bytes: Uint8Array): void {
  const session = new RtrSession(new RtrData(), { routerKeys: 0, aspas: 0 });
  session.ask();
  for (let at = 0; at < bytes.length; ) {
    const length = pduLength(bytes, at);
    if (length === null || at + length > bytes.length) {
      return;
    }
    session.take(bytes.subarray(at, at + length));
    at += length;
  }
}

export const rtrTargets: readonly FuzzTarget[] = [
  {
    name: "PDUs of RTR",
    share: 2,
    seeds: [
      Buffer.concat([response(), ipv4(true, 2), ipv6, key, pdu(11, 0, "0000fbf4"), endOfData(7), notify(8)]),
      Buffer.concat([response(0), ipv4(true, 2, { version: 0 }), endOfData(7, 0), notify(8, 0)]),
      Buffer.concat([
        response(),
        ipv4(true, 2),
        ipv4(false, 2),
        endOfData(7),
        notify(8),
        pdu(8, 0),
        response(),
      ]),
      refusal(2),
      refusal(4, 0),
    ],
    read: (bytes) =>
      refusing(
        (error) => error instanceof RtrFailure,
        () => takeAll(bytes),
      ),
  },
];

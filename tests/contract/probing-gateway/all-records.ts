/** Everything that is in a topic now. */
import type { Broker, IncomingRecord } from "../../../lib/engines/broker/broker.ts";

export async function readAll(broker: Broker, topic: string): Promise<IncomingRecord[]> {
  const group = `test-${crypto.randomUUID()}`;
  const ends = await broker.positions(group, topic);
  const wanted = ends.reduce((sum, { end }) => sum + end, 0n);
  await using subscription = await broker.subscribe(group, [topic]);
  const records: IncomingRecord[] = [];
  while (BigInt(records.length) < wanted) {
    records.push(...(await subscription.next({ recordsMax: 1000, waitMs: 1000 })));
  }
  return records;
}

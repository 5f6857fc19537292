/**
 * A process that reads for a group, for tests that kill it: `bun reader.ts ADDRESS TOPIC GROUP`.
 *
 * Says `read PARTITION OFFSET` for each record and then, when the broker has acknowledged it, `committed PARTITION
 * NEXT`.
 */
import { writeSync } from "node:fs";
import { openBroker } from "../../../lib/engines/broker/open.ts";

/** At once: what is said must not be younger than a commit that follows, when the process is killed. */
const say = (text: string) => writeSync(1, text);

const [address = "", topic = "", group = ""] = Bun.argv.slice(2);

await using broker = await openBroker(address);
await using subscription = await broker.subscribe(group, [topic]);
say("joined\n");
for (;;) {
  const records = await subscription.next({ recordsMax: 5, waitMs: 1000 });
  for (const { partition, offset } of records) {
    say(`read ${partition} ${offset}\n`);
  }
  const last = records.at(-1);
  if (last !== undefined) {
    await subscription.commit(topic, last.partition, last.offset + 1n);
    say(`committed ${last.partition} ${last.offset + 1n}\n`);
  }
}

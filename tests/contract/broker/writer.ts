/**
 * A process that publishes numbers without end, for tests that kill it: `bun writer.ts ADDRESS TOPIC`.
 *
 * A call holds ten records, over all partitions; after each call the line `N`: all numbers before N are safe.
 */
import { writeSync } from "node:fs";
import { openBroker } from "../../../lib/engines/broker/open.ts";

const [address = "", topic = ""] = Bun.argv.slice(2);
const perCall = 10;

await using broker = await openBroker(address);
for (let first = 0; ; first += perCall) {
  const records = Array.from({ length: perCall }, (_, index) => ({
    key: `key ${index}`,
    value: new TextEncoder().encode(`${first + index}`),
    headers: { writer: `${process.pid}` },
  }));
  await broker.publish(topic, records);
  writeSync(1, `${first + perCall}\n`);
}

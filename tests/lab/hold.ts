/**
 * Holds the Internet of the lab up until it is interrupted, to look around by hand: `bun tests/lab/hold.ts`.
 * Prints one line for each node, `NODE NAMESPACE`, then "ready".
 */
import { Internet } from "./internet.ts";
import { testInternet } from "./topology.ts";

const net = await Internet.start(testInternet);
for (const { name } of net.topology.nodes) {
  process.stdout.write(`${name} ${net.namespaceOf(name)}\n`);
}
process.stdout.write("ready\n");
await new Promise(() => setInterval(() => undefined, 2 ** 30));

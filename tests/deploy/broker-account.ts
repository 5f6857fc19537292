/**
 * Uses a broker by one of the services' accounts, in the place of a container: prints "done", or why not.
 *
 *   bun broker-account.ts SERVER publish|read TOPIC [ACCOUNT [SECRET]]     without ACCOUNT: without a login
 */
import { readFileSync } from "node:fs";
import type { KafkaLogin } from "../../lib/engines/broker/broker-options.ts";
import { openBroker } from "../../lib/engines/broker/open.ts";

const [server = "", action = "", topic = "", account, secret = account] = Bun.argv.slice(2);
const login: KafkaLogin | undefined =
  account === undefined
    ? undefined
    : {
        ...({ protocol: "SASL_PLAINTEXT", mechanism: "SCRAM-SHA-512" } as const),
        user: `vantage-${account}`,
        password: readFileSync(`/run/secrets/kafka_${secret}`, "utf8").trim(),
      };

await using broker = await openBroker(`kafka:${server}`, { ...(login && { login }), giveUpMs: 5000 });
try {
  if (action === "publish") {
    await broker.publish(topic, [{ key: "k", value: new TextEncoder().encode("text"), headers: {} }]);
  } else {
    await broker.positions("vantage-store", topic);
  }
  console.log("done");
} catch (error) {
  console.log(String(error));
}

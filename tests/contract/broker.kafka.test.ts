import { startKafka } from "../kafka/kafka.ts";
import { brokerContract } from "./broker.contract.ts";

brokerContract("a real Kafka", {
  start: async () => {
    const kafka = await startKafka();
    return {
      address: `kafka:${kafka.server}`,
      goAway: () => kafka.stop(),
      comeBack: () => kafka.startAgain(),
      [Symbol.asyncDispose]: () => kafka[Symbol.asyncDispose](),
    };
  },
  secondMember: "shares",
  publishesWhole: false,
});

/** A real broker whose commits fail for a while, or for good. */
import { type Broker, BrokerError, type BrokerErrorCode } from "../../../lib/engines/broker/broker.ts";

const refusing: Failing = { code: "refused" };

interface Failing {
  readonly code: BrokerErrorCode;
  /** So many fail; default all from then on. */
  readonly count?: number;
}

/** The real broker, but for commits, which fail from the `from`th on. */
export function failingCommits(
  real: Broker,
  from: number,
  { code, count = Infinity }: Failing = refusing,
): Broker {
  let commits = 0;
  return {
    ensureTopic: (given) => real.ensureTopic(given),
    publish: (name, list) => real.publish(name, list),
    positions: (group, name) => real.positions(group, name),
    checkRoom: () => real.checkRoom(),
    [Symbol.asyncDispose]: async () => undefined,
    async subscribe(group, topics) {
      const subscription = await real.subscribe(group, topics);
      return {
        next: (limits) => subscription.next(limits),
        pause: (name, partition) => subscription.pause(name, partition),
        resume: (name, partition) => subscription.resume(name, partition),
        async commit(name, partition, next) {
          const number = commits++;
          if (number >= from && number < from + count) {
            throw new BrokerError(code, "The commit has failed");
          }
          await subscription.commit(name, partition, next);
        },
        [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
      };
    },
  };
}

/** The broker goes away and comes back, while somebody reads and somebody writes. */
import { expect, test } from "bun:test";
import type { Broker, OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import { groupOf, newTopic, open, read, type Stage, textOf, textRecord } from "./engine.ts";

export function outageTests(stage: Stage): void {
  test("away: publishing is refused as unavailable; back: it works, and who reads goes on by itself", async () => {
    const said: string[] = [];
    await using broker = await open(stage, { giveUpMs: 8000, log: (line) => said.push(line) });
    const topic = await newTopic(broker, 1);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    await broker.publish(topic, [textRecord("k", "before")]);
    const before = await read(subscription, 1);
    expect(before.map(textOf)).toEqual(["before"]);
    await stage.engine().goAway();
    // Too large for what space may be left.
    const large: OutgoingRecord = { key: "k", value: new Uint8Array(900_000), headers: {} };
    await expect(broker.publish(topic, [large])).rejects.toMatchObject({
      name: "BrokerError",
      code: "unavailable",
      message: expect.stringMatching(/^Cannot \w+ to "contract-.*": \S/),
    });
    expect(await subscription.next({ recordsMax: 10, waitMs: 200 })).toEqual([]);
    await stage.engine().comeBack();
    await publishUntilTaken(broker, topic, textRecord("k", "after"));
    const after = await read(subscription, 1);
    // What was said to have failed may have been taken all the same: then it is there once.
    const texts = (after[0]?.value.length === 900_000 ? await read(subscription, 1) : after).map(textOf);
    expect(texts[0]).toBe("after");
    await subscription.commit(topic, 0, (before[0]?.offset ?? 0n) + 1n);
    expect((await broker.positions(groupOf(topic), topic))[0]?.committed).toBe(1n);
    for (const line of said) {
      expect(line).not.toContain("\n");
    }
  });
}

/** As a program does that keeps what it could not publish. */
async function publishUntilTaken(broker: Broker, topic: string, record: OutgoingRecord): Promise<void> {
  const giveUpAt = performance.now() + 240_000;
  for (;;) {
    try {
      await broker.publish(topic, [record]);
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) {
        throw error;
      }
    }
  }
}

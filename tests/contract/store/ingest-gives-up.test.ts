/** An ingester that Kafka lets join no group ends with the reason, so that its supervisor restarts it. */
import { expect, test } from "bun:test";
import { startKafkaWith } from "../../kafka/kafka.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { TestStore } from "./processes.ts";

test("without a coordinator for its groups it gives up, says why, and ends", async () => {
  // A single broker cannot keep the groups' topic twice, so no coordinator is ever found.
  await using kafka = await startKafkaWith({ "offsets.topic.replication.factor": "2" });
  await using store = await TestStore.start();
  const places = [
    "--broker",
    `kafka:${kafka.server}`,
    "--store",
    store.address,
    "--dir",
    store.below("ingest"),
  ];
  const { stderr, exitCode } = await runToEnd([...vantageCommand, "stack", "ingest", ...places]);
  expect([exitCode, stderr.trimEnd().split("\n").at(-1)]).toEqual([
    1,
    expect.stringMatching(/^vantage stack ingest: Cannot .*group/),
  ]);
});

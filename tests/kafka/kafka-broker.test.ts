/** What only Kafka has: logins, codecs, brokers that die, and records of programs that are not ours. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Kafka, logLevel, type Producer } from "kafkajs";
import type { Broker } from "../../lib/engines/broker/broker.ts";
import {
  type BrokerOptions,
  type KafkaMechanism,
  kafkaCompressions,
} from "../../lib/engines/broker/broker-options.ts";
import { openBroker } from "../../lib/engines/broker/open.ts";
import { newTopic, read, textOf, textRecord } from "../contract/broker/engine.ts";
import { startKafka } from "./kafka.ts";
import { kafkaFiles, scramUser } from "./kafka-files.ts";
import { javaCommand, type KafkaProcess } from "./kafka-process.ts";
import { hasIpv6 } from "./kafka-properties.ts";

let running: KafkaProcess | null = null;
beforeAll(async () => {
  running = await startKafka();
});
afterAll(() => running?.[Symbol.asyncDispose]());

function kafka(): KafkaProcess {
  if (running === null) {
    throw new Error("Kafka did not start");
  }
  return running;
}

function open(options: BrokerOptions = {}): Promise<Broker> {
  return openBroker(`kafka:${kafka().server}`, options);
}

function openWithLogin(password: string, mechanism: KafkaMechanism, said: string[] = []): Promise<Broker> {
  const login = { protocol: "SASL_PLAINTEXT", mechanism, user: scramUser.user, password } as const;
  return openBroker(`kafka:${kafka().saslServer}`, { login, giveUpMs: 5000, log: (line) => said.push(line) });
}

/** A program that is not ours. */
async function foreignProducer(settings: { transactionalId?: string } = {}): Promise<Producer> {
  const producer = new Kafka({ brokers: [kafka().server], logLevel: logLevel.NOTHING }).producer({
    ...settings,
    idempotent: settings.transactionalId !== undefined,
    maxInFlightRequests: 1,
    createPartitioner: () => () => 0,
  });
  await producer.connect();
  return producer;
}

/** By the console producer that comes with Kafka; many lines make one batch. */
async function publishByJava(topic: string, codec: string, lines: readonly string[]): Promise<void> {
  const { javaArguments } = await kafkaFiles();
  const batching = ["linger.ms=200", "batch.size=900000"].flatMap((one) => ["--producer-property", one]);
  const child = Bun.spawn(
    [
      ...[...javaCommand, ...javaArguments, "org.apache.kafka.tools.ConsoleProducer"],
      ...["--bootstrap-server", kafka().server, "--topic", topic, "--compression-codec", codec, ...batching],
    ],
    { stdin: new Blob([lines.join("\n")]), stdout: "ignore", stderr: "pipe" },
  );
  const complaint = await new Response(child.stderr).text();
  expect(await child.exited, complaint).toBe(0);
}

test("a login by SCRAM reads and writes", async () => {
  await using broker = await openWithLogin(scramUser.password, "SCRAM-SHA-512");
  const topic = await newTopic(broker, 1);
  await broker.publish(topic, [textRecord("k", "text")]);
  await using subscription = await broker.subscribe("g", [topic]);
  expect((await read(subscription, 1)).map(textOf)).toEqual(["text"]);
});

test.skipIf(!hasIpv6).each(["[::1]", "[0:0:0:0:0:0:0:1]"])(
  "a broker that is named as %s reads and writes, beside others that do not answer",
  async (host) => {
    const { ipv6, controller } = kafka().ports;
    await using broker = await openBroker(`kafka:[2001:db8::1]:${controller},${host}:${ipv6}`);
    const topic = await newTopic(broker, 1);
    await broker.publish(topic, [textRecord("k", "text")]);
    await using subscription = await broker.subscribe("g", [topic]);
    expect((await read(subscription, 1)).map(textOf)).toEqual(["text"]);
  },
);

test.each([
  ["wrong", "SCRAM-SHA-512", /authentication failed/i],
  [scramUser.password, "SCRAM-SHA-256", /mechanism|SCRAM-SHA-256/i],
] as const)(
  "the login with password %p by %s is refused in one line without the password",
  async (password, mechanism, reason) => {
    const said: string[] = [];
    await using broker = await openWithLogin(password, mechanism, said);
    const refusal = await newTopic(broker, 1).then(String, (error: Error) => error);
    expect(refusal).toMatchObject({ code: "refused", message: expect.stringMatching(reason) });
    expect(said.join("\n")).not.toContain(scramUser.password);
  },
);

test.each(kafkaCompressions)("records published with compression %s come back", async (compression) => {
  await using broker = await open({ compression });
  const topic = await newTopic(broker, 1);
  const text = "much the same ".repeat(1000);
  await broker.publish(topic, [textRecord("a", text), textRecord("b", text)]);
  await using subscription = await broker.subscribe("g", [topic]);
  expect((await read(subscription, 2)).map(textOf)).toEqual([text, text]);
});

test.each(["gzip", "snappy", "lz4", "zstd"])(
  "records that Kafka's own Java client has packed with %s can be read",
  async (codec) => {
    await using broker = await open();
    const topic = await newTopic(broker, 1);
    // Much the same, but not only: literals and copies, near and far, in several blocks.
    const lines = Array.from({ length: 300 }, (_, i) => `${i} ${`${(i * 7919) % 1000},`.repeat(200 + i)} ü`);
    await publishByJava(topic, codec, lines);
    await using subscription = await broker.subscribe("g", [topic]);
    expect((await read(subscription, lines.length)).map(textOf)).toEqual(lines);
  },
);

test("records of other programs: no key, no value, a header twice", async () => {
  await using broker = await open();
  const topic = await newTopic(broker, 1);
  const foreign = await foreignProducer();
  await foreign.send({
    topic,
    messages: [{ key: null, value: null, headers: { twice: ["first", "second"], bytes: Buffer.from("é") } }],
  });
  await foreign.disconnect();
  await using subscription = await broker.subscribe("g", [topic]);
  const [record] = await read(subscription, 1);
  expect(record).toMatchObject({ key: "", headers: { twice: "first", bytes: "é" } });
  expect(record?.value).toEqual(new Uint8Array(0));
});

test("marks of transactions are not records: they are skipped, and aborted records too", async () => {
  await using broker = await open();
  const topic = await newTopic(broker, 1);
  const foreign = await foreignProducer({ transactionalId: "foreign" });
  await using subscription = await broker.subscribe("g", [topic]);
  for (const [text, keep] of [
    ["kept", true],
    ["dropped", false],
    ["kept too", true],
  ] as const) {
    const transaction = await foreign.transaction();
    await transaction.send({ topic, messages: [{ key: "k", value: text }] });
    await (keep ? transaction.commit() : transaction.abort());
  }
  await foreign.disconnect();
  const records = await read(subscription, 2);
  expect(records.map(textOf)).toEqual(["kept", "kept too"]);
  await broker.publish(topic, [textRecord("k", "ours")]);
  expect((await read(subscription, 1)).map(textOf)).toEqual(["ours"]);
});

test("a broker that is killed: readers go on, all that was acknowledged is there in order, once or more", async () => {
  // On a busy machine a broker starts for longer than publishing waits by default.
  await using broker = await open({ giveUpMs: 240_000 });
  const topic = await newTopic(broker, 1);
  await using subscription = await broker.subscribe("g", [topic]);
  const acknowledged: string[] = [];
  let isOver = false;
  const publishing = (async () => {
    for (let number = 0; !isOver; number++) {
      await broker.publish(topic, [textRecord("k", `${number}`)]);
      acknowledged.push(`${number}`);
    }
  })();
  await read(subscription, 20, 10);
  await kafka().kill();
  await kafka().startAgain();
  const countAtReturn = acknowledged.length;
  while (acknowledged.length < countAtReturn + 20) {
    await Bun.sleep(10);
  }
  isOver = true;
  await publishing;
  // Nothing was committed: a new group sees the whole, and so does who was there all the time.
  const end = Number((await broker.positions("new", topic))[0]?.end);
  await using fromStart = await broker.subscribe("new", [topic]);
  const texts = (await read(fromStart, end)).map(textOf);
  expect(texts.filter((text, index) => texts.indexOf(text) === index)).toEqual(acknowledged);
  const rest = await read(subscription, 1);
  expect(rest.length).toBeGreaterThan(0);
});

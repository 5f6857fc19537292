/** `vantage stack` as a process: what it says, what it keeps running, how it ends. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { repliesView } from "../../../lib/answers/results/views/replies.ts";
import type { Broker, OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { readEndpoint } from "../../../lib/engines/store/clickhouse/endpoint-file.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { longTest } from "../../run/long-test.ts";
import { until } from "../../run/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { Folder, Part } from "./processes.ts";
import { sampleReply } from "./samples.ts";
import { viewRows } from "./view-rows.ts";

const anywhere = "127.0.0.1:0";
const gatewayAnywhere = ["--gateway-listen", anywhere, "--peering-listen", anywhere, "--issuer-port", "0"];
let folder: Folder;

beforeEach(() => {
  folder = new Folder();
});

afterEach(() => {
  folder[Symbol.dispose]();
});

function start(...more: string[]): Promise<Part> {
  return Part.start("--dir", folder.below("data"), "--listen", "127.0.0.1:0", "--no-gateway", ...more);
}

/** An address that the stack prints behind a name. */
function printed(stack: Part, name: string): string {
  const line = stack.said.find((one) => one.trim().startsWith(`${name} `));
  return line?.trim().split(/\s+/)[1] ?? "";
}

async function health(stack: Part): Promise<{ status: string; reasons: string[] }> {
  return (await fetch(printed(stack, "health"))).json() as Promise<{ status: string; reasons: string[] }>;
}

async function metric(stack: Part, name: string): Promise<number> {
  const text = await (await fetch(printed(stack, "metrics"))).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.split(" ")[1]);
}

function reply(i: number): OutgoingRecord {
  return { key: "k", value: encodeReply(sampleReply(i)), headers: { measurement_id: "m" } };
}

/** Processes below the stack's: the kernel's own list. */
async function childrenOf(stack: Part): Promise<number[]> {
  const { pid } = stack.process;
  return (await Bun.file(`/proc/${pid}/task/${pid}/children`).text())
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
}

function isAlive(pid: number): boolean {
  return readdirSync("/proc").includes(String(pid));
}

test("it stores what is published, says how it is, brings its parts back, and ends with 0", async () => {
  await using stack = await start();
  await until(() => printed(stack, "metrics") !== "");
  await using broker: Broker = await openBroker(printed(stack, "broker"));
  await broker.publish(repliesTopic, [reply(1), reply(2), { ...reply(3), value: new Uint8Array(7) }]);
  await until(async () => (await metric(stack, 'vantage_stack_ingest_rows_total{feed="replies"}')) === 3);
  await using store = await openStore(printed(stack, "store"));
  expect((await viewRows(store, repliesView, { measurementId: "m" })).length).toBe(2);
  expect(await metric(stack, 'vantage_stack_ingest_rejected_total{feed="replies",reason="truncated"}')).toBe(
    1,
  );
  expect(await health(stack)).toEqual({ status: "ok", reasons: [] });

  const [old] = [readEndpoint(folder.below("data/store"))];
  process.kill(old?.pid ?? 0, "SIGKILL");
  await until(async () => (await health(stack)).status === "unhealthy");
  await until(async () => (await health(stack)).status === "ok");
  expect(await metric(stack, 'vantage_stack_process_restarts_total{process="store"}')).toBe(1);
  expect(stack.said).toContain("store ended with SIGKILL; starting it again in 250 ms");
  await broker.publish(repliesTopic, [reply(4)]);
  await until(async () => (await metric(stack, 'vantage_stack_ingest_rows_total{feed="replies"}')) === 4);
  expect(await metric(stack, 'vantage_stack_ingest_lag_records{feed="replies"}')).toBe(0);

  const children = await childrenOf(stack);
  expect(children.length).toBe(2);
  stack.process.kill("SIGTERM");
  expect(await stack.ended()).toBe(0);
  expect(children.filter(isAlive)).toEqual([]);
});

longTest("Ctrl-C, which reaches all its processes at once, ends them in order", async () => {
  await using stack = await start();
  await until(() => printed(stack, "replies") !== "" || stack.said.length > 15);
  for (const pid of [...(await childrenOf(stack)), stack.process.pid]) {
    process.kill(pid, "SIGINT");
  }
  expect(await stack.ended()).toBe(0);
  expect(stack.said.at(-1)).toBe("stopping");
  expect(stack.said.filter((line) => line.includes("ended with"))).toEqual([]);
});

test("killed itself, it leaves no process behind, and starts again on the same directory with what it had", async () => {
  const first = await start();
  await using broker = await openBroker(printed(first, "broker"));
  await broker.publish(repliesTopic, [reply(1)]);
  const children = await childrenOf(first);
  await first.kill();
  await until(() => !children.some(isAlive));
  await using again = await start("--ttl-days", "9");
  expect(again.said).toContain("store: results are now kept for 9 days");
  await until(async () => {
    await using store = await openStore(printed(again, "store"));
    return (await viewRows(store, repliesView, { measurementId: "m" })).length === 1;
  });
});

test("a second stack on a directory, and a port that is taken, are each said in one line", async () => {
  await using stack = await start();
  await until(() => printed(stack, "metrics") !== "");
  await using second = new Part(["--dir", folder.below("data")]);
  expect(await second.ended()).toBe(1);
  expect(second.said).toEqual([
    `vantage stack: Cannot use ${folder.below("data")}: another process runs a stack there; ` +
      "stop it, or choose another directory",
  ]);
  const { port } = new URL(printed(stack, "metrics"));
  await using third = new Part([
    "--dir",
    folder.below("other"),
    "--listen",
    `127.0.0.1:${port}`,
    "--no-gateway",
  ]);
  expect(await third.ended()).toBe(1);
  const taken = `vantage stack: Cannot listen on 127.0.0.1:${port}: another program listens there; give another`;
  expect(third.said).toEqual([`${taken} with --listen`]);
  const peering = ["--listen", anywhere, ...gatewayAnywhere, "--peering-listen", `127.0.0.1:${port}`];
  await using fourth = new Part(["--dir", folder.below("other"), ...peering]);
  expect([await fourth.ended(), fourth.said]).toEqual([1, [`${taken} with --peering-listen`]]);
});

test("a part that cannot start is the end of the stack, at once, with the part's own words", async () => {
  const missing = folder.below("libchdb.so");
  await using stack = new Part(["--dir", folder.below("data"), "--listen", anywhere, ...gatewayAnywhere], {
    CHDB_LIBCHDB_PATH: missing,
  });
  expect(await stack.ended()).toBe(1);
  const reason = `Cannot find libchdb.so in ${missing}: put it beside the executable, or set CHDB_LIBCHDB_PATH`;
  expect(stack.said.at(-1)).toBe(`vantage stack: ${reason}`);
  expect(stack.said.filter((line) => line.includes("starting it again"))).toHaveLength(1);
});

test("while it starts it says which parts are ready, each once", async () => {
  await using stack = await start();
  const lines = stack.said.filter((line) => line.startsWith("starting"));
  const ready = lines.flatMap((line) => /^starting: (\S+) is ready, after [\d.]+ s$/.exec(line)?.[1] ?? []);
  expect(ready).toEqual(["broker", "store", "ingester"]);
});

longTest("on a terminal the same is one live part, which is gone when it is ready", async () => {
  const command = [...vantageCommand, "stack", "--dir", folder.below("data"), "--no-gateway"];
  const line = [...command, "--listen", "127.0.0.1:0"].map((word) => `'${word}'`).join(" ");
  await using terminal = Bun.spawn(
    ["script", "--quiet", "--command", `stty rows 24 cols 80; exec ${line}`, "/dev/null"],
    {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    },
  );
  let said = "";
  for await (const piece of terminal.stdout.pipeThrough(new TextDecoderStream())) {
    said += piece;
    if (said.includes("The stack is running")) {
      break;
    }
  }
  const [drawn = ""] = said.split("The stack is running");
  expect(drawn).toMatch(/Starting, [\d.]+ s\r\n {2}broker {4}ready, after/);
  expect(drawn).toContain("  store     loads ClickHouse …");
  // The last thing before it takes the live part away.
  expect(drawn.endsWith("\x1b[4A\x1b[J")).toBe(true);
  terminal.kill("SIGTERM");
});

test("a part whose parent waits for it ends at once when it cannot start", async () => {
  await using _store = await Part.start("store", "--dir", folder.below("store"), "--child");
  await using second = new Part(["store", "--dir", folder.below("store"), "--child"]);
  expect([await second.ended(), second.said.length]).toEqual([1, 1]);
  expect(second.said[0]).toContain("another process runs a store there");
});

test("an exchange needs root", async () => {
  const command = [...vantageCommand, "stack", "--dir", folder.below("data"), "--exchange"];
  const nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
  const { exitCode, stderr } = Bun.spawnSync(process.getuid?.() === 0 ? [...nobody, ...command] : command);
  expect([exitCode, stderr.toString()]).toEqual([
    1,
    "vantage stack: Cannot run an exchange: BIRD's port and the tunnel need root; start it as root, or with sudo\n",
  ]);
});

test("help and wrong usage", async () => {
  await using help = new Part(["--help"]);
  expect([await help.ended(), help.said[0]]).toEqual([
    0,
    "vantage stack: run the whole platform on this machine",
  ]);
  await using wrong = new Part(["--ttl-days", "x"]);
  expect(await wrong.ended()).toBe(2);
  expect(wrong.said).toEqual([
    'vantage stack: --ttl-days "x" is not a number from 1 to 3650; see vantage stack --help',
  ]);
});

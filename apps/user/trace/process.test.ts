/** How the commands end, as processes on loopback: interrupted, or with a closed pipe. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runToEnd, saidBy } from "../../../tests/run/said.ts";

const vantage = [process.execPath, join(import.meta.dirname, "../../vantage.ts")];
/** Raw sockets. */
const asRoot = test.skipIf(process.getuid?.() !== 0);

/** Probes a UDP port that takes everything and answers nothing; interrupts when the first probe is there. */
async function interruptedAtFirstProbe(...args: string[]) {
  const probed = Promise.withResolvers<void>();
  const listener = await Bun.udpSocket({ hostname: "127.0.0.1", socket: { data: () => probed.resolve() } });
  try {
    const command = [...vantage, ...args, "-p", "udp", "--dst-port", String(listener.port), "127.0.0.1"];
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    await probed.promise;
    child.kill("SIGINT");
    return await saidBy(child);
  } finally {
    listener.close();
  }
}

describe("Ctrl-C", () => {
  asRoot("ends a trace with what is known", async () => {
    const { stdout, stderr, exitCode } = await interruptedAtFirstProbe("trace", "-w", "6000", "-q", "100");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 130 });
    expect(stdout).toMatch(/^127\.0\.0\.1: UDP to port \d+, 8 flows /);
    expect(stdout).toMatch(/^ {2}Interrupted: \d+ probes sent, 0 answered, /m);
  });

  asRoot("ends a trace in JSON with an object that says so", async () => {
    const { stdout, exitCode } = await interruptedAtFirstProbe(
      "trace",
      "-w",
      "6000",
      "-q",
      "100",
      "-o",
      "json",
    );
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject([{ target: "127.0.0.1", complete: false, reached: false }]);
  });

  asRoot("ends a ping with its summary", async () => {
    const { stdout, stderr, exitCode } = await interruptedAtFirstProbe(
      "ping",
      "-w",
      "6000",
      "--interval-ms",
      "60000",
    );
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 130 });
    expect(stdout).toBe(
      "127.0.0.1 (IPv4, udp): 1 sent, 0 answered, 1 not waited for; min / median / max ? / ? / ? ms\n",
    );
  });
});

asRoot("Ctrl-C ends a ping that has received all replies so far like any other, with 130", async () => {
  const command = [...vantage, "ping", "-p", "icmp", "-c", "1000", "--interval-ms", "200", "127.0.0.1"];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  let said = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    child.kill("SIGINT");
  }
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([130, ""]);
  expect(said).toMatch(/ [1-9]\d* sent, [1-9]\d* answered, /);
});

asRoot("a reader that closes the pipe ends the command quietly", async () => {
  const ping = [...vantage, "ping", "-c", "1000000", "--interval-ms", "1", "127.0.0.1"].join(" ");
  const { stdout, stderr } = await runToEnd([
    "bash",
    "-c",
    `${ping} | head -n 2; echo "ended with \${PIPESTATUS[0]}"`,
  ]);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^127\.0\.0\.1 {4}1 /),
    expect.stringMatching(/^127\.0\.0\.1 {4}2 /),
    "ended with 0",
    "",
  ]);
  expect(stderr).toBe("");
});

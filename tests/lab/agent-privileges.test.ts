/** An agent that root starts gives away what it does not need, works, and is of little use to who takes it over. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

const nobody = 65_534;
const prober = {
  ...{ interface: interfaceTo("eastAccess"), src_ipv4_prefix: "10.101.0.0/24", probing_rate: 2000 },
};
const ports = Array.from({ length: 50 }, (_, i) => 24_000 + i);
const script = join(import.meta.dirname, "privileged-agent.ts");

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

interface Task {
  readonly uid: string;
  readonly capabilities: string;
  readonly noNewPrivileges: string;
  readonly seccomp: string;
}

function tasksOf(pid: number): Task[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => {
    const status = readFileSync(`/proc/${pid}/task/${task}/status`, "utf8");
    const value = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1]?.trim() ?? "";
    return {
      uid: value("Uid"),
      capabilities: value("CapEff"),
      noNewPrivileges: value("NoNewPrivs"),
      seccomp: value("Seccomp"),
    };
  });
}

/** The broker and all that it holds, for whom the agent becomes. */
function giveBroker(rig: AgentRig): void {
  chmodSync(rig.folder, 0o755);
  const broker = join(rig.folder, "broker");
  for (const path of [broker, ...readdirSync(broker).map((name) => join(broker, name))]) {
    chownSync(path, nobody, nobody);
  }
}

function measurement() {
  return probeRecord("east", { measurementId: "m" }, probesTo("203.0.113.10", { ports, ttls: [1] }));
}

/** The process in the node: `ip netns exec` becomes the command. */
async function attacked(rig: AgentRig, config: object) {
  const command = rig.at("east", [process.execPath, script, rig.configure("east", config)]);
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  expect((await lines.read()).value).toBe("up\n");
  child.kill("SIGUSR1");
  const { value = "{}" } = await lines.read();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  return JSON.parse(value);
}

describe("an agent that root starts", () => {
  test("becomes another user in every thread, and measures", async () => {
    await using rig = await AgentRig.open(net);
    giveBroker(rig);
    const agent = await rig.start("east", "east", { prober: [{ ...prober, back_end: "xdp" }] });
    const tasks = tasksOf(agent.process.pid);
    expect(tasks.length).toBeGreaterThan(5);
    for (const task of tasks) {
      expect(task).toEqual({
        uid: Array(4).fill(nobody).join("\t"),
        capabilities: "0000000000000000",
        noNewPrivileges: "1",
        seccomp: "2",
      });
    }
    await rig.broker.publish(probesTopic, [measurement()]);
    expect(await rig.replies(ports.length)).toHaveLength(ports.length);
    // Threads that came with the work have nothing either.
    expect(new Set(tasksOf(agent.process.pid).map(({ capabilities }) => capabilities)).size).toBe(1);
    expect(statSync(join(rig.stateDir("east"), "integrity.key")).uid).toBe(nobody);
    expect(await agent.stop()).toBe(0);
    expect(agent.stderr()).toContain("The agent runs as nobody, without capabilities");
    expect(agent.stderr()).not.toContain("sends by packet");
  });

  test("taken over, can start no program, open no raw socket, read and write nothing of others", async () => {
    await using rig = await AgentRig.open(net);
    giveBroker(rig);
    expect(await attacked(rig, { prober: [prober] })).toEqual({
      anotherProgram: "EPERM",
      packetSocket: "errno 1",
      rawSocket: "errno 1",
      rootAgain: "errno 1",
      shadow: "EACCES",
      ownFiles: "EACCES",
      trace: "errno 1",
      namespaces: "errno 1",
    });
  });

  test("stays root where nobody else could work, says why, and has the list all the same", async () => {
    await using rig = await AgentRig.open(net);
    const agent = await rig.start("east", "east", { prober: [prober] });
    for (const { noNewPrivileges, seccomp } of tasksOf(agent.process.pid)) {
      expect([noNewPrivileges, seccomp]).toEqual(["1", "2"]);
    }
    expect(tasksOf(agent.process.pid)[0]?.capabilities).toBe("0000000000000000");
    await rig.broker.publish(probesTopic, [measurement()]);
    expect(await rig.replies(ports.length)).toHaveLength(ports.length);
    expect(await agent.stop()).toBe(0);
    expect(agent.stderr()).toContain("The agent stays root: user nobody cannot write to the broker's folder");
  });

  test("does not start when its configured user could not work", async () => {
    await using rig = await AgentRig.open(net);
    const start = (user: string) => rig.start("east", "east", { agent: { user }, prober: [prober] });
    await expect(start("nobody")).rejects.toThrow(
      "Cannot run as nobody: user nobody cannot write to the broker's folder",
    );
    await expect(start("no-such-user")).rejects.toThrow(
      "Cannot run as no-such-user: there is no user no-such-user",
    );
  });

  test("gives no file of others away by links in its state folder", async () => {
    await using rig = await AgentRig.open(net);
    giveBroker(rig);
    const state = rig.stateDir("east");
    mkdirSync(state, { recursive: true });
    const others = join(rig.folder, "of-root");
    await Bun.write(others, "secret");
    linkSync(others, join(state, "second-name"));
    symlinkSync(others, join(state, ".writable"));
    symlinkSync("/etc", join(state, "folder"));
    await expect(rig.start("east", "east", { prober: [prober] })).rejects.toThrow(
      "Cannot use the state folder",
    );
    expect([statSync(others).uid, readFileSync(others, "utf8")]).toEqual([0, "secret"]);
    expect(statSync("/etc").uid).toBe(0);
  });
});

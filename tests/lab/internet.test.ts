/** The lab itself: it comes up whole, is closed off, and leaves nothing behind however it ends. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { longTest } from "../run/long-test.ts";
import { inTier } from "../run/tier.ts";
import { until } from "../run/until.ts";
import { Internet } from "./internet.ts";
import { namespaceFolder, processesIn, run } from "./namespaces.ts";
import { testInternet } from "./topology.ts";

const labNamespaces = (): string[] => readdirSync(namespaceFolder).filter((name) => name.startsWith("vlab"));

/** Lines that `hold.ts` printed up to "ready": node and namespace. */
async function readNamespaces(stdout: ReadableStream<Uint8Array>): Promise<string[]> {
  let text = "";
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.endsWith("ready\n")) {
      break;
    }
  }
  return text.match(/vlab\S+/g) ?? [];
}

function hold() {
  const script = `${import.meta.dir}/hold.ts`;
  const endsWithTest = ["setpriv", "--pdeathsig", "TERM"];
  return Bun.spawn([...endsWithTest, process.execPath, script], { stdout: "pipe", stderr: "inherit" });
}

describe("a running Internet", () => {
  let net: Internet;
  beforeAll(async () => {
    net = await Internet.start(testInternet);
  });
  afterAll(() => net.stop());

  test("has a namespace for each node, by the pid of its maker", () => {
    const names = labNamespaces();
    for (const { name } of net.topology.nodes) {
      expect(names).toContain(net.namespaceOf(name));
    }
    expect(net.namespaceOf("east")).toContain(String(process.pid));
  });

  test("has an open port at the kernel's target, of both families, from both vantage points", async () => {
    const script =
      "for (const hostname of process.argv.slice(1)) " +
      "(await Bun.connect({ hostname, port: 80, socket: { data() {} } })).end()";
    for (const vantage of ["east", "west"]) {
      await run(net.at(vantage, [process.execPath, "-e", script, "203.0.113.10", "2001:db8:cb::10"]));
    }
  });

  test("has no link to the namespace of the machine", async () => {
    for (const { name } of net.topology.nodes) {
      const shown = await run(["ip", "-n", net.namespaceOf(name), "-details", "-oneline", "link"]);
      for (const line of shown.trim().split("\n")) {
        // A veth says where its peer is; the responder's pair has both ends in the same namespace.
        expect(line).toMatch(/ (lo|responder|responder-far)[:@]|link-netns vlab/);
      }
    }
  });

  longTest("takes a second one beside it", async () => {
    await using second = await Internet.start(testInternet);
    expect(second.namespaceOf("east")).not.toBe(net.namespaceOf("east"));
    await run(second.at("east", ["true"]));
    await run(net.at("east", ["true"]));
  });
});

describe("the end of an Internet", () => {
  test("leaves no namespace and no process", async () => {
    const net = await Internet.start(testInternet);
    const namespaces = net.topology.nodes.map((node) => net.namespaceOf(node.name));
    const pids = processesIn(namespaces);
    const helpers = net.topology.nodes.flatMap((node) => [node.responder, node.openTcpPort]);
    expect(pids.length).toBe(helpers.filter((helper) => helper !== undefined).length);
    await net.stop();
    expect(labNamespaces().filter((name) => namespaces.includes(name))).toEqual([]);
    expect(readdirSync("/proc").filter((entry) => pids.includes(Number(entry)))).toEqual([]);
  });

  test("ends what still runs inside", async () => {
    const net = await Internet.start(testInternet);
    const child = Bun.spawn(net.at("east", ["sleep", "1000"]));
    await until(() => readlinkSync(`/proc/${child.pid}/ns/net`) !== readlinkSync("/proc/self/ns/net"));
    await net.stop();
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
  });

  test.each(inTier({ usual: ["SIGTERM"] as const, long: ["SIGHUP", "SIGINT", "SIGTERM"] as const }))(
    "by %s cleans up",
    async (signal) => {
      const holder = hold();
      const namespaces = await readNamespaces(holder.stdout);
      expect(namespaces.length).toBe(testInternet.nodes.length);
      holder.kill(signal);
      await holder.exited;
      expect(labNamespaces().filter((name) => namespaces.includes(name))).toEqual([]);
    },
  );

  test("by a signal while it is being made leaves nothing half made", async () => {
    for (const delayMs of [40, 60, 80, 100, 120, 150, 180]) {
      const holder = hold();
      await Bun.sleep(delayMs);
      holder.kill("SIGTERM");
      expect(await holder.exited).toBe(143);
      expect(labNamespaces().filter((name) => name.startsWith(`vlab${holder.pid}x`))).toEqual([]);
    }
  });

  test("by SIGKILL ends its processes, and the next start removes its namespaces", async () => {
    const holder = hold();
    const namespaces = await readNamespaces(holder.stdout);
    const pids = processesIn(namespaces);
    holder.kill("SIGKILL");
    await holder.exited;
    await until(() => !pids.some((pid) => processesIn(namespaces).includes(pid)));
    await using _next = await Internet.start(testInternet);
    expect(labNamespaces().filter((name) => namespaces.includes(name))).toEqual([]);
  });
});

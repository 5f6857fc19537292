/** `npm run demo` as a person runs it: what it shows, how it ends, and what it leaves behind. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { longTest } from "../run/long-test.ts";
import { saidBy } from "../run/said.ts";
import { namespaceFolder } from "./namespaces.ts";

const root = join(import.meta.dirname, "../..");
const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

function startDemo(
  scenes: readonly number[],
  { tree = root, wrapper = [] as readonly string[], bun = process.execPath } = {},
) {
  const script = join(tree, "tests/lab/demo.ts");
  const endsWithTest = ["setpriv", "--pdeathsig", "TERM"];
  const command = [...wrapper, ...endsWithTest, bun, script, ...scenes.map(String)];
  return Bun.spawn(command, { cwd: tree, stdout: "pipe", stderr: "pipe", stdin: "ignore" });
}

async function ended(demo: ReturnType<typeof startDemo>): Promise<Ended> {
  return await saidBy(demo);
}

/** Namespaces that a process of this pid made. */
const namespacesOf = (pid: number): string[] =>
  readdirSync(namespaceFolder).filter((name) => name.startsWith(`vlab${pid}x`));

/** Processes whose command line holds `text`. */
async function processesWith(text: string): Promise<string[]> {
  const listed = await new Response(Bun.spawn(["ps", "-eo", "pid,args"]).stdout).text();
  return listed.split("\n").filter((line) => line.includes(text));
}

describe("as root", () => {
  test("shows branches, the silent router, labels, delays, a lie and the pipeline, and leaves nothing behind", async () => {
    const demo = startDemo([]);
    const { exitCode, stdout, stderr } = await ended(demo);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    for (const shown of [
      "10.255.0.4",
      "10.255.0.6",
      "2001:db8:255::4",
      "2001:db8:255::6",
      "24015",
      "3001",
      "24016",
    ]) {
      expect(stdout).toContain(shown);
    }
    expect(stdout).toMatch(/10\.200\.0\.13 +0 % +30\d/);
    expect(stdout).toMatch(/6 +○ +\* no answer/);
    expect(stdout).toMatch(/SYN-ACK[\s\S]*RST/);
    expect(stdout).toContain("administratively prohibited");
    expect(stdout).not.toContain("2001:db8:200::22");
    expect(stdout).toContain("64 of 72 probes answered");
    expect(stdout).toMatch(/status +cancelled/);
    // The first measurement's probes, and what was sent of the cancelled one.
    const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]?.replaceAll(",", ""));
    const sent = figure(/^sent +([\d,]+) of 8,100$/m);
    expect(figure(/^used today +([\d,]+) of 100,000,000 probes$/m)).toBe(72 + sent);
    expect(stdout).toContain("| vantage client --config=client.yaml --wait east:10.110.0.9");
    expect(stdout).toContain("east has finished: 10 probes");
    expect(stdout).toMatch(/probes of +instance +heard by[\s\S]*east +1 +west +\d/);
    expect(namespacesOf(demo.pid)).toEqual([]);
  });

  longTest("runs again at once", async () => {
    expect((await ended(startDemo([1]))).exitCode).toBe(0);
  });

  test("interrupted, cleans up and says so by its exit code", async () => {
    const demo = startDemo([5]);
    for await (const chunk of demo.stdout) {
      if (new TextDecoder().decode(chunk).includes("$ vantage trace")) {
        break;
      }
    }
    expect(namespacesOf(demo.pid).length).toBeGreaterThan(10);
    demo.kill("SIGINT");
    expect(await demo.exited).toBe(130);
    expect(namespacesOf(demo.pid)).toEqual([]);
  });

  test("fails when a trace fails", async () => {
    const wrapper = ["setpriv", "--bounding-set=-net_raw", "--inh-caps=-net_raw"];
    const { exitCode, stdout, stderr } = await ended(startDemo([1], { wrapper }));
    expect(exitCode).toBe(1);
    expect(stdout).toContain("0 of 1 scenes");
    expect(stderr).toContain("CAP_NET_RAW");
  });

  test("refuses a scene that is not there", async () => {
    const { exitCode, stderr } = await ended(startDemo([99]));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Cannot play that scene: [^\n]+\n$/);
  });
});

describe("as another user", () => {
  let tree: string;
  const inTree = (path: string) => join(tree, path);

  /** A clone may lie where others cannot read, so they get a copy. */
  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), "vantage-lab-"));
    for (const part of ["apps", "ffi", "lib", "tests", "package.json", "tsconfig.json"]) {
      cpSync(join(root, part), inTree(part), { recursive: true });
    }
    for (const name of ["ipaddr.js", "capnp-es", "valibot"]) {
      cpSync(join(root, "node_modules", name), inTree(`node_modules/${name}`), { recursive: true });
    }
    cpSync(process.execPath, inTree("bun"));
    Bun.spawnSync(["chmod", "-R", "a+rX", tree]);
  });
  afterAll(() => rmSync(tree, { recursive: true }));

  test("works in a user namespace, and leaves nothing behind", async () => {
    const { exitCode, stdout, stderr } = await ended(
      startDemo([4, 6], { tree, wrapper: nobody, bun: inTree("bun") }),
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("MPLS 24015");
    expect(await processesWith(tree)).toEqual([]);
  });

  longTest("interrupted, leaves no process behind", async () => {
    const demo = startDemo([5], { tree, wrapper: nobody, bun: inTree("bun") });
    for await (const chunk of demo.stdout) {
      if (new TextDecoder().decode(chunk).includes("$ vantage trace")) {
        break;
      }
    }
    demo.kill("SIGTERM");
    expect(await demo.exited).toBe(143);
    while ((await processesWith(tree)).length > 0) {
      await Bun.sleep(20);
    }
  });

  test("where the kernel lets nobody make namespaces, says in one line what to do", async () => {
    const wrapper = [
      "unshare",
      "--user",
      "--map-root-user",
      "sh",
      "-c",
      'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all --bounding-set=-all "$@"',
      "sh",
    ];
    const { exitCode, stderr } = await ended(startDemo([1], { wrapper }));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Cannot make network namespaces: run as root[^\n]+\n$/);
  });
});

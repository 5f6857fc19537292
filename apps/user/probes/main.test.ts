/** The command as its users run it: a process, its streams, its exit code. */
import { describe, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const vantage = join(import.meta.dirname, "../../vantage.ts");

function probes(args: string[], input = "") {
  const { stdout, stderr, status } = spawnSync(process.execPath, [vantage, "probes", ...args], {
    input,
    encoding: "utf8",
  });
  return { lines: stdout.split("\n").slice(0, -1), stderr, status };
}

test("lines are addresses × flows × TTLs", () => {
  const args = ["--no-shuffle", "--ttl", "2-3", "--flows", "2", "-p", "icmp", "192.0.2.1", "2001:db8::1"];
  expect(probes(args)).toEqual({
    lines: [
      "192.0.2.1,24000,33434,2,ICMP",
      "192.0.2.1,24000,33434,3,ICMP",
      "192.0.2.1,24001,33434,2,ICMP",
      "192.0.2.1,24001,33434,3,ICMP",
      "2001:db8::1,24000,33434,2,ICMPv6",
      "2001:db8::1,24000,33434,3,ICMPv6",
      "2001:db8::1,24001,33434,2,ICMPv6",
      "2001:db8::1,24001,33434,3,ICMPv6",
    ],
    stderr: "",
    status: 0,
  });
});

test("ports and protocol are as asked", () => {
  const args = ["--ttl", "9", "--src-port", "5", "--dst-port", "443", "-p", "TCP", "192.0.2.1"];
  expect(probes(args).lines).toEqual(["192.0.2.1,5,443,9,TCP"]);
});

test("the same seed gives the same bytes, another one another order of the same lines", () => {
  const linesOf = (...args: string[]) => probes(["--all", "192.0.2.0/25", ...args]).lines;
  const first = linesOf("--seed", "1");
  expect(first).toHaveLength(128 * 32);
  expect(linesOf("--seed", "1")).toEqual(first);
  const second = linesOf("--seed", "2");
  expect(second).not.toEqual(first);
  const ordered = linesOf("--no-shuffle");
  expect(first.toSorted()).toEqual(ordered.toSorted());
  expect(second.toSorted()).toEqual(ordered.toSorted());
  expect(first).not.toEqual(ordered);
});

test("targets come from arguments, files and standard input together", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-probes-"));
  try {
    const file = join(folder, "targets.txt");
    writeFileSync(file, "# two\r\n\r\n192.0.2.2 \r\n192.0.2.4/31");
    const args = ["--no-shuffle", "--ttl", "1", "--all", "192.0.2.1", "-f", file, "-f", "-"];
    expect(probes(args, "2001:db8::1\n").lines.map((line) => line.split(",")[0])).toEqual([
      ...["192.0.2.1", "192.0.2.2", "192.0.2.4", "192.0.2.5", "2001:db8::1"],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe("wrong usage ends with 2 and a line that names it", () => {
  test.each([
    [[], "TARGET is missing"],
    [["host.example"], '"host.example" is neither an address nor a prefix'],
    [["192.0.2.1/24"], '"192.0.2.1/24" is not a prefix: it has bits behind its length: write 192.0.2.0/24'],
    [["192.0.2.1:443"], "it has a port: write 192.0.2.1, and give port 443 by itself"],
    [["https://192.0.2.1/"], "it is a URL: write its host, 192.0.2.1"],
    [["--ttl", "0", "192.0.2.1"], '--ttl "0" is not a number from 1 to 255'],
    [["--ttl", "9-3", "192.0.2.1"], '--ttl "9-3"'],
    [["--ttl", "1-2-3", "192.0.2.1"], '--ttl "1-2-3"'],
    [["--flows", "x", "192.0.2.1"], '--flows "x"'],
    [["--src-port", "65536", "192.0.2.1"], '--src-port "65536"'],
    [["--flows", "11", "--src-port", "65526", "192.0.2.1"], "only 10 ports"],
    [["-p", "sctp", "192.0.2.1"], '--protocol "sctp" is not one of udp, icmp, icmpv6, tcp'],
    [["-p", "icmpv6", "192.0.2.1"], "-p icmpv6 cannot go to 192.0.2.1"],
    [["--all", "2001:db8::/64"], "--per-prefix"],
    [["--all", "--per-prefix", "2", "192.0.2.1"], "--all does not go with --per-prefix"],
    [["--bogus", "192.0.2.1"], 'There is no option "--bogus"'],
    [["--seed"], "--seed"],
    [["-f", "-", "-f", "-"], "only once"],
    [
      ["--flows", "65536", "--src-port", "0", "--all", ...Array(33).fill("10.0.0.0/8")],
      "lines are more than",
    ],
  ])("%j", (args, message) => {
    const { lines, stderr, status } = probes(args);
    expect([lines, status]).toEqual([[], 2]);
    expect(stderr).toContain(message);
    expect(stderr.split("\n")).toHaveLength(2);
  });
});

describe("a failure ends with 1 and a line that names the place", () => {
  test.each([
    [["-f", "/nowhere/targets.txt"], "", "Cannot read /nowhere/targets.txt: there is no such file"],
    [
      ["-f", "-"],
      "192.0.2.1\n\nx\u001b[31m",
      'standard input:3: "x?[31m" is neither an address nor a prefix',
    ],
    [["-f", "-"], `#\n${"1".repeat(2000)}`, "standard input:2: Line has 2000 bytes"],
    [["-f", "-"], "# none\n", "No target in -"],
  ])("%j", (args, input, message) => {
    const { lines, stderr, status } = probes(args, input);
    expect([lines, status]).toEqual([[], 1]);
    expect(stderr).toContain(message);
  });
});

test("--help shows examples", () => {
  const { lines, status } = probes(["--help"]);
  expect(status).toBe(0);
  expect(lines.join("\n")).toContain("vantage probes --flows 16");
});

test("a full disk is a failure with a reason", () => {
  const full = openSync("/dev/full", "w");
  const args = [vantage, "probes", "192.0.2.1"];
  const { status, stderr } = spawnSync(process.execPath, args, {
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect([status, stderr]).toEqual([
    1,
    "vantage probes: Cannot write to standard output: the disk is full\n",
  ]);
});

test("a reader that leaves early ends a run of billions of lines", async () => {
  const child = spawn(process.execPath, [vantage, "probes", "--all", "--flows", "1000", "10.0.0.0/8"]);
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});

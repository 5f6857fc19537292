/** What `vantage client` refuses: lines, files, options, configurations; each with the one line that it gives. */
import { describe, expect, test } from "bun:test";
import { ClientPlace, probeLines } from "./client-process.ts";

const two = "192.0.2.1,24000,33434,7,UDP\n2001:db8::1,24000,0,9,icmpv6\n";

describe("bad lines", () => {
  const bad = `${probeLines(3)}192.0.2.1,1,2,0,UDP\nnonsense\n${probeLines(1)}`;

  test("publish nothing, and each is reported with its line", async () => {
    await using place = new ClientPlace();
    const { exitCode, stdout, stderr } = await place.run(["west"], bad);
    const file = `${place.folder}/input.csv`;
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toEqual([
      `vantage client: ${file}:4: TTL "0" is not a number from 1 to 255`,
      `vantage client: ${file}:5: Expected 5 fields (dst,src_port,dst_port,ttl,protocol), found 1`,
      "vantage client: 2 bad lines, so nothing is published; correct them, or leave them out with --skip-bad",
    ]);
    expect(await place.records()).toEqual([]);
  });

  test("with --skip-bad are left out and counted, and the exit code says so", async () => {
    await using place = new ClientPlace();
    const { exitCode, stdout, stderr } = await place.run(["--skip-bad", "-o", "json", "west"], bad);
    expect([exitCode, stderr.length]).toEqual([3, 2]);
    expect(JSON.parse(stdout)).toMatchObject({ probes: 4, published_probes: 4, skipped_lines: 2 });
    expect((await place.records()).map(({ value }) => value.length)).toEqual([4 * 48]);
  });

  test("of many the first are shown", async () => {
    await using place = new ClientPlace();
    const { exitCode, stderr } = await place.run(["west"], "x\n".repeat(1000));
    expect([exitCode, stderr.length]).toEqual([1, 11]);
    expect(stderr.at(-1)).toContain("1,000 bad lines");
  });
});

describe("what cannot work ends with one line that says why", () => {
  test.each<[string, string[], string | null, number, string]>([
    ["no lines", ["west"], "# none\n", 1, "No probe line in INPUT"],
    ["only bad lines", ["--skip-bad", "west"], "x\n", 1, "No probe line in INPUT besides 1 bad line"],
    [
      "no such file",
      ["-p", "/nowhere/p.csv", "west"],
      null,
      1,
      "Cannot read /nowhere/p.csv: there is no such file",
    ],
    ["a folder", ["-p", "/", "west"], null, 1, "Cannot read /: it is a folder"],
    ["no targets", [], two, 2, "TARGETS is missing: agents, with commas between them and no spaces"],
    ["a bad target", ["a:b"], two, 2, '"a:b" is not a target: "b" is not an address'],
    ["a bad option", ["--bogus", "west"], two, 2, 'There is no option "--bogus"'],
    [
      "no folder for the spool",
      ["--spool-dir", "/nowhere", "west"],
      two,
      1,
      "Cannot spool probes in /nowhere: there is no such file (see: --spool-dir)",
    ],
    [
      "no such configuration",
      ["-c", "/nowhere/c.yaml", "west"],
      two,
      2,
      "Cannot read the configuration /nowhere/c.yaml: there is no such file",
    ],
  ])("%s", async (_, args, input, code, message) => {
    await using place = new ClientPlace();
    const { exitCode, stdout, stderr } = await place.run(args, input);
    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr.at(-1)).toStartWith(
      `vantage client: ${message.replace("INPUT", `${place.folder}/input.csv`)}`,
    );
  });

  test.each([
    ["kafka: { brokers: 'embedded:/proc/none' }", 1, "/proc/none"],
    ["kafka: { brokers: 'http:x' }", 2, "http:x"],
    ["kafka: { broker: 'x' }", 2, 'client.yaml:1: kafka.broker: unknown key; did you mean "brokers"?'],
  ])("a broker that cannot be had: %s", async (config, code, message) => {
    await using place = new ClientPlace();
    place.file("client.yaml", config);
    const { exitCode, stdout, stderr } = await place.run(["west"], two);
    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr[0]).toContain(message);
    expect(stderr.length).toBeLessThanOrEqual(2);
  });
});

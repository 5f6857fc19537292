/** `vantage experiment check`: the plan of a file, and what stands against it; nobody is asked. */
import { expect, test } from "bun:test";
import { vantageCommand } from "../../run/vantage-command.ts";

const head =
  "experiment: sweep\nprefix: 2001:db8:51::/48\nprobe: {agents: [west], targets: [2001:db8:9::1]}\n";

function check(yaml: string, ...options: string[]) {
  const command = [...vantageCommand, "experiment", "check", ...options, "-"];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: Buffer.from(yaml) });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

test("a sweep is planned, a catchment behind each change", () => {
  const { exitCode, stdout, stderr } = check(
    `${head}sweep: {sites: [west, east], wait: 5m}\n`,
    "-o",
    "ndjson",
  );
  const actions = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { sec: number; kind: string; site: string | null });
  expect(actions.slice(0, 5).map(({ sec, kind, site }) => [sec, kind, site])).toEqual([
    [0, "announce", "west"],
    [0, "announce", "east"],
    [300, "catchment", null],
    [600, "announce", "west"],
    [900, "catchment", null],
  ]);
  expect(actions.filter(({ kind }) => kind === "catchment")).toHaveLength(9);
  expect(stderr).toContain("changes of BGP, 9 probes, over after");
  expect(stderr).toMatch(/When it is over, west takes [45] of 5 changes of the prefix in a row/);
  expect(exitCode).toBe(0);
});

test("without a gateway exchanges are taken to have all their changes, as many as is said", () => {
  const steps = [0, 60, 120].map((at, prepend) => `{at: ${at}, announce: {sites: all, prepend: ${prepend}}}`);
  const yaml = `${head}steps: [${steps.join(", ")}]\n`;
  const options = ["--sites=west", "--spacing=1s"];
  expect(check(yaml, ...options)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(
      "When it is over, west takes 2 of 5 changes of the prefix in a row, and one more 0:10:00",
    ),
  });
  expect(check(yaml, ...options, "--burst=2", "--refill=5m")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('steps[2]: the exchange server "west" would refuse the change at 120 s'),
  });
  expect(check(yaml, ...options, "--ask").exitCode).toBe(2);
});

test("what stands against it is said, and is a failure; so is a file that is wrong, with its places", () => {
  const quick = "steps: [{at: 0, announce: {sites: all}}, {at: 60, withdraw: {sites: all}}]\n";
  const tooOften = check(head + quick, "--sites=west");
  expect(tooOften.stderr).toContain("The change at 60 s is less than 600 s after the previous one");
  expect(tooOften.exitCode).toBe(1);
  const wrong = check(`${head}steps: [{at: 0, announce: {sites: all, prepend: 11}}]\n`);
  expect(wrong.stderr).toContain(
    "standard input: steps.0.announce.prepend must be a whole number from 0 to 10",
  );
  expect(wrong.exitCode).toBe(1);
  expect(check(head + quick).stderr).toContain("uses sites: all; list the exchange servers with --sites");
});

/** The executable as its users run it: a process, its streams, its exit code. */
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };

const commands = ["trace", "ping", "probes"];

function vantage(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "vantage.ts"), ...args],
    { encoding: "utf8", env: { ...process.env, ...environment } },
  );
  return { stdout, stderr, status };
}

test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("vantage %j names every command", (args) => {
  const { stdout, stderr, status } = vantage(args);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  for (const command of commands) {
    expect(stdout).toMatch(new RegExp(`^ {2}${command} +\\w`, "m"));
  }
});

describe("the help of a command", () => {
  test.each([...commands, "version"])("vantage help %s is what the command itself says", (command) => {
    const { stdout, stderr, status } = vantage(["help", command]);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toStartWith(`vantage ${command}: `);
    expect(stdout).toContain(`\n  vantage ${command} [options]`);
    expect(vantage([command, "--help"])).toEqual({ stdout, stderr, status });
  });

  test("is refused for a command that there is not", () => {
    expect(vantage(["help", "trcae"])).toEqual(vantage(["trcae"]));
  });
});

test.each(["version", "--version", "-V", "-v"])("vantage %s gives version and commit", (option) => {
  const commit = { VANTAGE_COMMIT: "0123456789ab" };
  expect(vantage([option], commit)).toEqual({
    ...{ stdout: `vantage ${packageJson.version} (0123456789ab)\n`, stderr: "", status: 0 },
  });
});

describe("a command that there is not", () => {
  test.each([
    ["trcae", '; did you mean "trace"?'],
    ["pin", '; did you mean "ping"?'],
    ["pings", '; did you mean "ping"?'],
    ["probe", '; did you mean "probes"?'],
    ["Trace", '; did you mean "trace"?'],
    ["trick", '; did you mean "trace"?'],
    ["tricky", ""],
    ["measure", ""],
  ])('"%s" is wrong usage%s', (name, suggestion) => {
    const see = suggestion === "" ? "; s" : " S";
    expect(vantage([name])).toEqual({
      stdout: "",
      stderr: `vantage: There is no command "${name}"${suggestion}${see}ee vantage --help\n`,
      status: 2,
    });
  });
});

test("an option that there is not is wrong usage", () => {
  expect(vantage(["--verbose"])).toEqual({
    stdout: "",
    stderr: 'vantage: There is no option "--verbose"; see vantage --help\n',
    status: 2,
  });
});

describe("a command's own mistakes", () => {
  test.each([
    [["trace"], "TARGET is missing: addresses or host names, or a --file of them"],
    [["trace", "--rate", "abc", "x"], '--rate "abc" is not a number from 1 to 1000000'],
    [["ping", "--tracing", "192.0.2.1"], 'There is no option "--tracing"'],
  ])("%j is wrong usage, by one line that names it", ([command = "", ...args], message) => {
    expect(vantage([command, ...args])).toEqual({
      stdout: "",
      stderr: `vantage ${command}: ${message}; see vantage ${command} --help\n`,
      status: 2,
    });
  });

  test("a target that cannot be is a failure, by one line", () => {
    expect(vantage(["trace", "-4", "2001:db8::1"])).toEqual({
      stdout: "",
      stderr: "vantage trace: Cannot trace 2001:db8::1 with -4: it is an IPv6 address\n",
      status: 1,
    });
  });
});

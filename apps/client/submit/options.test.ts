import { describe, expect, test } from "bun:test";
import { parseOptions } from "./options.ts";

const needed = ["--config=c.yaml", "west"];

function optionsOf(...args: string[]) {
  const parsed = parseOptions(args);
  return parsed.kind === "run" ? parsed.options : parsed;
}

test("a configuration and targets are enough", () => {
  expect(optionsOf(...needed)).toEqual({
    config: "c.yaml",
    targets: [{ agent: "west", source: null }],
    files: ["-"],
    measurementId: null,
    skipBad: false,
    wait: null,
    expiryMs: null,
    spoolDir: null,
    output: "text",
  });
});

test("each option is taken", () => {
  const args = ["-p", "a.csv", "-p", "-", "--measurement-id", "m-1", "--skip-bad", "--no-wait"];
  expect(
    optionsOf("-c", "c.yaml", ...args, "--expires", "2h", "--spool-dir", "d", "-o", "json", "west"),
  ).toEqual({
    config: "c.yaml",
    targets: [{ agent: "west", source: null }],
    files: ["a.csv", "-"],
    measurementId: "m-1",
    skipBad: true,
    wait: false,
    expiryMs: 7_200_000,
    spoolDir: "d",
    output: "json",
  });
});

test("--wait is not the same as nothing", () => {
  expect(optionsOf(...needed, "--wait")).toMatchObject({ wait: true });
});

test("help needs nothing else", () => {
  expect(parseOptions(["-h"])).toEqual({ kind: "help" });
});

describe("a wrong command line gets one line that names what is wrong", () => {
  test.each([
    [["west"], "Name the configuration file with --config=FILE"],
    [["--config=", "west"], "Name the configuration file with --config=FILE"],
    [["-c", "c.yaml"], "Name the targets: agent or agent:address, with commas between them"],
    [[...needed, "east"], 'Write the targets as one comma list without spaces, not "east" apart'],
    [["-c", "c.yaml", "a,,b"], 'There is an empty target in "a,,b": name agents as agent or agent:address'],
    [[...needed, "-p", "-", "-p", "-"], "-p - stands for standard input, which can be read only once"],
    [[...needed, "-p", ""], "-p names no file"],
    [
      [...needed, "--measurement-id", "a b"],
      '--measurement-id "a b": give 1 to 128 letters, digits or . : @ + - _, as a rule a UUID',
    ],
    [
      [...needed, "--measurement-id", ""],
      '--measurement-id "": give 1 to 128 letters, digits or . : @ + - _, as a rule a UUID',
    ],
    [[...needed, "--expires", "5"], '--expires "5": give a time up to 366d, as 90s, 30m, 12h or 2d'],
    [[...needed, "--expires", "0s"], '--expires "0s": give a time up to 366d, as 90s, 30m, 12h or 2d'],
    [[...needed, "--expires", "367d"], '--expires "367d": give a time up to 366d, as 90s, 30m, 12h or 2d'],
    [[...needed, "-o", "csv"], '-o "csv": give one of text, json'],
    [[...needed, "--bogus"], "Unknown option '--bogus'"],
  ])("%j", (args, message) => {
    expect(parseOptions(args)).toEqual({ kind: "wrong", message });
  });
});

import { describe, expect, test } from "bun:test";
import { parseGiven } from "../../../../lib/command/command/parse.ts";
import { clientArguments, clientOptions, clientOrder } from "./options.ts";

const needed = ["--config=c.yaml", "west"];

function optionsOf(...args: string[]) {
  return clientOrder(parseGiven(args, clientOptions, clientArguments));
}

test("a configuration and targets are enough", () => {
  expect(optionsOf(...needed)).toMatchObject({
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
  ).toMatchObject({
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

describe("a wrong command line gets one line that names what is wrong", () => {
  test.each([
    [["west"], "--config is missing: a file with the broker's address (YAML; below)"],
    [["--config=", "west"], '--config "" is empty'],
    [["-c", "c.yaml"], "TARGETS is missing: agents, with commas between them and no spaces"],
    [[...needed, "east"], 'there is an argument too many: "east"'],
    [["-c", "c.yaml", "a,,b"], 'There is an empty target in "a,,b": name agents as agent or agent:address'],
    [[...needed, "-p", "-", "-p", "-"], "-p - stands for standard input, which can be read only once"],
    [[...needed, "-p", ""], '--probes-file "" is empty'],
    [
      [...needed, "--measurement-id", "a b"],
      '--measurement-id "a b" is not 1 to 128 letters, digits or . : @ + - _, as a rule a UUID',
    ],
    [
      [...needed, "--measurement-id", ""],
      '--measurement-id "" is not 1 to 128 letters, digits or . : @ + - _, as a rule a UUID',
    ],
    [[...needed, "--expires", "0s"], '--expires "0s" is not a time up to 366d, as 90s, 30m or 2d'],
    [[...needed, "--expires", "367d"], '--expires "367d" is not a time up to 366d, as 90s, 30m or 2d'],
    [[...needed, "-o", "csv"], '--output "csv" is not one of text, json'],
    [[...needed, "--bogus"], 'there is no option "--bogus"'],
  ])("%j", (args, message) => {
    expect(() => optionsOf(...args)).toThrow(message);
  });
});

/** What every command and subcommand has alike: its help, and what it says of a wrong command line. */
import { beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { commandGroups } from "../../../apps/command-groups.ts";
import { root } from "../../../apps/commands.ts";
import { type DescribedCommand, describe as describeAll } from "../../../lib/command/command/describe.ts";
import { optionName } from "../../../lib/command/command/table.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const [program = "", ...script] = vantageCommand;
const commands = (await describeAll(root, "")).filter(({ name }) => name !== "");
const names = commands.map(({ name }) => name);

interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** What the process says; one at a time for each core. */
function vantage(name: string, ...args: string[]): Promise<Said> {
  const child = spawn(program, [...script, ...name.split(" "), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => {
    said.stdout += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    said.stderr += data.toString();
  });
  return new Promise((resolve) => child.on("close", (status) => resolve({ ...said, status })));
}

const commandOf = new Map(commands.map((described) => [described.name, described]));

function described(name: string): DescribedCommand {
  const found = commandOf.get(name);
  if (found === undefined) {
    throw new Error(`There is no command ${name}`);
  }
  return found;
}

test("there are as many commands as the house has, each with a purpose of its own", () => {
  expect(names.length).toBeGreaterThan(55);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, purpose } of commands) {
    expect({ name, purpose }).toEqual({ name, purpose: expect.stringMatching(/^[a-zA-Z].{5,90}[^.]$/) });
  }
});

test("the program's help shows each command under one heading", () => {
  const grouped = commandGroups.flatMap(([, shown]) => shown);
  expect(grouped.toSorted()).toEqual(names.filter((name) => !name.includes(" ")).toSorted());
});

test.each(names)("vantage %s has examples, and options that fit together", (name) => {
  const { command } = described(name);
  const options = command.options ?? {};
  if (command.run !== null) {
    expect(command.examples?.length ?? 0).toBeGreaterThan(name === "version" ? -1 : 0);
  }
  const shorts = Object.values(options).flatMap(({ short }) => short ?? []);
  expect(new Set([...shorts, "h"]).size).toBe(shorts.length + 1);
  for (const { notWith = [], needs = [] } of Object.values(options)) {
    expect(Object.keys(options)).toEqual(expect.arrayContaining([notWith, needs].flat()));
  }
});

describe("--help goes to standard output, with every option, and ends with 0", () => {
  test.each(names)("vantage %s --help", async (name) => {
    const { stdout, stderr, status } = await vantage(name, "--help");
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toStartWith(`vantage ${name}: `);
    expect(stdout).toContain(`\n  vantage ${name}`);
    for (const [option, { hidden }] of Object.entries(described(name).command.options ?? {})) {
      const known = new RegExp(`--(no-)?${optionName(option)}\\b`);
      expect([option, known.test(stdout)]).toEqual([option, hidden !== true]);
    }
    const wide = stdout.split("\n").filter((line) => line.length > 140);
    expect(wide).toEqual([]);
  });
});

describe("a mistyped option is wrong usage, with the one that was meant, on standard error", () => {
  test.each(names)("vantage %s", async (name) => {
    const { stdout, stderr, status } = await vantage(name, "--hellp");
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    const { command } = described(name);
    const meant = command.run === null ? "; s" : '; did you mean "--help"? S';
    expect(stderr).toBe(`vantage ${name}: There is no option "--hellp"${meant}ee vantage ${name} --help\n`);
  });
});

/** Those that need an argument, an option or a command, with what is said when it is not there. */
const missing = commands.flatMap(({ name, command }): [string, string][] => {
  const option = Object.entries(command.options ?? {}).find(
    ([, one]) => "required" in one && one.required === true,
  );
  const argument = Object.values(command.arguments ?? {}).find(({ required }) => required === true);
  if (command.run === null) {
    return [[name, "COMMAND is missing: give one of "]];
  }
  if (option !== undefined) {
    return [[name, `--${optionName(option[0])} is missing: ${option[1].meaning}`]];
  }
  const word = argument?.placeholder ?? argument?.kind.placeholder;
  return argument === undefined ? [] : [[name, `${word} is missing: ${argument.meaning}`]];
});

describe("what is missing is wrong usage, on standard error", () => {
  beforeAll(() => {
    expect(missing.length).toBeGreaterThan(30);
  });

  test.each(missing)("vantage %s: %s", async (name, message) => {
    const { stdout, stderr, status } = await vantage(name);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(stderr).toStartWith(`vantage ${name}: ${message}`);
    expect(stderr).toEndWith(`; see vantage ${name} --help\n`);
    expect(stderr.split("\n")).toHaveLength(2);
  });
});

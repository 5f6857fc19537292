import { describe, expect, test } from "bun:test";
import { parseCommandLine, UsageError } from "./command-line.ts";

const options = {
  rate: { type: "string", short: "r", default: "5" },
  loud: { type: "boolean" },
  file: { type: "string", multiple: true },
} as const;

function parse(...args: string[]) {
  return parseCommandLine(args, {
    options,
    check: ({ rate, loud, file = [] }, positionals) => {
      if (rate === "0") {
        throw new UsageError("--rate 0 is too slow");
      }
      return { rate, loud: loud ?? null, file, positionals };
    },
  });
}

test("options are checked with their defaults", () => {
  const nothing = { rate: "5", loud: null, file: [], positionals: [] };
  expect(parse()).toEqual({ kind: "run", options: nothing });
  expect(parse("-r", "7", "--no-loud", "--file=a", "--file", "b", "x")).toEqual({
    kind: "run",
    options: { rate: "7", loud: false, file: ["a", "b"], positionals: ["x"] },
  });
});

test.each([[["-h"]], [["--help"]], [["x", "--help", "--rate", "0"]]])("%j asks for help", (args) => {
  expect(parse(...args)).toEqual({ kind: "help" });
});

describe("what is wrong is one line", () => {
  test.each([
    [["--rate", "0"], "--rate 0 is too slow"],
    [["--rat", "1"], "Unknown option '--rat'"],
    [["--rate"], "Option '-r, --rate <value>' argument missing"],
    [["--loud=yes"], "Option '--loud' does not take an argument"],
  ])("%j", (args, message) => {
    expect(parse(...args)).toEqual({ kind: "wrong", message });
  });

  test("and no other failure is taken for one", () => {
    const check = () => {
      throw new TypeError("a mistake of ours");
    };
    expect(() => parseCommandLine([], { options, check })).toThrow("a mistake of ours");
  });
});

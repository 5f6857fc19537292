import { expect, test } from "bun:test";
import { defineCommand, defineGroup, subcommand } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { helpText } from "./help-text.ts";
import { choice, number, text } from "./kinds.ts";

const long = Array.from({ length: 30 }, () => "words").join(" ");
const command = defineCommand({
  about: `Above: ${long}\n  as it is`,
  options: {
    output: { kind: choice(["table", "json"], "FORMAT"), short: "o", default: "table", meaning: "a form" },
    rate: { kind: number(1, 9), required: true, meaning: "how fast" },
    loud: { flag: true, default: false, meaning: long },
    live: { flag: true, default: true, meaning: "draws nothing" },
    wait: { flag: true, meaning: "waits or not" },
    child: { flag: true, hidden: true, meaning: "of our own" },
    aNameThatIsVeryLong: { kind: text, multiple: true, meaning: "fits no column" },
  },
  arguments: {
    id: { kind: text, placeholder: "ID", required: true, meaning: "which" },
    more: { kind: text, many: true, meaning: "others" },
  },
  notes: "Below.",
  examples: ["vantage x 1", ["vantage x 1 2", "two"]],
  exits: { partial: "in part" },
  act: () => exitCodes.ok,
});

test("help has a line for each argument and option, long ones in a column of their own", () => {
  const words = (count: number) => Array.from({ length: count }, () => "words").join(" ");
  expect(helpText({ name: "x", purpose: "does things", command }).split("\n")).toEqual([
    ...["vantage x: does things", "", "  vantage x --rate N [options] ID [TEXT...]", ""],
    ...[`Above: ${words(18)}`, words(12), "  as it is", ""],
    "  ID                          which",
    "  TEXT                        others",
    "  -o, --output FORMAT         a form: table, json (default: table)",
    "      --rate N                how fast",
    `      --loud                  ${words(14)}`,
    `                              ${words(14)}`,
    "                              words words",
    "      --no-live               draws nothing",
    "      --wait, --no-wait       waits or not",
    "      --a-name-that-is-very-long TEXT",
    "                              fits no column (may be repeated)",
    "  -h, --help                  this text",
    ...["", "Below.", "", "Examples", "  vantage x 1", "  vantage x 1 2  # two", ""],
    "Exit codes: 0 done; 1 failure; 2 wrong usage; 3 in part.",
  ]);
});

test("a command of commands lists them", () => {
  const group = defineGroup({ subcommands: [subcommand("x", "does things", command)] });
  expect(helpText({ name: "g", purpose: "holds things", command: group }).split("\n")).toEqual([
    ...["vantage g: holds things", "", "  vantage g COMMAND [options]", "", "  x  does things", ""],
    "  -h, --help                  this text",
  ]);
});

test("many commands stand under headings, in columns of all", () => {
  const group = defineGroup({
    subcommands: ["a", "longer", "b"].map((name) => subcommand(name, `does ${name}`, command)),
    groups: [
      ["First", ["b"]],
      ["Then", ["longer", "a"]],
    ],
  });
  expect(helpText({ name: "g", purpose: "holds things", command: group }).split("\n").slice(4, 11)).toEqual([
    ...["First", "  b       does b", ""],
    ...["Then", "  longer  does longer", "  a       does a", ""],
  ]);
});

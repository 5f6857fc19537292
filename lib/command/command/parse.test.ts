import { describe, expect, test } from "bun:test";
import { choice, duration, file, milliseconds, number, text, time } from "./kinds.ts";
import { parseGiven } from "./parse.ts";

const options = {
  rate: { kind: number(1, 9), short: "r", default: 5, meaning: "probes a second" },
  waitMs: { kind: milliseconds(1, 6500), default: 2000, meaning: "how long an answer may take" },
  timeout: { kind: duration(86_400_000), needs: "loud", meaning: "how long" },
  since: { kind: time, meaning: "from when on" },
  form: { kind: choice(["table", "json"]), meaning: "form" },
  loud: { flag: true, default: false, short: "l", meaning: "print more" },
  live: { flag: true, default: true, meaning: "nothing is drawn" },
  wait: { flag: true, notWith: ["loud"], meaning: "wait, or not" },
  "no-export": { flag: true, meaning: "neighbours do not export it" },
  files: { kind: file, short: "f", multiple: true, meaning: "files" },
} as const;
const one = { id: { kind: text, placeholder: "ID", required: true, meaning: "a measurement" } } as const;
const more = { names: { kind: number(0, 3), placeholder: "NAME", many: true, meaning: "numbers" } } as const;

const given = (...args: string[]) => parseGiven(args, options, { ...one, ...more });

test("what is not given is its default, null or nothing", () => {
  const unset = {
    timeout: null,
    since: null,
    form: null,
    wait: null,
    "no-export": null,
    files: [],
    names: [],
  };
  expect(given("x")).toEqual({ rate: 5, waitMs: 2000, loud: false, live: true, id: "x", ...unset });
});

test.each<[string[], object]>([
  [["-r", "7"], { rate: 7 }],
  [["-r7"], { rate: 7 }],
  [["--rate=1", "--rate", "9"], { rate: 9 }],
  [["--no-live", "--loud", "--timeout", "5"], { live: false, loud: true, timeout: 5000 }],
  [["-l", "--timeout=5s"], { timeout: 5000 }],
  [["-l", "--timeout=500ms"], { timeout: 500 }],
  [["-l", "--timeout=2h"], { timeout: 7_200_000 }],
  [["--wait-ms", "500"], { waitMs: 500 }],
  [["--wait-ms", "5s"], { waitMs: 5000 }],
  [["--no-wait"], { wait: false }],
  [["--no-export"], { "no-export": true }],
  [["--no-no-export"], { "no-export": false }],
  [["-f", "a", "--files=-b"], { files: ["a", "-b"] }],
  [["--since", "2026-01-31T12:00:00Z"], { since: 1_769_860_800_000 }],
])("%j sets its options", (args, wanted) => {
  expect(given(...args, "x")).toMatchObject(wanted);
});

test("arguments stand behind each other, behind -- whatever they begin with", () => {
  expect(given("x", "1", "-l", "2")).toMatchObject({ id: "x", names: [1, 2], loud: true });
  expect(given("--", "-x")).toMatchObject({ id: "-x" });
});

describe("what is wrong is one line that names it", () => {
  test.each([
    [["--rate", "abc", "x"], '--rate "abc" is not a number from 1 to 9'],
    [["--rate=10", "x"], '--rate "10" is not a number from 1 to 9'],
    [["--rate=", "x"], '--rate "" is not a number from 1 to 9'],
    [["--rate=1.5", "x"], '--rate "1.5" is not a number from 1 to 9'],
    [["--wait-ms=7s", "x"], '--wait-ms "7s" is not a number of milliseconds from 1 to 6500'],
    [["-l", "--timeout", "soon", "x"], '--timeout "soon" is not a time up to 1d, as 90s, 30m or 2d'],
    [["-l", "--timeout", "2d", "x"], '--timeout "2d" is not a time up to 1d, as 90s, 30m or 2d'],
    [
      ["--since", "5", "x", "--since=soon"],
      '--since "soon" is not a time, as 30m, 2d or 2026-01-31T12:00:00Z',
    ],
    [["--form", "xml", "x"], '--form "xml" is not one of table, json'],
    [["--files=", "x"], '--files "" is empty'],
    [["--rat", "1", "x"], 'there is no option "--rat"; did you mean "--rate"?'],
    [["--no-liv", "x"], 'there is no option "--no-liv"; did you mean "--no-live"?'],
    [["--no-rate", "x"], 'there is no option "--no-rate"'],
    [["-x", "x"], 'there is no option "-x"'],
    [["x", "--rate"], "--rate needs a value: --rate N"],
    [["x", "-r"], "-r needs a value: -r N"],
    [["--rate", "-1", "x"], '--rate needs a value; write --rate=-1 if "-1" is meant'],
    [["--loud=yes", "x"], "--loud takes no value"],
    [["--no-live=yes", "x"], "--no-live takes no value"],
    [["--timeout", "5", "x"], "--timeout requires --loud"],
    [["--loud", "--no-wait", "x"], "--wait does not go with --loud"],
    [[], "ID is missing: a measurement"],
    [[""], 'ID "" is empty'],
    [["x", "1", "4"], 'NAME "4" is not a number from 0 to 3'],
  ])("%j", (args, message) => {
    expect(() => given(...args)).toThrow(expect.objectContaining({ code: "usage", message }));
  });

  test("an argument too many, and an option that must be given", () => {
    const needed = { config: { kind: file, required: true, meaning: "its configuration" } } as const;
    expect(() => parseGiven([], needed, {})).toThrow("--config is missing: its configuration");
    expect(() => parseGiven(["a", "b"], {}, one)).toThrow('there is an argument too many: "b"');
  });

  test("text of the user's drives no terminal", () => {
    expect(() => given("--rate", "\u001b[2J", "x")).toThrow('--rate "?[2J" is not a number from 1 to 9');
  });
});

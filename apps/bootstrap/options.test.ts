import { expect, test } from "bun:test";
import { parseCommandLine } from "../../lib/config/command-line.ts";
import { type Command, commandOf, options } from "./options.ts";

const read = (line: string) =>
  parseCommandLine<typeof options, Command>(line.split(" "), { options, check: commandOf });

test.each([
  ["announce 2001:db8:1::/48", { exchange: null, announce: true, prepend: 0 }],
  ["withdraw 2001:db8:1::/48 --exchange fra", { exchange: "fra", announce: false, prepend: 0 }],
  ["prepend 2001:db8:1::/48 3", { exchange: null, announce: true, prepend: 3 }],
])("%s", (line, order) => {
  expect(read(line)).toMatchObject({
    kind: "run",
    options: { order: { prefix: "2001:db8:1::/48", ...order } },
  });
});

test.each([
  ["join", "Give one of run"],
  ["announce", "Give announce PREFIX"],
  ["prepend 2001:db8:1::/48", "Give prepend PREFIX COUNT"],
  ["prepend 2001:db8:1::/48 9", "give a number from 0 to 8"],
  ["run --exchange fra", "--exchange says nothing to run"],
  ["status more", 'Unknown argument "more"'],
])("%s is refused: %s", (line, words) => {
  expect(read(line)).toEqual({ kind: "wrong", message: expect.stringContaining(words) });
});

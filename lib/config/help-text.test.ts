import { expect, test } from "bun:test";
import { helpText } from "./help-text.ts";

test("help has a line for each option, long ones in a column of their own", () => {
  const long = Array.from({ length: 30 }, () => "words").join(" ");
  const text = helpText({
    name: "x",
    purpose: "does things",
    usage: "[options] ID",
    about: "Above.",
    options: {
      output: { type: "string", short: "o", value: "FORMAT", meaning: "a form" },
      loud: { type: "boolean", meaning: long },
      "a-name-that-is-very-long": { type: "string", value: "VALUE", meaning: "fits no column" },
    },
    more: "Below.",
  });
  expect(text.split("\n")).toEqual([
    "vantage x: does things",
    "",
    "  vantage x [options] ID",
    "",
    "Above.",
    "",
    "  -o, --output FORMAT         a form",
    `      --loud                  ${Array.from({ length: 14 }, () => "words").join(" ")}`,
    `                              ${Array.from({ length: 14 }, () => "words").join(" ")}`,
    "                              words words",
    "      --a-name-that-is-very-long VALUE",
    "                              fits no column",
    "  -h, --help                  this text",
    "",
    "Below.",
  ]);
});

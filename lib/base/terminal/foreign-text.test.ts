import { describe, expect, test } from "bun:test";
import { paletteFor } from "./colour.ts";
import { csvCell, csvLines, jsonText, printed, visible, visibleCell } from "./foreign-text.ts";

const hostile: readonly [what: string, text: string, shown: string][] = [
  ["a screen is cleared", "\x1b[2J", "\\u001b[2J"],
  ["a title is set", "\x1b]0;root\x07", "\\u001b]0;root\\u0007"],
  ["a C1 control does what ESC [ does", "\x9b31m", "\\u009b31m"],
  ["DEL and NUL", "a\x7f\0", "a\\u007f\\u0000"],
  ["a line of its own", "a\r\nvantage: all is well\t", "a\\r\\nvantage: all is well\\t"],
  ["separators of lines", "a\u2028b\u2029c\u0085", "a\\u2028b\\u2029c\\u0085"],
  [
    "direction is turned",
    "\u202egnp\u202c\u2066x\u2069\u200f\u061c",
    hex("202e", "gnp", "202c", "2066", "x", "2069", "200f", "061c"),
  ],
  ["nothing to see", "a\u200bb\u2060\ufeff\u00ad\u3164", "a\\u200bb\\u2060\\ufeff\\u00ad\\u3164"],
  ["tags", "\u{e0041}", "\\udb40\\udc41"],
  ["half a pair", "\ud83d!", "\\ud83d!"],
];

function hex(...parts: string[]): string {
  return parts.map((part) => (/^[0-9a-f]{4}$/.test(part) ? `\\u${part}` : part)).join("");
}

test.each(hostile)("%s", (_what, text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visibleCell(text)).toBe(shown);
  expect(csvCell(text)).toBe(shown);
});

test("every control and mark of direction is shown, letters of the world stay", () => {
  const ranges = [
    [0, 0x1f],
    [0x7f, 0x9f],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x2069],
  ] as const;
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code++) {
      expect(visible(String.fromCharCode(code))).toStartWith("\\");
    }
  }
  expect(visible("Zürich, 東京, مرحبا, 🛰 \\u001b")).toBe("Zürich, 東京, مرحبا, 🛰 \\u001b");
});

describe("what is printed", () => {
  test("keeps ends of lines, tabs, and our own colours", () => {
    const { bad } = paletteFor(true, undefined);
    expect(printed(`a\n\t${bad("b")}`)).toBe("a\n\t\x1b[31mb\x1b[0m");
  });

  test("shows foreign colour codes as text, also inside ours", () => {
    const { good } = paletteFor(true, undefined);
    const foreign = "\x1b[31mx\x1b[0m";
    expect(printed(foreign)).toBe("\\u001b[31mx\\u001b[0m");
    expect(printed(good(foreign))).toBe("\x1b[32m\\u001b[31mx\\u001b[0m\x1b[0m");
    expect(printed(visibleCell(good(foreign)))).toBe("\x1b[32m\\u001b[31mx\\u001b[0m\x1b[0m");
  });

  test("is the same JSON, by whichever way it went", () => {
    const value = { text: hostile.map(([, text]) => text).join("") };
    for (const text of [jsonText(value), jsonText(value, 2), printed(JSON.stringify(value))]) {
      expect(JSON.parse(text)).toEqual(value);
      expect(printed(text)).toBe(text);
    }
  });
});

describe("CSV", () => {
  test.each(["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "＝1", "-", "+1e5x"])("%s is text", (text) => {
    expect(csvCell(text).replace(/^"/, "")).toStartWith("'");
  });

  test.each(["-5", "-0.25", "+3", "-1.5e-3", "12"])("%s stays a number", (text) => {
    expect(csvCell(text)).toBe(text);
  });

  test("a tab or a CR cannot hide a formula", () => {
    expect([csvCell("\t=1"), csvCell("\r=1")]).toEqual(["'\\t=1", "'\\r=1"]);
  });

  test("of a gateway is held to the same, and stays what it is when it was so", () => {
    const good = `a,"b ""c"", d",,-5,'=1\n1,2,3,4,5`;
    expect(csvLines(good)).toBe(good);
    expect(csvLines('=1,"=2,\x1b",x\r\n"=3')).toBe('\'=1,"\'=2,\\u001b",x\n"""=3"');
  });

  test("quotes what it must, each row in one line", () => {
    expect(csvCell('a "b",\nc')).toBe('"a ""b"",\\nc"');
  });
});

import { expect, test } from "bun:test";
import { clipped, element } from "./markup.ts";

test("foreign text is text, in attributes and in content", () => {
  const hostile = `<script>alert("1")</script>'&`;
  const { text } = element("text", { "aria-label": hostile, x: 1.26 }, hostile);
  const escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;";
  expect(text).toBe(`<text aria-label="${escaped}" x="1.3">${escaped}</text>`);
});

test("what XML cannot hold, and what makes text look different, is written as JSON escapes it", () => {
  const { text } = element("text", {}, "a\u0000\u001b[31m\u202e\u200b\ud800\n😀é");
  expect(text).toBe("<text>a\\u0000\\u001b[31m\\u202e\\u200b\\ud800\\u000a😀é</text>");
});

test("markup inside markup stays, an undefined attribute does not", () => {
  expect(element("g", { id: undefined }, element("path", { d: "M0 0" })).text).toBe(
    '<g><path d="M0 0"/></g>',
  );
});

test("long text is cut between characters", () => {
  expect(clipped("abcdef", 6)).toBe("abcdef");
  expect(clipped("abcdefg", 6)).toBe("abcde…");
  expect(clipped("😀😀😀😀", 3)).toBe("😀😀…");
});

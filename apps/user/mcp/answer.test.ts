import { expect, test } from "bun:test";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import { answering, answerOf, answerOfRows, ToolError } from "./answer.ts";
import { Budget } from "./budget.ts";
import { answerCharsMax } from "./limits.ts";

const textOf = ({ content }: Awaited<ReturnType<typeof answerOfRows>>) => content[0]?.text ?? "";

test("rows are lines, up to a number of them or of characters, and what is missing is said", async () => {
  expect(textOf(await answerOfRows([{ a: 1 }, { a: 2 }], 2, "Ask."))).toBe(
    '{"a":1}\n{"a":2}\nThese are all 2.',
  );
  expect(textOf(await answerOfRows([1, 2, 3], 2, "Ask."))).toBe(
    "1\n2\nThere are more: an answer has at most 2 rows. Ask.",
  );
  const long = "x".repeat(answerCharsMax / 2 - 10);
  const cut = textOf(await answerOfRows([long, long, long], 9, "Ask."));
  expect(cut).toEndWith(`\nThere are more: an answer has at most ${answerCharsMax} characters. Ask.`);
  expect(cut.split("\n")).toHaveLength(3);
  expect(cut.length).toBeLessThan(answerCharsMax + 200);
});

test("text of others cannot drive a terminal or turn a line around, and reads as the same JSON", () => {
  const hostile = { name: "\u001b[2J\u202egnp\u200b.exe", tags: ["\u0007"] };
  const text = textOf(answerOf(hostile));
  expect(text).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(text)).toEqual(hostile);
});

test("what the model did wrong and what the gateway refuses are answers; a bug is not", async () => {
  const failing = (error: Error) => answering(() => Promise.reject(error));
  expect(await failing(new ToolError("Give \u001bless"))).toMatchObject({
    isError: true,
    content: [{ text: "Give \\u001bless" }],
  });
  const refusal = new GatewayError("No", { code: "missing_scope", status: 403, details: { scope: "s" } });
  const { isError, content } = await failing(refusal);
  expect(isError).toBe(true);
  expect(JSON.parse(content[0]?.text ?? "")).toMatchObject({
    error: "No",
    code: "missing_scope",
    status: 403,
  });
  await expect(failing(new TypeError("bug"))).rejects.toThrow("bug");
});

test("a budget gives what is left, and takes back what was not spent", () => {
  const budget = new Budget(10);
  const first = budget.take(6);
  expect(budget.take(5)).toBeNull();
  const second = budget.take(4);
  expect(budget.left).toBe(0);
  first?.settle(3);
  second?.settle(0);
  expect(budget.left).toBe(7);
});

import { expect, test } from "bun:test";
import { jsonLog, type LogFields } from "./log.ts";

function logged(fields: LogFields): Record<string, unknown> {
  const lines: string[] = [];
  jsonLog("gateway", (line) => lines.push(line)).warn("Something", fields);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.indexOf("\n")).toBe((lines[0]?.length ?? 0) - 1);
  return JSON.parse(lines[0] ?? "");
}

test("an entry is one line of JSON: when, how grave, who, what", () => {
  const { at, ...entry } = logged({ measurement_id: "m1" });
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(entry).toEqual({ level: "warn", component: "gateway", message: "Something", measurement_id: "m1" });
});

test("line breaks of a stranger stay inside the line", () => {
  expect(logged({ path: 'a\n{"level":"error"}' }).path).toBe('a\n{"level":"error"}');
});

test("an error is written with its code and its causes", () => {
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  expect(logged({ error: new TypeError("Cannot ask", { cause }) }).error).toMatchObject({
    ...{ name: "TypeError", message: "Cannot ask" },
    cause: { message: "refused", code: "ECONNREFUSED" },
  });
});

test("an error that causes itself is written to the fourth cause", () => {
  const error = new Error("round");
  error.cause = error;
  expect(JSON.stringify(logged({ error })).match(/"round"/g)).toHaveLength(5);
});

test("secrets are hidden by the name of their field, at any depth", () => {
  const secrets = { token: "t", agent_key: "k", inner: { password: "p", client_secret: "s" } };
  const { at: _, ...entry } = logged({ ...secrets, key_id: "shown", tokens_left: 3 });
  expect(entry).toMatchObject({
    ...{
      token: "[hidden]",
      agent_key: "[hidden]",
      inner: { password: "[hidden]", client_secret: "[hidden]" },
    },
    ...{ key_id: "shown", tokens_left: 3 },
  });
});

test("a line of a hostile length is cut, and is still JSON", () => {
  expect(String(logged({ text: "x".repeat(1_000_000) }).cut)).toHaveLength(16_384);
});

test("a logger with fields of its own adds them to each entry", () => {
  const lines: string[] = [];
  const log = jsonLog("gateway", (line) => lines.push(line)).with({ request_id: "r1" });
  log.info("One", { n: 1n });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "info", request_id: "r1", n: "1" });
});

test("a terminal that shows a line obeys none of it, and the entry is the same", () => {
  const lines: string[] = [];
  const text = "\x1b[2J\x9b2J\x7f\u202e\u200b\u2028";
  jsonLog("gateway", (line) => lines.push(line)).info(text);
  expect(lines[0]).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(lines[0] ?? "").message).toBe(text);
});

test("what the system refuses is written without where in the program that was noticed; a fault of ours with it", () => {
  const refused = Object.assign(new Error("Unable to connect"), { code: "ConnectionRefused" });
  const entry = JSON.stringify(
    logged({ error: new Error("Cannot ask http://127.0.0.1:1", { cause: refused }) }),
  );
  expect(entry).toContain("ConnectionRefused");
  expect(entry).not.toContain('"stack"');
  expect(JSON.stringify(logged({ error: new TypeError("x is undefined") }))).toContain("log.test.ts");
});

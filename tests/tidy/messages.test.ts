/** The list of messages: each way in which one is made, and that the list of this project has them. */
import { expect, test } from "bun:test";
import { messagesIn } from "./messages.ts";

const said = (text: string) => messagesIn("a.ts", text).map((one) => `${one.line} ${one.kind}: ${one.text}`);

test("each kind has its text, of whatever pieces", () => {
  const code = `problem(403, "not_granted", "Ask " + "for it");
throw new Problem({ status: 429, code: "limit", message: \`Too soon: \${rule}\` });
throw new Failure("auth", "missing", isLong ? "long" : \`no \${name(x)}\`);
session.note("two\\nlines"); wrongUsage('it is "so"'); new CommandError("failure", said(1));`;
  expect(said(code)).toEqual([
    "1 problem: Ask for it",
    "2 Problem: Too soon: {rule}",
    "3 Failure: (long | no {name(x)})",
    "4 note: two\\nlines",
    '4 wrongUsage: it is "so"',
    "4 CommandError: {said(1)}",
  ]);
});

test("a name is what the nearest block around it says, also as a member's short form", () => {
  const code = `const reason = "outer";
function one() { const reason = "inner"; const message = \`Cannot: \${reason}\`; throw new Problem({ message }); }
cannot(reason); const a = b; const b = a; cannot(a);`;
  expect(said(code)).toEqual(["2 Problem: Cannot: inner", "3 cannot: outer", "3 cannot: {b}"]);
});

test("what is not a text is no message", () => {
  expect(
    said("problem(); problem(404); new Problem(body); other('x'); new Error(); journal.note(key);"),
  ).toEqual([]);
});

test("the command prints those of a kind, with their places", async () => {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/messages.ts`, "Failure"]);
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  expect(lines.every((line) => /^(apps|lib|ffi)\/\S+\.tsx?:\d+ Failure: ./.test(line))).toBe(true);
  expect(lines.filter((line) => line.endsWith("Failure: Authorization header is missing"))).toHaveLength(1);
});

/**
 * What an identity provider, or a person who may choose a name there, can write into a name (`oidc.name_claims`): it is
 * bounded, and operators see it as it is escaped, in every form of `vantage admin users list`.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { adminKey, FuzzedGateway } from "../../fuzz/api/fuzzed-gateway.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

let gateway: FuzzedGateway;
beforeAll(async () => {
  gateway = await FuzzedGateway.start("probing-gateway", { oidc: { name_claims: ["name", "email"] } });
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

/** What is claimed, and the name that it is taken for; null = none. */
const names: readonly (readonly [what: string, claimed: unknown, name: string | null])[] = [
  ["sequences of terminals", "\u001b[2J\u001b]0;owned\u0007Eve", "\u001b[2J\u001b]0;owned\u0007Eve"],
  ["C1 controls", "\u009b31mEve", "\u009b31mEve"],
  ["marks of direction", "eve\u202egnp.exe\u2066", "eve\u202egnp.exe\u2066"],
  ["letters that are not seen", "al\u200bice\u00ad\ufeff", "al\u200bice\u00ad"],
  ["lines of its own", "Eve\r\nvantage: all is well\u2028x", "Eve\r\nvantage: all is well\u2028x"],
  ["NUL", "Eve\u0000root", "Eve\u0000root"],
  ["half a character", "Eve\ud800", "Eve\ufffd"],
  [
    "markup",
    "<img src=x onerror=alert(1)><script>x</script>",
    "<img src=x onerror=alert(1)><script>x</script>",
  ],
  ["a formula", "=cmd|' /C calc'!A1", "=cmd|' /C calc'!A1"],
  ["a formula behind a tab", "\t@SUM(A1)", "@SUM(A1)"],
  ["5,000 letters", "n".repeat(5000), "n".repeat(100)],
  ["letters of four bytes, cut in the middle", `${"n".repeat(99)}\u{1f600}`, `${"n".repeat(99)}\ufffd`],
  ["500 marks on one letter", `e${"\u0301".repeat(500)}`, `e${"\u0301".repeat(99)}`],
  ["blanks", " \t\n ", null],
  ["a list", ["Eve"], null],
  ["an object", { toString: "Eve" }, null],
  ["a number", 7, null],
];

test.each(names)("%s", async (what, claimed, name) => {
  const token = await gateway.issuer.tokenFor(`person ${what}`, { claims: { name: claimed } });
  const answer = await fetch(`${gateway.url}api/user/me`, { headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, ((await answer.json()) as { name: string | null }).name]).toEqual([200, name]);
});

test.each(["table", "csv", "json", "ndjson"])("operators see them escaped, as %s", async (form) => {
  const { stdout, stderr, exitCode } = await runToEnd(
    [...vantageCommand, "admin", "users", "list", "--gateway", gateway.url, "--only", "probing", "-o", form],
    { env: { ...process.env, VANTAGE_TOKEN: adminKey, NO_COLOR: "1" } },
  );
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const raw = [
    "\u001b",
    "\u0007",
    "\u009b",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u2028",
    "\u0000",
    "\nvantage: all",
  ];
  for (const one of raw) {
    expect([one, stdout.includes(one)]).toEqual([one, false]);
  }
  expect(stdout).toContain("\\u001b[2J");
  if (form === "csv") {
    expect(stdout).toContain("'=cmd");
    expect(stdout).not.toMatch(/(^|,)"?[=@]/m);
  }
});

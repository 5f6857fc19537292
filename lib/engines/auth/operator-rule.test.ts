import { describe, expect, test } from "bun:test";
import { hasOperators, isOperator, noOperators } from "./operator-rule.ts";

const role = "vantage-operator";

describe("an operator is who the configuration says", () => {
  test.each([
    ["a subject that is named", { sub: "ann" }, { subjects: ["ann"], claim: null }, true],
    ["another subject", { sub: "anne" }, { subjects: ["ann"], claim: null }, false],
    ["a role in a list", { roles: ["x", role] }, { subjects: [], claim: "roles" }, true],
    ["a role in a text, as scopes are", { scope: `openid ${role}` }, { subjects: [], claim: "scope" }, true],
    [
      "a role in an object",
      { realm_access: { roles: [role] } },
      { subjects: [], claim: "realm_access.roles" },
      true,
    ],
    [
      "a claim with dots",
      { "https://x.example/roles": [role] },
      { subjects: [], claim: "https://x.example/roles" },
      true,
    ],
    ["another role", { roles: ["vantage-operators"] }, { subjects: [], claim: "roles" }, false],
    ["part of a role's name", { roles: `${role}s` }, { subjects: [], claim: "roles" }, false],
    ["no such claim", {}, { subjects: [], claim: "roles" }, false],
    ["a claim that is inherited", {}, { subjects: [], claim: "constructor.name" }, false],
    ["something else there", { roles: { [role]: true } }, { subjects: [], claim: "roles" }, false],
    ["a role where none count", { roles: [role] }, { subjects: [], claim: null }, false],
  ])("%s", (what, payload, rule, expected) => {
    expect([what, isOperator(payload, { ...rule, role })]).toEqual([what, expected]);
  });
});

test("without a rule there are none", () => {
  expect([hasOperators(noOperators), isOperator({ sub: "", roles: [""] }, noOperators)]).toEqual([
    false,
    false,
  ]);
});

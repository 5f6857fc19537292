import { expect, test } from "bun:test";
import { readSubject, userHashOf } from "./subject.ts";

test.each([
  ["https://login.example/", "https://login.example/auth0%7C68a1", "auth0|68a1"],
  ["https://login.example", "https://login.example/auth0%7C68a1", "auth0|68a1"],
  ["https://login.example/realms/a", "https://login.example/realms/a/0b1c", "0b1c"],
  ["https://login.example/", "https://login.example/%C3%A9t%C3%A9", "été"],
])("issuer %s, provider id %s: subject %s", (issuer, providerId, subject) => {
  expect(readSubject(providerId, issuer)).toEqual({ ok: true, subject });
});

test.each(["https://login.example.evil/a", "https://login.examplea", "http://login.example/a", "a", ""])(
  "%p comes from another issuer",
  (providerId) => {
    expect(readSubject(providerId, "https://login.example/")).toEqual({ ok: false, reason: "otherIssuer" });
  },
);

test.each(["", "a/b", "a%2Fb", "..", "%2E%2e", ".", "%ff", "a%", "x".repeat(256)])(
  "%p is not a plain subject",
  (text) => {
    const result = readSubject(`https://login.example/${text}`, "https://login.example/");
    expect(result).toEqual({ ok: false, reason: "badSubject" });
  },
);

test("a user has the name that the gateways use", () => {
  expect(userHashOf("test-user-id")).toBe("c95b3f800751698e8f935156112885cc49789e687a3bca5def774fcf96f96ea4");
});

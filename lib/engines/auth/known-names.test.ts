import { expect, test } from "bun:test";
import { KnownNames, nameIn } from "./known-names.ts";
import { knownNamesMax } from "./limits.ts";

const claims = ["preferred_username", "email", "name"];

test("the first claim that holds a text is the name", () => {
  expect(nameIn({ sub: "x", email: "a@example.net", name: "Alice" }, claims)).toBe("a@example.net");
  expect(nameIn({ sub: "x", preferred_username: " ", name: "Alice" }, claims)).toBe("Alice");
  expect(nameIn({ sub: "x", email: 7 }, claims)).toBeNull();
  expect(nameIn({ sub: "x", name: "n".repeat(1000) }, claims)).toHaveLength(100);
});

test("people are found by name, and the oldest is forgotten", () => {
  const names = new KnownNames();
  names.note("h1", "alice");
  names.note("h2", "Alice");
  names.note("h1", "bob");
  expect(names.of("h1")).toBe("bob");
  expect(names.hashesOf("ALICE")).toEqual(["h2"]);
  names.note("h2", null);
  expect(names.of("h2")).toBeNull();
  for (let i = 0; i < knownNamesMax; i++) {
    names.note(`x${i}`, "many");
  }
  expect(names.of("h1")).toBeNull();
});

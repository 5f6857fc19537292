import { expect, test } from "bun:test";
import { hashKey, makeKey, sameHash } from "./secret-key.ts";

test("each key is another one, of 256 random bits in letters that fit a header", () => {
  const keys = Array.from({ length: 100 }, makeKey);
  expect(new Set(keys).size).toBe(100);
  expect(keys.every((key) => /^vantage_[\w-]{43}$/.test(key))).toBe(true);
});

test("a key is known by its hash, and another one is not", () => {
  const key = makeKey();
  expect(sameHash(hashKey(key), hashKey(key))).toBe(true);
  expect(sameHash(hashKey(key), hashKey(`${key}x`))).toBe(false);
  expect(sameHash(hashKey(key), hashKey(key).subarray(1))).toBe(false);
});

test("a hash is the plain SHA-256, so that others can make it", () => {
  const hex = Buffer.from(hashKey("agent-key")).toString("hex");
  expect(hex).toBe(new Bun.CryptoHasher("sha256").update("agent-key").digest("hex"));
});

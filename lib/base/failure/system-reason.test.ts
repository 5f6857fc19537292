import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { systemReason } from "./system-reason.ts";

async function failure(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("It has not failed");
}

test.each([
  ["a missing file", () => readFileSync("/nowhere/at/all"), "there is no such file"],
  ["a folder as a file", () => readFileSync("/"), "it is a folder"],
  ["a port without a listener", () => fetch("http://127.0.0.1:9/"), "nothing listens there"],
  ["a text that is ours", () => Promise.reject(new Error("The pool is empty")), "The pool is empty"],
  ["a code in the text alone", () => Promise.reject(new Error("EBUSY: busy, open '/x'")), "it is in use"],
  ["a code without words", () => Promise.reject(new Error("EXDEV: x, rename")), "system error EXDEV"],
])("%s", async (_name, act, words) => {
  expect(systemReason(await failure(act))).toBe(words);
});

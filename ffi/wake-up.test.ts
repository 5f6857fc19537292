import { expect, test } from "bun:test";
import { libc } from "./libc.ts";
import { pollin } from "./linux-abi.ts";
import { noWakeUp, takeWakeUp, WakeUp } from "./wake-up.ts";

test("a wake-up ends a poll that begins after it, once", () => {
  using wakeUp = new WakeUp();
  const pollFds = Int32Array.of(noWakeUp, pollin, wakeUp.fd, pollin);
  const readable = () => libc().poll(pollFds, 2, 0);
  expect(readable()).toBe(0);
  takeWakeUp(pollFds, 1);
  wakeUp.wake();
  wakeUp.wake();
  expect(readable()).toBe(1);
  takeWakeUp(pollFds, 1);
  expect(readable()).toBe(0);
});

test("a closed one wakes nothing, whatever has its number now", () => {
  const closed = new WakeUp();
  closed[Symbol.dispose]();
  using next = new WakeUp();
  closed.wake();
  expect(libc().poll(Int32Array.of(next.fd, pollin), 1, 0)).toBe(0);
});

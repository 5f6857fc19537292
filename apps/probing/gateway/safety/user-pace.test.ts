import { expect, test } from "bun:test";
import { pacesRememberedMax } from "../limits.ts";
import { UserPace } from "./user-pace.ts";

const perMinute = { requestsPerMinute: 60, probesPerSec: null };

test("a minute's requests go at once, then one for each share of a minute", () => {
  const pace = new UserPace();
  const burst = Array.from({ length: 60 }, () => pace.request("a", perMinute, 1000));
  expect(burst.every((waitSec) => waitSec === 0)).toBe(true);
  expect(pace.request("a", perMinute, 1000)).toBe(1);
  expect(pace.request("a", perMinute, 1999)).toBe(1);
  expect(pace.request("a", perMinute, 2000)).toBe(0);
  expect(pace.request("a", perMinute, 2000)).toBe(1);
});

test("a refused request costs nothing, and users do not share", () => {
  const pace = new UserPace();
  const one = { requestsPerMinute: 1, probesPerSec: null };
  expect(pace.request("a", one, 0)).toBe(0);
  expect([pace.request("a", one, 30_000), pace.request("a", one, 30_000)]).toEqual([30, 30]);
  expect(pace.request("b", one, 30_000)).toBe(0);
  expect(pace.request("a", one, 60_000)).toBe(0);
});

test("probes hold the next submission back for as long as they take at the user's rate", () => {
  const pace = new UserPace();
  const slow = { requestsPerMinute: 60, probesPerSec: 10 };
  expect(pace.request("a", slow, 0)).toBe(0);
  pace.probes("a", 100, 0);
  expect(pace.request("a", slow, 9001)).toBe(1);
  expect(pace.request("a", slow, 10_000)).toBe(0);
});

test("neither probes that were refused after all nor a lifted rate delay later ones", () => {
  const pace = new UserPace();
  const slow = { requestsPerMinute: 60, probesPerSec: 10 };
  pace.request("a", slow, 0);
  pace.probes("a", 100, 0);
  pace.probes("a", -100, 0);
  expect(pace.request("a", slow, 0)).toBe(0);
  pace.probes("a", 100, 0);
  expect(pace.request("a", perMinute, 0)).toBe(0);
});

test("of very many users, those that have been quiet longest are forgotten", () => {
  const pace = new UserPace();
  const one = { requestsPerMinute: 1, probesPerSec: null };
  pace.request("first", one, 0);
  for (let i = 0; i < pacesRememberedMax; i++) {
    pace.request(`user ${i}`, one, 0);
  }
  expect(pace.request("first", one, 0)).toBe(0);
  expect(pace.request(`user ${pacesRememberedMax - 1}`, one, 0)).toBe(60);
});

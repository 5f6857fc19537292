import { expect, test } from "bun:test";
import { absenceMsMax } from "../limits.ts";
import { KnownExchanges } from "./known-exchanges.ts";

const server = (n: number) => ({ name: `ixp-${n}`, address: `100.64.0.${n}`, isOnline: true });

test("one that is gone stays for a while, as offline, and is then forgotten", () => {
  const known = new KnownExchanges();
  known.learn([server(1), server(2)], 0);
  expect(known.learn([server(1)], absenceMsMax)).toEqual([server(1), { ...server(2), isOnline: false }]);
  expect(known.learn([server(1)], absenceMsMax + 1)).toEqual([server(1)]);
});

test("one that is back in time is as before", () => {
  const known = new KnownExchanges();
  known.learn([server(1)], 0);
  known.learn([], absenceMsMax - 1);
  known.learn([server(1)], absenceMsMax);
  expect(known.learn([], 2 * absenceMsMax).map(({ name }) => name)).toEqual(["ixp-1"]);
});

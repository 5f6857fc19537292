import { expect, test } from "bun:test";
import { type WaitOptions, waitUntil } from "./wait.ts";

interface Seen {
  readonly isEnded: boolean;
  readonly replies: number;
}

/** Waits for a measurement of 200 probes that gets 50 replies more at each look, and ends with the 5th. */
async function waited(options: WaitOptions<Seen>): Promise<[string, number]> {
  let looks = 0;
  const read = async () => {
    looks++;
    return { isEnded: looks >= 5, replies: 50 * looks };
  };
  const progressOf = (seen: Seen) => ({ ...seen, expectedProbes: 200 });
  const { outcome } = await waitUntil(read, progressOf, { ...options, pollMs: 1 });
  return [outcome, looks];
}

test("by default it waits for the end", async () => {
  expect(await waited({})).toEqual(["ended", 5]);
});

test("so many replies are enough, or such a share of the probes, or what a function says", async () => {
  expect(await waited({ minResults: 100 })).toEqual(["enough", 2]);
  expect(await waited({ percent: 75 })).toEqual(["enough", 3]);
  expect(await waited({ until: ({ replies }) => replies > 150 })).toEqual(["enough", 4]);
});

test("an end counts before what was enough, and both before the time", async () => {
  expect(await waited({ minResults: 250 })).toEqual(["ended", 5]);
  expect(await waited({ minResults: 1, timeoutMs: 0 })).toEqual(["enough", 1]);
});

test("no time gives one look, and so does a signal", async () => {
  expect(await waited({ timeoutMs: 0 })).toEqual(["timeout", 1]);
  expect(await waited({ signal: AbortSignal.abort() })).toEqual(["interrupted", 1]);
});

test("each status is shown", async () => {
  const shown: number[] = [];
  await waited({ minResults: 150, onStatus: ({ replies }) => shown.push(replies) });
  expect(shown).toEqual([50, 100, 150]);
});

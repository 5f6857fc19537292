/**
 * That the benches of discovery work, on networks so small that their figures mean nothing.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { afterAll, expect, test } from "bun:test";
import { hasOlderVersions } from "../../contract/store/older/older-store.ts";
import { BenchRun } from "../bench-run.ts";

const limitMs = 120_000;
const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test(
  "discovery: every strategy and every rival finds links that are there, and nothing stays behind",
  async () => {
    const found = (await bench.figures("discovery", "--count=2")).map((line) => JSON.parse(line));
    const shares = found.filter(({ unit }) => unit === "% of the links");
    const library = hasOlderVersions ? ["diamond-miner 1.1.8"] : [];
    const strategies = ["diamond-miner, 32 TTLs at once", "diamond-miner", "shared", "mda", "paris"];
    const ours = strategies.map((name) => `vantage ${name}`);
    const rules = ["Yarrp's rules", "FlashRoute's rules", "FlashRoute's rules, 4 ports"];
    const contenders = [...library, ...ours, ...rules];
    expect(shares.map(({ subject }) => subject)).toEqual(
      ["toy", "three levels"].flatMap((kind) => contenders.map((name) => `${kind}: ${name}`)),
    );
    // Only links across rounds, which the library does not count, may make a difference.
    const likeLibrary = found.filter(({ subject, unit }) => /at once/.test(subject) && /^of /.test(unit));
    for (const { value } of likeLibrary) {
      expect(value).toBeWithin(0.97, 1.04);
    }
    for (const { value } of shares) {
      expect(value).toBeWithin(10, 100.001);
    }
    for (const { value } of found) {
      expect(value).toBeGreaterThan(0);
    }
  },
  limitMs,
);

test(
  "discovery-scale: every unit comes to its end in both sizes, and nothing stays behind",
  async () => {
    const found = (await bench.figures("discovery-scale", "--count=80")).map((line) => JSON.parse(line));
    const sizes = ["80 prefixes", "320 prefixes"];
    expect(new Set(found.map(({ subject }) => subject))).toEqual(new Set(sizes));
    const rounds = found.filter(({ unit }) => unit === "rounds").map(({ value }) => value);
    expect(Math.min(...rounds)).toBeGreaterThan(5);
    for (const { value } of found.filter(({ unit }) => unit === "probes/prefix")) {
      expect(value).toBeGreaterThan(10);
    }
  },
  limitMs,
);

/**
 * Every route that takes a body gets the nastiest that limits allow, alone and eight at once: how much CPU time and
 * memory it takes of the gateway, and what it answers. How long others wait is measured by `npm run attacks`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenApiDocument } from "../../../lib/engines/http/openapi-document.ts";
import { jsonDepthMax, jsonValuesMax } from "../../../lib/net/wire/limits.ts";
import { WatchedGateway } from "../../attacks/work/watched-gateway.ts";
import { workAttacks } from "../../attacks/work/work-attacks.ts";
import { inTier } from "../../run/tier.ts";

/** Megabytes that a gateway grows by at most, whatever is sent. */
const grownMbMax = 768;
/** Seconds of CPU time of all threads for one body of a small route: bodies of 2 MB take some 0.05 s. */
const bodyCpuSecMax = 2;
/** Derived work ends after 20 s; compression of a list and the database run in other threads. */
const derivedCpuSecMax = 90;

let gateway: WatchedGateway;
beforeAll(async () => {
  gateway = await WatchedGateway.start();
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Eight bodies at once at each of so many routes: they are read by the same code at all of them. */
const eightAtEach = inTier({ usual: 6, long: 1 });

/** As many values, as deep, and as long as a body of JSON may be. */
const bodies: Readonly<Record<string, string>> = {
  "many numbers": `[${"1,".repeat(jsonValuesMax - 10)}1]`,
  "many members": `{${members(jsonValuesMax / 2 - 10).join()}}`,
  "a deep one": `${"[".repeat(jsonDepthMax)}${"]".repeat(jsonDepthMax)}`,
  "a long text": JSON.stringify({ name: "x".repeat(2_000_000), agents: "é".repeat(1000) }),
  "escapes only": `{"name":"${"\\u0041".repeat(330_000)}","definition":"\\u005f\\u005fproto__"}`,
};

function members(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `"m${i}":"${"x".repeat(150)}"`);
}

const methods = ["post", "put", "patch"] as const;

async function routesWithBodies(): Promise<(readonly [method: string, path: string])[]> {
  const document = (await (await fetch(`${gateway.url}openapi.json`)).json()) as OpenApiDocument;
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      item?.[method]?.requestBody === undefined
        ? []
        : [
            [
              method.toUpperCase(),
              path.replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000"),
            ] as const,
          ],
    ),
  );
}

test("any body, at every route, alone and eight at once", async () => {
  const routes = await routesWithBodies();
  expect(routes.length).toBeGreaterThan(20);
  const token = await gateway.tokenOf("everywhere");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (const [route, [method, path]] of routes.entries()) {
    for (const [what, body] of Object.entries(bodies)) {
      for (const count of route % eightAtEach === 0 ? [1, 8] : [1]) {
        const ask = () => fetch(new URL(path, gateway.url), { method, headers, body });
        const { answers, cpuSec, grownMb } = await gateway.during(async () =>
          tally(await Promise.all(Array.from({ length: count }, ask))),
        );
        const where = `${method} ${path} ${what} x ${count}: ${JSON.stringify(answers)}`;
        expect({ where, isFailure: /"5(?!03)\d\d/.test(where) }).toEqual({ where, isFailure: false });
        expect({ where, isSlow: cpuSec > count * bodyCpuSecMax }).toEqual({ where, isSlow: false });
        expect({ where, isLarge: grownMb > grownMbMax }).toEqual({ where, isLarge: false });
      }
    }
  }
});

async function tally(responses: readonly Response[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const response of responses) {
    await response.text();
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  }
  return counts;
}

describe("derived work", () => {
  const tiers = inTier<readonly string[]>({ usual: ["usual"], long: ["usual", "long"] });
  const short = workAttacks.filter(({ played = "usual" }) => tiers.includes(played));
  test.each(short.map((one) => [one.attack, one] as const))("%s", async (_name, { ready }) => {
    await using own = await WatchedGateway.start();
    const { answers, cpuSec, grownMb } = await own.during(await ready(own));
    expect({ cpuSec, isSlow: cpuSec > derivedCpuSecMax }).toEqual({ cpuSec, isSlow: false });
    expect({ grownMb, isLarge: grownMb > grownMbMax }).toEqual({ grownMb, isLarge: false });
    expect({ answers, isFailure: Object.keys(answers).some((answer) => /^5(?!03)/.test(answer)) }).toEqual({
      answers,
      isFailure: false,
    });
  });
});

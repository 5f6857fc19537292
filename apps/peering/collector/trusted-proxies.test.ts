/** Readers behind a proxy that the collector trusts count by their own network; anyone else by the connection's. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../../tests/run/until.ts";
import { vantageCommand } from "../../../tests/run/vantage-command.ts";
import { freePortsFor } from "../../../tests/server/free-ports.ts";
import { watchesOfOneMax } from "./watch/limits.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-collector-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What readers of these addresses are answered, when the collector trusts these networks. */
async function statuses(trusted: readonly string[], readers: readonly string[]): Promise<number[]> {
  const { http, bmp } = freePortsFor("http", "bmp");
  const file = join(folder, `${http}.yaml`);
  writeFileSync(
    file,
    JSON.stringify({
      collector: {
        ...{ address: `127.0.0.1:${http}`, state_dir: join(folder, `state-${http}`) },
        trusted_proxies: trusted,
      },
      bmp: { address: `127.0.0.1:${bmp}`, routers: ["127.0.0.0/8"] },
      kafka: { brokers: `embedded:${join(folder, `broker-${http}`)}` },
    }),
  );
  const child = Bun.spawn([...vantageCommand, "collector", "--config", file], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const end = new AbortController();
  try {
    const at = `http://127.0.0.1:${http}`;
    await until(async () => (await fetch(`${at}/health`).catch(() => null))?.ok === true);
    // Each response is kept: an unreferenced one is collected, and its place becomes free.
    const answers: Response[] = [];
    for (const reader of readers) {
      const init = { headers: { "x-forwarded-for": reader }, signal: end.signal };
      answers.push(await fetch(`${at}/api/routes/watch?prefix=203.0.113.0/24`, init));
    }
    return answers.map(({ status }) => status);
  } finally {
    end.abort();
    child.kill();
    await child.exited;
  }
}

const own = Array.from({ length: watchesOfOneMax + 1 }, () => "198.51.100.7");
const readers = [...own, "203.0.113.9"];
const served = own.slice(1).map(() => 200);

test("behind a trusted proxy one network cannot take the places of another", async () => {
  expect(await statuses(["127.0.0.0/8"], readers)).toEqual([...served, 503, 200]);
});

test("whoever is not trusted cannot state another address", async () => {
  expect(await statuses(["192.0.2.0/24"], readers)).toEqual([...served, 503, 503]);
});

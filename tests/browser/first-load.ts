/** What a first page of the console costs a reader on a slow line. */
import { expect } from "bun:test";
import { gzipSync } from "node:zlib";

/** Gzipped. */
const firstLoadBytesMax = 120_000;

export async function checkFirstLoad(consoleUrl: string): Promise<void> {
  const page = await fetch(`${consoleUrl}console`);
  const text = await page.text();
  const names = [...text.matchAll(/(?:href|src)="(\/console\/files\/[^"]+)"/g)].map(([, name = ""]) => name);
  expect(names.length).toBe(4);
  let bytes = gzipSync(text).length;
  for (const name of names) {
    const file = await fetch(`${consoleUrl}${name.slice(1)}`, {
      decompress: false,
      headers: { "accept-encoding": "gzip" },
    });
    expect(file.headers.get("content-encoding")).toBe("gzip");
    expect(file.headers.get("cache-control")).toContain("immutable");
    bytes += name.includes("#") ? 0 : (await file.arrayBuffer()).byteLength;
  }
  expect(bytes).toBeGreaterThan(2000);
  expect(bytes).toBeLessThan(firstLoadBytesMax);
}

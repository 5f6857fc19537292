/** What the ingester logs is kept by engines and journals: passwords in its addresses are not in it. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../run/until.ts";
import { Part } from "./processes.ts";

test("an ingester names its store without the password, when it starts and when it fails", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-ingest-log-"));
  try {
    const store = "http://vantage_ingester:secret-word@127.0.0.1:9";
    const places = ["--broker", `embedded:${join(folder, "broker")}`, "--dir", folder];
    await using part = await Part.start("ingest", ...places, "--store", store);
    await until(async () => part.said.some((line) => line.includes('"trouble"')));
    expect(part.said.find((line) => line.includes('"ready"'))).toContain(
      "http://vantage_ingester@127.0.0.1:9",
    );
    expect(part.said.join("\n")).not.toContain("secret-word");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

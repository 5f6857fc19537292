/** No command shows text of others as it came: each is run against services all of whose text is hostile. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { bootstrapStatus, hostile, measurementId, startHostileGateway } from "./hostile-gateway.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-hostile-"));
const server = startHostileGateway();
const control = Bun.serve({
  unix: join(folder, "control.sock"),
  fetch: () => Response.json(bootstrapStatus),
});
const probe = "203.0.113.9,24000,33434,7,UDP\n";

afterAll(async () => {
  await server.stop(true);
  await control.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const formats = ["table", "csv", "json", "ndjson"];
const id = measurementId;
/** Whether a table shows the hostile text, and JSON holds it to the letter. */
const commands: readonly (readonly [line: string, formats: readonly string[], exact: boolean])[] = [
  ["agents", formats, true],
  ["whoami", formats, true],
  ["measurements", formats, true],
  [`show ${id}`, formats, true],
  [`follow ${id}`, formats, true],
  [`cancel ${id}`, formats, true],
  ...["replies", "paths", "loss", "catchment"].map(
    (view) => [`replies ${id} -v ${view}`, formats, true] as const,
  ),
  ["send -a west -", formats, true],
  ["limits", ["table"], false],
  ["profiles", ["table"], false],
  ["login", ["table"], false],
  ["peering asn", formats, false],
  ["peering prefix list --all", formats, true],
  ["peering prefix request 4", ["table"], false],
  ["peering prefix renew 4", ["table"], false],
  ["peering prefix rpki on", ["table"], false],
  ["peering prefix release", ["table"], false],
  ["peering env", ["table", "csv"], false],
  [`exchange status --url ${server.url.origin}`, formats, true],
  ["bootstrap status", formats, true],
];

async function run(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const { stdout, stderr } = await runToEnd([...vantageCommand, ...args], {
    env: {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: home,
      VANTAGE_GATEWAY: server.url.origin,
      VANTAGE_PEERING_GATEWAY: server.url.origin,
      VANTAGE_BOOTSTRAP_BOOTSTRAP__STATE_DIR: folder,
      ...(args[0] === "login" ? {} : { VANTAGE_TOKEN: "token" }),
    },
    stdin: new Blob([probe]),
  });
  return { stdout, stderr };
}

/** What of a text a terminal would obey, or would not show. */
function obeyed(text: string): string[] {
  return text.match(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu) ?? [];
}

test.each(commands)("%s", async (line, ofFormats, exact) => {
  const runs = await Promise.all(
    ofFormats.map(async (format) => ({ format, ...(await run([...line.split(" "), "-o", format])) })),
  );
  for (const { format, stdout, stderr } of runs) {
    expect({ format, obeyed: obeyed(stdout + stderr) }).toEqual({ format, obeyed: [] });
    expect(stdout + stderr).not.toMatch(/^vantage: all is well/m);
    if (format === "table" && exact) {
      expect(stdout).toContain("\\u001b");
    }
    if (format === "csv") {
      expect(stdout).not.toMatch(/(^|[,"])=/m);
    }
    if (format === "json" && exact) {
      expect(textsOf(JSON.parse(stdout))).toContain(hostile);
    }
  }
});

/** Every string in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test.each([
  `health ${server.url.origin}/health`,
  "trace --from west 203.0.113.9",
  "ping --from west 203.0.113.9",
])("%s", async (line) => {
  const { stdout, stderr } = await run(line.split(" "));
  expect(obeyed(stdout + stderr)).toEqual([]);
  expect(stdout + stderr).toContain("\\u001b");
});

/** The Python SDK against a gateway with a store, where something is missing, refused, or large. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { longTest } from "../../run/long-test.ts";
import { PythonSdk } from "./python-sdk.ts";
import { SdkHome } from "./sdk-home.ts";

let sdk: PythonSdk;
let home: SdkHome;

beforeAll(async () => {
  sdk = await PythonSdk.install();
  home = await SdkHome.start("https://pages.example");
}, 600_000);
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  sdk?.[Symbol.dispose]();
});

/** What a scenario of python_client.py prints, as JSON. */
async function seen(scenario: string, user = scenario): Promise<Record<string, unknown>> {
  const campaigns = scenario === "campaign" ? (["campaigns:read", "campaigns:write"] as const) : [];
  const measuring = ["measurements:read", "measurements:create", "sql:read"] as const;
  const token = await home.token(user, [...measuring, ...campaigns]);
  const output = await sdk.run([join(import.meta.dirname, "python_client.py"), scenario], {
    VANTAGE_GATEWAY: home.address,
    VANTAGE_TOKEN: token,
  });
  return JSON.parse(output) as Record<string, unknown>;
}

test("only what users touch is public", async () => {
  expect(await seen("public")).toEqual({ unlisted: ["types"], undocumented: [] });
});

test("a partial result warns, and has a sentence for each part that is missing", async () => {
  expect(await seen("partial")).toEqual({
    is_partial: true,
    missing: ["agent east reported: no route to host", "agent east could not send 2 of 5 probes"],
    warned: [expect.stringContaining("is partial: agent east reported: no route to host")],
    agents: ["west"],
    repr: expect.stringMatching(/^<Rows: paths of measurement [0-9a-f-]+; partial: agent east reported: /),
  });
});

test("a measurement that does not end in time is partial, and an interrupt cancels it", async () => {
  expect(await seen("held")).toEqual({
    missing: [
      expect.stringMatching(/^agent west sent 0 of 5 probes \((queued|running)\)$/),
      "waiting timed out before the measurement ended",
    ],
    rows: 0,
    interrupted: true,
    shape: { size_bytes: 1400, dont_fragment: true, traffic_class: 184, flow_label: 5 },
    statuses: ["cancelled"],
  });
});

test("a refused token, and one without the scope, raise with the gateway's sentence", async () => {
  const result = await seen("refused");
  expect(result.unknown).toMatchObject({ type: "NotAuthorized", status: 401 });
  expect(result.scope).toEqual({
    type: "NotAuthorized",
    status: 403,
    code: "missing_scope",
    text: "The token lacks the scope campaigns:read: make one that has it",
  });
  expect(result.sql).toMatchObject({
    type: "NotAuthorized",
    text: expect.not.stringContaining("DB::Exception"),
  });
});

test("a quota that does not suffice raises with its figures, and sends nothing", async () => {
  const result = await seen("quota");
  expect(result.error).toMatchObject({
    ...{ type: "QuotaExceeded", status: 429, code: "quota_exceeded", text: "Daily probe limit exceeded" },
    details: { limit: 10_000 },
  });
  expect(result.used).toBe(0);
});

longTest("280 targets of 32 hops: rows arrive one by one, and none are kept", async () => {
  const result = await seen("large");
  expect(result).toMatchObject({
    paths: 280,
    hops: 8960,
    replies: 8960,
    missing: [],
    table: 8960,
    sql: 8960,
  });
  expect(Number(result.peak_iterating)).toBeLessThan(Number(result.peak_list) / 4);
});

test("a failed query, wrong targets, and packages that are not installed each have their sentence", async () => {
  expect(await seen("wrong")).toEqual({
    statement: expect.stringMatching(
      /^Unknown expression or table expression identifier|Unknown .*identifier/,
    ),
    format: "The result is not Parquet: leave FORMAT out of the statement",
    url: 'Cannot probe "https://example.org/", which is a URL or a path: give an address or a name',
    prefix: 'Cannot probe "192.0.2.0/24", which is a prefix: give an address or a name',
    name: expect.stringMatching(/^Cannot resolve "nothing.invalid": /),
    pandas: 'Data frames need pandas: pip install "vantage-sdk[pandas]"',
    pyarrow: 'Tables need pyarrow: pip install "vantage-sdk[arrow]"',
    unreachable: expect.stringMatching(/^Cannot reach http:\/\/127\.0\.0\.1:1: /),
  });
});

longTest("a campaign is created, found by its name, read, ended and removed", async () => {
  const result = await seen("campaign");
  expect(result).toMatchObject({
    ...{ probes: 64, phase: "ended", rows: [0, 0, 0, 0, 0], none: "series of campaign ID: no rows" },
    frame: ["run", "planned_at", "measurement_id", "agent", "destination"],
    unknown_estimate: "The estimate of a campaign is known to the program that creates it",
    of_no_measurement: expect.stringContaining("not of one measurement"),
    removed: 'You have no campaign "watch": to create one, name agents with from_',
  });
});

longTest("progress is a line that ends with the last status", async () => {
  const { line } = await seen("progress");
  expect(line).toEndWith("\r5 of 5 probes sent, 0 replies, complete\n");
});

/** The OpenAPI documents of all services, judged by programs of others: the official schema, and makers of clients. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS from "openapi-typescript";
import type { OpenApiDocument } from "../../../lib/engines/http/openapi-document.ts";
import { apiDocuments, type ServiceName, serviceNames } from "../../reference/documents.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { runToEnd } from "../../run/said.ts";
import { inTier } from "../../run/tier.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-openapi-"));
let documents: Record<ServiceName, OpenApiDocument>;
let programs: string;

beforeAll(async () => {
  programs = join(
    await pythonFolder("openapi-spec-validator==0.9.0", "openapi-python-client==0.29.1"),
    "bin",
  );
  documents = await apiDocuments();
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Their bodies are text or bytes alone, which that maker does not know. */
const unmade = [
  "POST /api/measurements/{id}/probes",
  "POST /agent-api/agent/{id}/measurements/{measurement}/packets",
];

/** These programs take seconds of CPU for each. */
const judged = inTier<readonly ServiceName[]>({ usual: ["peering-gateway"], long: serviceNames });

describe.each(judged)("%s", (name) => {
  test("is a document of OpenAPI 3.1", async () => {
    const said = await runToEnd([join(programs, "openapi-spec-validator"), join(folder, `${name}.json`)]);
    expect(said.stdout.trim()).toEndWith(": OK");
  });

  test("openapi-python-client makes a client of it", async () => {
    const order = [
      "generate",
      "--path",
      `${name}.json`,
      "--output-path",
      join(folder, name),
      "--meta",
      "none",
    ];
    const made = await runToEnd([join(programs, "openapi-python-client"), ...order], { cwd: folder });
    expect(made.exitCode).toBe(0);
    const left = [...made.stdout.matchAll(/parsing (\S+ \S+) within \S+\. Endpoint will not be generated/g)];
    expect(left.map(([, route = ""]) => route).filter((route) => !unmade.includes(route))).toEqual([]);
    expect(made.stdout).not.toContain("client was not created");
  });
});

test.each([...serviceNames])("openapi-typescript makes types of that of the %s", async (name) => {
  const types = await openapiTS(JSON.stringify(documents[name]));
  expect(types.length).toBeGreaterThan(3);
});

test("whole numbers of a query have their bounds, and a request is as it is sent", () => {
  const { paths } = documents["peering-gateway"];
  const parameters = JSON.parse(JSON.stringify(paths["/api/user/leases"]?.get?.parameters));
  expect(parameters.map(({ schema }: { readonly schema: object }) => schema)).toEqual([
    { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    { type: "string", enum: ["true", "false"] },
    { type: "integer", minimum: 0, maximum: 1e15 - 1 },
  ]);
  const tags = documents["probing-gateway"].paths["/api/probes"]?.post?.parameters?.find(
    (one) => "name" in one && one.name === "tags",
  );
  expect(tags).toMatchObject({ schema: { type: "string", default: "" } });
});

test("a lease has the bounds that any gateway can have", () => {
  const { requestBody } = documents["peering-gateway"].paths["/api/user/prefix"]?.post ?? {};
  expect(requestBody).toMatchObject({
    content: {
      "application/json": {
        schema: { properties: { duration_hours: { type: "integer", minimum: 1, maximum: 8784 } } },
      },
    },
  });
});

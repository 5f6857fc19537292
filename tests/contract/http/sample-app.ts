/** A small service made of the parts that gateways use: what is true of it is true of all of them. */
import { Registry } from "prom-client";
import * as v from "valibot";
import { type HttpAppOptions, httpApp } from "../../../lib/engines/http/app.ts";
import { bodyChunks } from "../../../lib/engines/http/body.ts";
import { describe as about } from "../../../lib/engines/http/describe.ts";
import { addDocumentation } from "../../../lib/engines/http/documentation.ts";
import { jsonInput, pathInput, queryInput } from "../../../lib/engines/http/input.ts";
import { addMonitoring } from "../../../lib/engines/http/monitoring.ts";
import { Problem } from "../../../lib/engines/http/problem.ts";
import { httpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";

export const bodyBytesMax = 1000;

const positive = v.pipe(
  v.number(),
  v.check((number) => number > 0, "must be above 0"),
);
const item = v.object({ count: positive, kind: v.picklist(["a", "b"]) });
const whole = v.pipe(
  v.string(),
  v.check((text) => /^\d+$/.test(text), "must be a whole number"),
  v.transform(Number),
);

interface Sample {
  readonly app: ReturnType<typeof httpApp>;
  /** Lines of the log. */
  readonly lines: string[];
  readonly registry: Registry;
  /** Set it to make the dependency fail. */
  readonly dependency: { failure: Error | null; asked: number };
}

export function sampleApp(options: Partial<HttpAppOptions> = {}): Sample {
  const registry = new Registry();
  const lines: string[] = [];
  const dependency = { failure: null, asked: 0 } as Sample["dependency"];
  const log = jsonLog("sample", (line) => lines.push(line));
  const app = httpApp({ log, metrics: httpMetrics(registry), ...options });
  const tags = ["items"];
  app.post(
    "/items",
    about({ summary: "Add", tags, ok: [{ status: 201, description: "Added", schema: item }], auth: "user" }),
    jsonInput(item, { bytesMax: bodyBytesMax }),
    (c) => c.json(c.req.valid("json"), 201),
  );
  app.get(
    "/items/:id",
    about({ summary: "Show", tags, ok: item, problems: { 404: "No such item" }, auth: "public" }),
    pathInput(v.object({ id: v.string() })),
    queryInput(v.object({ limit: v.optional(whole, "20") })),
    (c) => c.json({ id: c.req.valid("param").id, limit: c.req.valid("query").limit }),
  );
  const note = v.object({ note: v.optional(v.string()) });
  app.post("/all-optional", jsonInput(note, { bytesMax: bodyBytesMax }), (c) => c.json({}));
  app.put("/raw", async (c) => {
    let bytes = 0;
    for await (const chunk of bodyChunks(c.req.raw, { bytesMax: bodyBytesMax })) {
      bytes += chunk.length;
    }
    return c.json({ bytes });
  });
  app.get("/broken", () => {
    throw new Error("SELECT secret FROM host db.internal");
  });
  app.get("/quota", () => {
    const headers = { "retry-after": "60" };
    throw new Problem({
      status: 429,
      code: "quota",
      message: "None left",
      headers,
      extra: { used: 5, limit: 5 },
    });
  });
  addMonitoring(app, {
    version: "1.2.3",
    registry,
    checks: {
      database: async () => {
        dependency.asked++;
        if (dependency.failure !== null) {
          throw dependency.failure;
        }
      },
    },
  });
  addDocumentation(app, { title: "Sample", version: "1.2.3", description: "What it is.\n\nAnd <why>." });
  return { app, lines, registry, dependency };
}

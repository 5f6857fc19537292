/**
 * The console: pages over the APIs, served by a gateway beside them, all below `/console`.
 *
 * Pages ask the gateway's own routes, with the login of the person who looks: rights and queries are the API's.
 */
import { type Context, Hono } from "hono";
import { accepts } from "hono/accepts";
import type { HttpEnv } from "../../lib/http/app.ts";
import { Problem } from "../../lib/http/problem.ts";
import { ApiClient, type Ask } from "./api-client.ts";
import { type ConsoleFile, type ConsoleFiles, consoleFiles } from "./frame/files.ts";
import { fileHeaders, pageHeaders } from "./frame/headers.ts";
import { Layout } from "./frame/layout.tsx";
import type { ConsolePage, View, Visit } from "./page.ts";
import { pages } from "./pages.ts";
import { failureView } from "./parts/failure.tsx";

interface ConsoleParts {
  /** The gateway's routes. */
  readonly api: Ask;
}

export function consoleRoutes(parts: ConsoleParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/", (c) => c.redirect("/console", 302));
  app.get("/console/files/:name", async (c) => fileAnswer(c, c.req.param("name"), await consoleFiles()));
  for (const page of pages) {
    app.get(page.path, (c) => pageAnswer(c, page, parts));
  }
  return app;
}

async function pageAnswer(c: Context<HttpEnv>, page: ConsolePage, { api }: ConsoleParts): Promise<Response> {
  const url = new URL(c.req.url);
  const visit: Visit = {
    url,
    query: url.searchParams,
    param: (name) => c.req.param(name) ?? "",
    person: null,
    api: new ApiClient(api),
    peering: null,
    nowMs: Date.now(),
  };
  const view = await viewOf(page, visit);
  const { title, body, status = 200 } = view;
  const files = await consoleFiles();
  const html = (
    <Layout
      title={title}
      pages={pages}
      current={page}
      visit={visit}
      files={files}
      csrf={null}
      login="not configured"
    >
      {body}
    </Layout>
  );
  return c.body(`<!doctype html>\n${await html.toString()}`, status, {
    ...pageHeaders,
    "content-type": "text/html; charset=utf-8",
  });
}

async function viewOf(page: ConsolePage, visit: Visit): Promise<View> {
  try {
    return await page.show(visit);
  } catch (error) {
    return failureView(error);
  }
}

function fileAnswer(c: Context<HttpEnv>, name: string, files: ConsoleFiles): Response {
  const file = Object.values(files).find((one: ConsoleFile) => one.name === name);
  if (file === undefined) {
    throw new Problem({
      status: 404,
      code: "unknown_file",
      message: "There is no such file: load the page again",
    });
  }
  const encoding = accepts(c, { header: "Accept-Encoding", supports: ["gzip"], default: "identity" });
  return encoding === "gzip"
    ? c.body(file.gzipped, 200, { ...fileHeaders, "content-type": file.type, "content-encoding": "gzip" })
    : c.body(file.bytes, 200, { ...fileHeaders, "content-type": file.type });
}

/** /api/sql: ClickHouse's HTTP interface for users, and, where the operator allows it, for everyone. */

import { type Context, Hono } from "hono";
import { embeddedFolder } from "../../../../lib/base/api/embedded-folder.ts";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { checkGrant } from "../../../../lib/engines/http/check-grant.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { pulledBody } from "../../../../lib/engines/http/pulled-body.ts";
import { standingOf } from "../../../../lib/engines/http/standing.ts";
import { Strangers } from "../sharing/strangers.ts";
import type { UserDirectory } from "../users/user-directory.ts";
import { answerHeaders, bodyPieces } from "./answer.ts";
import { challenge, credentialOf } from "./credentials.ts";
import { Refusal, refusalResponse } from "./refusal.ts";
import { SqlDoor, type SqlReader, type SqlServices } from "./sql-door.ts";
import { readStatement } from "./statement.ts";

interface DoorServices extends SqlServices {
  readonly users: UserDirectory;
}

const text = "text/plain";
const summary = "Query results in SQL";
const about = {
  tags: ["results"],
  auth: "user",
  description:
    "As ClickHouse's HTTP interface: the statement is the body or `query`; `param_x`, `database`, `default_format`. " +
    "The token is also accepted as the password of Basic authorization, of X-ClickHouse-User and -Key, or of " +
    "`user` and `password`. Failures are ClickHouse's text, with X-ClickHouse-Exception-Code.",
  ok: [{ status: 200, description: "The result, in the format of the statement", type: text }],
  problems: [400, 403, 404, 429, 500, 501, 503],
  hasTextFailures: true,
} as const;

const base = "/api/sql";

export function sqlRoutes(services: DoorServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const answer = answerer(services);
  app.get(base, describe({ ...about, summary }), answer);
  app.post(base, describe({ ...about, summary, body: [{ type: text }] }), answer);
  // Clients that have it below a path add a slash.
  app.get(`${base}/`, answer);
  app.post(`${base}/`, answer);
  app.get(
    `${base}/ping`,
    describe({ tags: ["results"], auth: "public", summary: "Whether /api/sql is served", ok: about.ok }),
    () => new Response("Ok.\n", { headers: { "content-type": text } }),
  );
  return app;
}

function answerer(services: DoorServices) {
  const { config } = services;
  const address =
    config.sql.address ??
    (embeddedFolder("store", config.storeAddress ?? "") === null ? null : config.storeAddress);
  const door = address === null ? null : new SqlDoor(services, address);
  const strangers = new Strangers(config);
  const readerOf = readers(services, strangers);
  return async (c: Context<HttpEnv>): Promise<Response> => {
    try {
      const query = new URL(c.req.url, "http://gateway.invalid").searchParams;
      const reader = await readerOf(c, query);
      if (door === null || !config.sql.enabled) {
        throw new Refusal("accessDenied", 404, shutReason(services));
      }
      const statement = await readStatement(c.req.raw, query);
      const answer = await door.run(reader, statement, c.req.raw.signal);
      return respond(c, services, { ...answer, isPacked: statement.isPacked });
    } catch (error) {
      return refusalResponse(error);
    }
  };
}

function shutReason({ config }: DoorServices): string {
  if (!config.sql.enabled) {
    return "This gateway's operator has not opened SQL (sql.enabled)";
  }
  return config.storeAddress === null
    ? "This gateway has no column store"
    : "SQL needs an account of its own at the column store: its operator sets sql.address";
}

function readers(services: DoorServices, strangers: Strangers) {
  const { tokens, metrics, users, config } = services;
  const admit = strangers.admit();
  return async (c: Context<HttpEnv>, query: URLSearchParams): Promise<SqlReader> => {
    try {
      const credential = tokens.needsToken ? credentialOf(c.req.raw.headers, query) : anyone;
      if (credential.kind === "public") {
        if (!config.sql.publicRead) {
          const message = "The public reader is not admitted here: use a token as the password";
          throw new Refusal("authenticationFailed", 401, message, challenge);
        }
        await admit(c, async () => undefined);
        c.set("checkAgain", () => Promise.resolve());
        return { userHash: null, who: `public ${strangers.nameOf(c)}` };
      }
      const identity = await tokens.verify(credential.token);
      c.set("identity", identity);
      c.set("checkAgain", () => tokens.verify(credential.token));
      await checkGrant(c, identity);
      await users.idOf(identity.userHash);
      return { userHash: identity.userHash, who: identity.userHash };
    } catch (error) {
      if (isFailure(error, "auth")) {
        metrics.http.authenticationFailure(error.code);
      }
      throw error;
    }
  };
}

/** The credential where a gateway checks no tokens. */
const anyone = { kind: "token", token: "" } as const;

interface Answered {
  readonly response: Response;
  readonly leftOut: boolean;
  readonly isPacked: boolean;
  readonly end: () => void;
}

function respond(c: Context<HttpEnv>, { metrics, log }: SqlServices, answered: Answered): Response {
  const { response, leftOut, end } = answered;
  const isGzip = answered.isPacked && /\bgzip\b/.test(c.req.raw.headers.get("accept-encoding") ?? "");
  const headers = answerHeaders(response, { isGzip, leftOut });
  const standing = standingOf(c);
  metrics.streams(1);
  const body = pulledBody({
    texts: bodyPieces(response, isGzip),
    cut: standing.signal,
    reader: c.req.raw.signal,
    onEnd: (error) => {
      standing[Symbol.dispose]();
      metrics.streams(-1);
      end();
      if (error !== null) {
        metrics.streamBroken();
        log.error("Cannot finish a result of SQL", { request_id: c.get("requestId"), error });
      }
    },
  });
  return new Response(body, { status: response.status, headers });
}

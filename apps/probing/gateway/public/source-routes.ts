/** `/source/ADDRESS`, for people who find our packets in their logs: a page for browsers, JSON for programs. */
import { Eta } from "eta";
import { Hono } from "hono";
import { accepts } from "hono/accepts";
import * as v from "valibot";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import template from "../../../../templates/pages/source.eta" with { type: "text" };
import type { Services } from "../services.ts";
import { findSource, type Source, type SourceServices } from "./source.ts";

const answerSchema = v.object({
  address: v.string(),
  agents: v.array(
    v.object({ id: v.string(), location: v.nullable(v.string()), asn: v.nullable(v.number()) }),
  ),
  /** The first of `references`. */
  reference: v.nullable(v.string()),
  /** Users' prefixes that contain the address, newest first: they had it one after another. */
  references: v.array(v.string()),
  purpose: v.string(),
  contact: v.nullable(v.string()),
  opt_out: v.string(),
});
type SourceAnswer = v.InferOutput<typeof answerSchema>;

const purpose =
  "Internet measurement: packets like those of traceroute and ping, to find paths, latencies and losses. " +
  "They do not search for open ports or vulnerabilities, and carry only what is needed to recognise their answers.";

const description = describe({
  tags: ["public"],
  auth: "public",
  summary: "Who sends from an address, and how to opt out",
  ok: [
    { status: 200, description: "One of our sources", schema: answerSchema },
    { status: 200, description: "One of our sources", type: "text/html" },
  ],
  problems: { 400: "No IP address", 404: "The address is not ours" },
});

export function sourceRoutes(services: Services & SourceServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const page = new Eta({ varName: "page" });
  app.get("/source/:address", description, async (c) => {
    const source = await findSource(services, c.req.param("address"));
    if (source === null) {
      throw problem(404, "unknown_source", "No agent of this platform sends from this address");
    }
    const answer = answerOf(source, services.config.contact);
    c.header("vary", "Accept");
    const type = accepts(c, {
      header: "Accept",
      supports: ["application/json", "text/html"],
      default: "application/json",
    });
    if (type !== "text/html") {
      return c.json(answer);
    }
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return c.html(page.renderString(template, answer));
  });
  return app;
}

/** The prefix identifies a user only to the operator: it reveals no more than the address. */
function answerOf({ address, agents, users }: Source, contact: string | null): SourceAnswer {
  const own = users.map(({ user_prefix }) => user_prefix).filter((prefix) => prefix !== hostPrefix(address));
  const references = [...new Set(own)];
  const ask = contact === null ? "Ask the operator of this platform" : `Write to ${contact}`;
  return {
    address,
    agents: [...agents],
    reference: references[0] ?? null,
    references,
    purpose,
    contact,
    opt_out: `${ask}, with the prefixes that shall be left alone: nothing more is sent to them, by any agent.`,
  };
}

/** The reference for an address that a measurement specified as its source: it is not in a user's prefix. */
function hostPrefix(address: string): string {
  return `${address}/${address.includes(":") ? 128 : 32}`;
}

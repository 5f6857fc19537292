/** GET /api/lookup: resolves a name, for programs that cannot query name servers themselves. */
import { Hono } from "hono";
import * as v from "valibot";
import { findAddresses } from "../../../../lib/answers/enrich/find-addresses.ts";
import { lookupAnswer } from "../../../../lib/base/api/lookup.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../../lib/engines/http/input.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { lookupsPerMinute } from "../limits.ts";
import type { Services } from "../services.ts";
import type { Safety } from "./safety.ts";
import { UserPace } from "./user-pace.ts";

const name = v.pipe(
  v.string(),
  v.regex(/^(?=.{1,253}$)[\w-]{1,63}(\.[\w-]{1,63})*\.?$/, "must be the name of a host"),
);

const description = describe({
  summary: "An address of a name",
  description:
    "One that the gateway allows as a destination, IPv6 first. The operator turns it on by context.names.",
  tags: ["measurements"],
  auth: "user",
  ok: lookupAnswer,
  problems: [400, 422, 429],
});

interface LookupServices extends Services {
  readonly safety: Pick<Safety, "destinations">;
}

export function lookupRoutes({ config, tokens, metrics, safety }: LookupServices): Hono<HttpEnv> {
  const pace = new UserPace();
  const app = new Hono<HttpEnv>();
  app.get(
    "/api/lookup",
    description,
    requireUser(tokens, metrics.http),
    queryInput(v.object({ name })),
    async (c) => {
      const { name: asked } = c.req.valid("query");
      if (!config.context.names) {
        throw refusal(
          400,
          "no_names",
          "Cannot look up names: this gateway does no name lookups; give addresses",
        );
      }
      const limits = { requestsPerMinute: lookupsPerMinute, probesPerSec: null };
      const waitSec = pace.request(userOf(c).userHash, limits, performance.now());
      if (waitSec > 0) {
        const message = `You look up more than ${lookupsPerMinute} names a minute: try again in ${waitSec} s`;
        throw new Problem({
          ...{ status: 429, code: "too_many_lookups", message },
          headers: { "retry-after": String(waitSec) },
        });
      }
      const destinations = await safety.destinations();
      const found = await findAddresses(asked, config.context.resolvers);
      const refusals = found.map((text) => {
        const address = parseAddress(text);
        return { text, reason: address === null ? "it is not an address" : destinations.refusal(address) };
      });
      const allowed = refusals.find(({ reason }) => reason === null);
      if (allowed === undefined) {
        const [first] = refusals;
        const why =
          first === undefined ? "no name server knows an address of it" : `${first.text}: ${first.reason}`;
        throw refusal(422, "no_address", `Cannot use ${asked}: ${why}`);
      }
      return c.json({ name: asked, address: allowed.text });
    },
  );
  return app;
}

function refusal(status: number, code: string, message: string): Problem {
  return problem(status, code, message);
}

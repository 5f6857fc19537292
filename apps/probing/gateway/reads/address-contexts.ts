/** Context of addresses for `?with=`: from sets of context in a folder, and names where lookups are allowed. */
import * as v from "valibot";
import { AddressContext } from "../../../../lib/answers/enrich/address-context.ts";
import type { ContextField } from "../../../../lib/answers/enrich/context-fields.ts";
import { Names } from "../../../../lib/answers/enrich/names.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { ContextSets } from "../../../../lib/measuring/context/disk/context-sets.ts";
import type { ProbingGatewayConfig } from "../config.ts";

/** `asn,ixp`, of these fields. */
export function withInput(fields: readonly ContextField[]) {
  const words = fields.join("|");
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(new RegExp(`^(${words})(,(${words}))*$`), `must be of ${fields.join()}, with commas between`),
      v.transform((text): readonly ContextField[] =>
        fields.filter((field) => text.split(",").includes(field)),
      ),
    ),
  );
}

export class AddressContexts {
  readonly #sets: ContextSets | null;
  readonly #names: Names | null;

  constructor({ context: { dir, names, resolvers } }: Pick<ProbingGatewayConfig, "context">) {
    this.#sets = dir === null ? null : new ContextSets(dir);
    this.#names = names ? new Names({ servers: resolvers }) : null;
  }

  /** Includes sets added since the last call. Throws Problem 400 without any set, or where names are not allowed. */
  addressContextFor(fields: readonly ContextField[]): AddressContext {
    const needsSets = fields.some((one) => one !== "name");
    this.#sets?.refresh();
    if (needsSets && (this.#sets === null || this.#sets.isEmpty)) {
      throw refusal(
        "no_context",
        "Cannot add context to addresses: this gateway has no set of context; leave out with=, or ask its operator " +
          "for one (vantage context update, context.dir)",
      );
    }
    if (fields.includes("name") && this.#names === null) {
      throw refusal(
        "no_names",
        "Cannot look up names: this gateway sends no measured addresses to resolvers; leave out name in with=",
      );
    }
    return new AddressContext({
      fields,
      sets: needsSets ? this.#sets : null,
      names: fields.includes("name") ? this.#names : null,
    });
  }
}

function refusal(code: string, message: string): Problem {
  return new Problem({ status: 400, code, message });
}

/**
 * Krill for tests, over real HTTP: what it answers is what a Krill 0.16.1 in testbed mode has answered to the same
 * requests, status, type and body, but for the ROA objects themselves. krill.test.ts, beside this, runs on either.
 */
import { parsePrefix, prefixContains } from "../../../lib/net/ip/prefix.ts";

export interface StandInRoa {
  readonly asn: number;
  readonly prefix: string;
  readonly max_length: number;
  readonly comment: string | null;
}

interface StandInAspa {
  readonly customer: number;
  readonly providers: readonly number[];
}

interface AspaChange {
  readonly add_or_replace: readonly StandInAspa[];
  readonly remove: readonly number[];
}

type Given = Omit<StandInRoa, "max_length" | "comment"> & { max_length?: number; comment?: string | null };

interface Change {
  readonly added: readonly Given[];
  readonly removed: readonly Given[];
}

interface Options {
  readonly ca: string;
  readonly token: string;
  readonly holds: readonly string[];
  /** First and last. */
  readonly holdsAsns: readonly [number, number];
}

export class KrillStandIn {
  readonly #options: Options;
  #roas: readonly StandInRoa[] = [];
  #aspas: readonly StandInAspa[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const { ca, token } = this.#options;
    if (request.headers.get("authorization") !== `Bearer ${token}`) {
      const cause = "User 'anonymous' does not have permission 'login'";
      return failure(403, "api-insufficient-rights", `Insufficient rights: ${cause}`, { cause });
    }
    if (pathname === "/api/v1/authorized") {
      return done();
    }
    const [, asked, what] = /^\/api\/v1\/cas\/([^/]+)(|\/routes|\/aspas)$/.exec(pathname) ?? [];
    if (asked === undefined) {
      return new Response(null, { status: 404, headers: { "content-type": "text/plain" } });
    }
    if (request.method === "POST") {
      const change = await request.json();
      if (asked !== ca) {
        return unknownEntity(asked);
      }
      return what === "/aspas" ? this.#changeAspas(change as AspaChange) : this.#change(change as Change);
    }
    return asked === ca
      ? Response.json(this.#state(what ?? ""))
      : failure(404, "ca-unknown", `CA '${asked}' is unknown`, { ca: asked });
  }

  #state(what: string) {
    const { ca, holds, holdsAsns } = this.#options;
    const asn = holdsAsns.map((one) => `AS${one}`).join("-");
    switch (what) {
      case "/routes":
        return this.#roas.map((roa) => ({ ...roa, roa_objects: [] }));
      case "/aspas":
        return this.#aspas;
      default:
        return { handle: ca, resources: { asn, ipv4: "", ipv6: holds.join(", ") } };
    }
  }

  /** It names the first mistake only; an object that is there already is none. */
  #changeAspas({ add_or_replace, remove }: AspaChange): Response {
    const { ca, holdsAsns } = this.#options;
    const [first, last] = holdsAsns;
    const after = new Map(this.#aspas.map((aspa) => [aspa.customer, aspa]));
    for (const customer of remove) {
      if (!after.delete(customer)) {
        const message = `No current ASPA exists for customer AS 'AS${customer}'`;
        return failure(400, "ca-aspa-unknown-customer-as", message, { ca, asn: `AS${customer}` });
      }
    }
    for (const { customer, providers } of add_or_replace) {
      if (customer < first || customer > last) {
        const message = `Customer AS 'AS${customer}' is not held by you`;
        return failure(400, "ca-aspa-not-entitled", message, { asn: `AS${customer}`, ca });
      }
      after.set(customer, { customer, providers: providers.toSorted((a, b) => a - b) });
    }
    this.#aspas = [...after.values()];
    return done();
  }

  #change({ added, removed }: Change): Response {
    let after = this.#roas;
    const errors = {
      duplicates: [] as StandInRoa[],
      notheld: [] as StandInRoa[],
      unknowns: [] as Omit<StandInRoa, "comment">[],
      invalid_length: [] as StandInRoa[],
    };
    for (const roa of removed.map(explicit)) {
      const rest = after.filter((one) => keyOf(one) !== keyOf(roa));
      if (rest.length === after.length) {
        const { comment: _, ...payload } = roa;
        errors.unknowns.push(payload);
      }
      after = rest;
    }
    for (const roa of added.map(explicit)) {
      const there = after.find((one) => keyOf(one) === keyOf(roa));
      if (!this.#holds(roa.prefix)) {
        errors.notheld.push(roa);
      } else if (there?.comment === roa.comment) {
        errors.duplicates.push(roa);
      } else {
        after = [...after.filter((one) => one !== there), roa];
      }
    }
    if (Object.values(errors).some((roas) => roas.length > 0)) {
      const message = "ROA delta rejected:\n\n";
      return failure(400, "ca-roa-delta-error", message, { ca: this.#options.ca }, { delta_error: errors });
    }
    this.#roas = after;
    return done();
  }

  #holds(text: string): boolean {
    const prefix = parsePrefix(text);
    return this.#options.holds.some((held) => {
      const block = parsePrefix(held);
      return (
        prefix !== null &&
        block !== null &&
        block.length <= prefix.length &&
        prefixContains(block, prefix.base)
      );
    });
  }
}

function explicit({ asn, prefix, max_length, comment }: Given): StandInRoa {
  const length = max_length ?? parsePrefix(prefix)?.length ?? 0;
  return { asn, prefix, max_length: length, comment: comment ?? null };
}

function keyOf({ asn, prefix, max_length }: Given): string {
  return `${asn} ${prefix} ${max_length}`;
}

function done(): Response {
  return new Response(null, { headers: { "content-type": "text/plain" } });
}

/** It really says so of a change at a CA that it does not have. */
function unknownEntity(ca: string): Response {
  const cause = `unknown entity: ${ca}`;
  return failure(500, "sys-store", `Persistence (aggregate store) error: ${cause}`, { cause });
}

function failure(
  status: number,
  label: string,
  msg: string,
  args: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>> = {},
): Response {
  return Response.json({ label, msg, args, ...more }, { status });
}

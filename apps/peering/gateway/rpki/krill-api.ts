/**
 * Krill's HTTP API, as far as ROAs and ASPA objects need it: version 1, tried with 0.16.1.
 *
 * ```
 * GET  /api/v1/authorized       200 when it takes the token
 * GET  /api/v1/cas/CA           {resources: {asn: "AS64500, AS65000-AS65999", ...}, ...}
 * GET  /api/v1/cas/CA/routes    [{asn, prefix, max_length?, comment?, roa_objects}]
 * POST /api/v1/cas/CA/routes    {added: [{asn, prefix, max_length, comment}], removed: [{asn, prefix, max_length}]}
 * GET  /api/v1/cas/CA/aspas     [{customer, providers}], numbers
 * POST /api/v1/cas/CA/aspas     {add_or_replace: [{customer, providers}], remove: [customer]}
 * ```
 *
 * A change is taken whole or not at all: 400 with the label `ca-roa-delta-error` says which ROAs stop it, one that
 * begins with `ca-aspa-` which first ASN does.
 */
import * as v from "valibot";
import { formatPrefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { AsnRange } from "../../../../lib/peering/lease/asn-ranges.ts";
import type { Aspa, AspaDelta } from "./aspa.ts";
import { type KrillHttp, krillFailure } from "./krill-http.ts";
import type { PublishedRoa, Roa, RoaDelta } from "./roa.ts";

/** Comment of ROAs that are ours to remove. */
const mark = "vantage";

const payload = v.object({
  asn: v.number(),
  prefix: v.string(),
  max_length: v.nullish(v.number()),
});
const routesAnswer = v.array(v.object({ ...payload.entries, comment: v.nullish(v.string()) }));
const payloads = v.optional(v.array(payload), []);
/** What is mistaken: to be added and there, or to be removed and not there. */
const rejection = v.object({
  duplicates: payloads,
  unknowns: payloads,
  notheld: payloads,
  invalid_length: payloads,
});
const aspasAnswer = v.array(v.object({ customer: v.number(), providers: v.array(v.number()) }));
const caAnswer = v.object({ resources: v.object({ asn: v.string() }) });

/** Every method rejects with Failure "krill". */
export class KrillApi {
  readonly #http: KrillHttp;
  readonly #path: string;

  constructor(http: KrillHttp, ca: string) {
    this.#http = http;
    this.#path = `/api/v1/cas/${encodeURIComponent(ca)}`;
  }

  /** Resolves when Krill is there and takes the token. */
  async checkToken(): Promise<void> {
    await this.#http.ask("authorized", "/api/v1/authorized");
  }

  /** The CA's whole list. */
  async roas(): Promise<PublishedRoa[]> {
    const roas = await this.#read(routesAnswer, "/routes", "list of ROAs");
    return roas.map((roa) => ({ ...roaOf(roa), isOurs: roa.comment === mark }));
  }

  /** Resolves to what the CA does not hold: then nothing of the change was made, else all of it. */
  async changeRoas({ added, removed }: RoaDelta): Promise<readonly Roa[]> {
    const { deltaError } = await this.#change("/routes", {
      added: added.map((roa) => ({ ...wireOf(roa), comment: mark })),
      removed: removed.map(wireOf),
    });
    if (deltaError === null) {
      return [];
    }
    const { success, output } = v.safeParse(rejection, deltaError);
    const notHeld = success ? [...output.notheld, ...output.invalid_length] : [];
    if (!success || output.duplicates.length + output.unknowns.length > 0 || notHeld.length === 0) {
      const why = "its list is another than was taken for granted";
      throw krillFailure("rejected", `Krill rejects a change of ROAs: ${why}`);
    }
    return notHeld.map(roaOf);
  }

  /** The CA's whole list. */
  aspas(): Promise<Aspa[]> {
    return this.#read(aspasAnswer, "/aspas", "list of ASPA objects");
  }

  /** All of it, or nothing. */
  async changeAspas({ set, removed }: AspaDelta): Promise<void> {
    await this.#change("/aspas", { add_or_replace: set, remove: removed });
  }

  /** The ASNs that the CA holds. */
  async heldAsns(): Promise<AsnRange[]> {
    const { resources } = await this.#read(caAnswer, "", "description of a CA");
    const ranges = resources.asn.matchAll(/AS(\d+)(?:-AS(\d+))?/g);
    return [...ranges].map(([, first, last]) => ({ first: Number(first), last: Number(last ?? first) }));
  }

  async #read<Output>(schema: v.GenericSchema<unknown, Output>, path: string, what: string): Promise<Output> {
    const { json } = await this.#http.ask("read", `${this.#path}${path}`);
    const read = v.safeParse(schema, json);
    if (!read.success) {
      throw krillFailure("malformed", `Krill's ${what} is not in the form of its API, version 1`);
    }
    return read.output;
  }

  #change(path: string, change: object) {
    const body = JSON.stringify(change);
    return this.#http.ask("change", `${this.#path}${path}`, { method: "POST", body });
  }
}

function roaOf({ asn, prefix: text, max_length }: v.InferOutput<typeof payload>): Roa {
  const prefix = parsePrefix(text);
  return {
    asn,
    prefix: prefix === null ? text : formatPrefix(prefix),
    maxLength: max_length ?? prefix?.length ?? 0,
  };
}

function wireOf({ asn, prefix, maxLength }: Roa) {
  return { asn, prefix, max_length: maxLength };
}

/** Ids of measurements on a command line: whole, the first characters of one, or `last`. */
import * as v from "valibot";
import { timeInWords } from "../../../../lib/base/terminal/time-words.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { kindOf, unfit } from "../../../../lib/command/command/kinds.ts";
import { type Measurement, measurementSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { candidatesShown } from "../limits.ts";

const newest = "last";
export const wholeIdForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Characters of an id that are shown. */
const shortChars = 8;
/** Shorter ones would be typed by mistake. */
const beginning = /^[0-9a-f]{4}[0-9a-f-]{0,31}$/;

/** As given, in lower case: `wholeId` finds the measurement. */
export const measurementId = kindOf("ID", "any", (given) => {
  const id = given.toLowerCase();
  return id === newest || wholeIdForm.test(id) || beginning.test(id)
    ? id
    : unfit(
        `is not the id of a measurement, nor its first characters, nor ${newest}; vantage measurements lists yours`,
      );
});

/** The one argument of commands about a measurement. */
export const measurementArgument = {
  id: {
    kind: measurementId,
    required: true,
    meaning: "a measurement: its id, the beginning of it, or last",
  },
} as const;

/** The part of a session that finding an id needs. */
type Place = Pick<GatewaySession, "signal" | "note">;

/**
 * Resolves a measurement's id; a remark shows which one `last` is. Rejects with CommandError, which lists candidates,
 * or GatewayError.
 */
export async function wholeId(place: Place, gateway: Gateway, given: string): Promise<string> {
  if (wholeIdForm.test(given)) {
    return given;
  }
  if (given === newest) {
    const last = await lastByHand(gateway, place.signal);
    place.note(`last is ${oneLine(last)}`);
    return last.measurement_id;
  }
  const query = { limit: String(candidatesShown + 1), sort: "started", id: given };
  const all = await measurements(gateway, query, place.signal);
  // A gateway of an earlier version ignores "id".
  const found = all.filter(({ measurement_id: id }) => id.startsWith(given));
  const [only] = found;
  if (only === undefined) {
    throw cannot(`No measurement of yours begins with ${given}: vantage measurements lists them`);
  }
  if (found.length > 1) {
    const shown = found.slice(0, candidatesShown).map(({ measurement_id: id }) => id);
    const more = found.length > candidatesShown ? " and more" : "";
    throw cannot(
      `Several ids begin with ${given}: ${shown.join(", ")}${more}; give more characters of the one that you mean`,
    );
  }
  return only.measurement_id;
}

/** The last one made by hand: without runs of campaigns, experiments, and other tokens' measurements. */
async function lastByHand(gateway: Gateway, signal: AbortSignal): Promise<Measurement> {
  const [last] = await measurements(gateway, { limit: "1", sort: "started", by_hand: "true" }, signal);
  const newestOne = last ?? (await newestOf(gateway, signal));
  if (newestOne === undefined) {
    throw cannot("You have no measurements yet: make one with vantage trace --from, or vantage send");
  }
  if (last === undefined) {
    throw cannot(
      `You have made no measurement by hand; the newest is ${oneLine(newestOne)}: give its id instead of last`,
    );
  }
  return last;
}

/** The newest of any origin; undefined = there is none. */
export async function newestOf(gateway: Gateway, signal: AbortSignal): Promise<Measurement | undefined> {
  const [first] = await measurements(gateway, { limit: "1", sort: "started" }, signal);
  return first;
}

function measurements(gateway: Gateway, query: Readonly<Record<string, string>>, signal: AbortSignal) {
  return gateway.read("/api/measurements", v.array(measurementSchema), { query, signal });
}

/** `6f1cf7a0 "UDP traces to 192.0.2.1 from west", started 2026-11-27 10:12:00, by vantage trace`. */
export function oneLine({ measurement_id: id, title, started_at: at, origin }: Measurement): string {
  const what = title === null ? id : `${id.slice(0, shortChars)} "${title}"`;
  const when = at === null ? "" : `, started ${timeInWords(at)} UTC`;
  return `${what}${when}${origin === null ? "" : `, by ${origin.text}`}`;
}

/** Ids of measurements on a command line: whole, the first characters of one, or `last`. */
import * as v from "valibot";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { kindOf, unfit } from "../../../../lib/command/command/kinds.ts";
import { measurementSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { candidatesShown } from "../limits.ts";

const newest = "last";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Shorter ones would be typed by mistake. */
const beginning = /^[0-9a-f]{4}[0-9a-f-]{0,31}$/;

/** As it was given, in small letters: `wholeId` finds the measurement. */
export const measurementId = kindOf("ID", "any", (given) => {
  const id = given.toLowerCase();
  return id === newest || uuid.test(id) || beginning.test(id)
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

/** The id of the measurement that is meant. Rejects with CommandError, which lists candidates, or GatewayError. */
export async function wholeId(gateway: Gateway, given: string, signal: AbortSignal): Promise<string> {
  if (uuid.test(given)) {
    return given;
  }
  const query =
    given === newest
      ? { limit: "1", sort: "started" }
      : { limit: String(candidatesShown + 1), sort: "started", id: given };
  const all = await gateway.read("/api/measurements", v.array(measurementSchema), { query, signal });
  // A gateway of an earlier version does not look at "id".
  const found = all.filter(({ measurement_id: id }) => given === newest || id.startsWith(given));
  const [only] = found;
  if (only === undefined) {
    throw cannot(
      given === newest
        ? "You have no measurements yet: make one with vantage trace --from, or vantage send"
        : `No measurement of yours begins with ${given}: vantage measurements lists them`,
    );
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

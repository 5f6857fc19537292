/** Ids of measurements on a command line. */
import { kindOf, unfit } from "../../../lib/command/kinds.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID, in small letters. */
export const measurementId = kindOf("ID", "any", (given) =>
  uuid.test(given)
    ? given.toLowerCase()
    : unfit("is not the id of a measurement; vantage measurements lists yours"),
);

/** The two guides, command by command, at the same time: much of each is waiting. */
import { setDefaultTimeout, test } from "bun:test";
import { firstAnnouncement } from "./first-announcement.ts";
import { firstMeasurement } from "./first-measurement.ts";

setDefaultTimeout(180_000);

test.concurrent("a first measurement: trace, platform, agent, login, results, doctor", firstMeasurement);

test.concurrent(
  "a first announcement: from an account to a route that the upstream hears, and back",
  firstAnnouncement,
);

/** The two guides, command by command, at the same time: much of each is waiting. */
import { test } from "bun:test";
import { firstAnnouncement } from "./first-announcement.ts";
import { firstMeasurement } from "./first-measurement.ts";

test.concurrent("a first measurement: trace, platform, agent, login, results, doctor", firstMeasurement);

test.concurrent(
  "a first announcement: from an account to a route that the upstream hears, and back",
  firstAnnouncement,
);

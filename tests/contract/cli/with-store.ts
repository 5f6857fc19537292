/** As with-gateway.ts, with a column store behind the gateway. */
import { afterAll, beforeAll } from "bun:test";
import { startPlaceWithStore, stopPlace } from "./shared-place.ts";

beforeAll(startPlaceWithStore);
afterAll(stopPlace);

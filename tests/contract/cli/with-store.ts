/** As with-gateway.ts, with a column store behind the gateway. */
import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import { startPlaceWithStore, stopPlace } from "./shared-place.ts";

setDefaultTimeout(60_000);
beforeAll(startPlaceWithStore);
afterAll(stopPlace);

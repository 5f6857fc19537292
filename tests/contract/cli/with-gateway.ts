/** Imported before the tests of a file: starts what they share before anything of theirs. */
import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import { startPlace, stopPlace } from "./shared-place.ts";

// A busy machine starts processes slowly.
setDefaultTimeout(60_000);
beforeAll(() => startPlace());
afterAll(stopPlace);

/** Imported before the tests of a file: starts what they share before anything of theirs. */
import { afterAll, beforeAll } from "bun:test";
import { startPlace, stopPlace } from "./shared-place.ts";

beforeAll(() => startPlace());
afterAll(stopPlace);

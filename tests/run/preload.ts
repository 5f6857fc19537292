/** For `bun test FILE`, as Bun 1.4.5 reads no limit from bunfig.toml: its own 5 s are too short for real engines. */
import { setDefaultTimeout } from "bun:test";
import { testMsMax } from "./limits.ts";

setDefaultTimeout(testMsMax);

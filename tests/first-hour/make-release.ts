/**
 * Makes the release that the tests of a run share: `bun tests/first-hour/make-release.ts release|whole-release FOLDER`.
 * `whole-release` is as `npm run release` makes it; the other is for this kind of machine alone and packed quickly,
 * with the same contents for a tenth of the CPU.
 */
import { makeRelease } from "../release/release.ts";
import { ownMachine } from "./shared-release.ts";

const [name, folder = ""] = Bun.argv.slice(2);

await makeRelease(folder, name === "whole-release" ? {} : { kinds: [ownMachine], packing: "quick" });

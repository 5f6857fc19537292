/** `vantage measurements --asn` where the gateway has no context; where it has: probing-gateway/by-as.test.ts. */
import { beforeAll, expect, test } from "bun:test";
import { place } from "./shared-place.ts";

beforeAll(() => place.logIn("ada"));

test.each<[string[], number, string]>([
  [["--asn=AS"], 2, '--asn "AS" is not an AS number, as 64500 or AS64500; see vantage measurements --help'],
  [["--asn=AS64500"], 1, "Cannot search by AS: this gateway has no set of context"],
  [["--asn=64500", "--public"], 1, "Cannot search by AS: this gateway has no set of context"],
])("%j is refused", async (args, exitCode, message) => {
  expect(await place.run("ada", ["measurements", ...args])).toEqual({
    ...{ exitCode, stdout: "" },
    stderr: [expect.stringContaining(`vantage measurements: ${message}`)],
  });
});

/** The Python SDK with the command line's logins, at a gateway and an issuer that check and issue real tokens. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { deviceLogin, renewLogin } from "../../issuer/device-login.ts";
import { CliPlace } from "../cli/cli-place.ts";
import { PythonSdk } from "./python-sdk.ts";

let sdk: PythonSdk;
let place: CliPlace;

beforeAll(async () => {
  sdk = await PythonSdk.install();
  place = await CliPlace.start();
}, 600_000);
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  sdk?.[Symbol.dispose]();
});

const program = `
import sys, vantage
try:
    with vantage.Client(*sys.argv[1:]) as v:
        print(v.address, v.limits()["probes_per_day"]["used"])
except vantage.VantageError as error:
    print(type(error).__name__, error)
`;

import { longTest } from "../../run/long-test.ts";

function limitsOf(user: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  return sdk.run(["-c", program, ...args], { XDG_CONFIG_HOME: place.settings(user), ...env });
}

test("address and token are those of the login in use", async () => {
  await place.logIn("alice");
  expect(await limitsOf("alice")).toBe(`${place.address} 0\n`);
  expect(await limitsOf("alice", [`${place.address}/`])).toBe(`${place.address} 0\n`);
});

longTest("arguments come before the environment, and that before the login", async () => {
  await place.logIn("alice");
  const token = await place.issuer.tokenFor("bob");
  const wrong = { VANTAGE_GATEWAY: "http://127.0.0.1:1", VANTAGE_TOKEN: "wrong" };
  expect(await limitsOf("alice", [place.address, token], wrong)).toBe(`${place.address} 0\n`);
  expect(await limitsOf("alice", [], wrong)).toStartWith("GatewayError Cannot reach http://127.0.0.1:1");
  expect(await limitsOf("alice", [], { VANTAGE_TOKEN: "wrong" })).toStartWith("NotAuthorized ");
});

test("a login that has expired is renewed once, by one of several programs, and kept for the command line", async () => {
  const { access_token, refresh_token } = await deviceLogin(place.issuer.url, "carol");
  await place.logIn("carol", { access_token, refresh_token, expires_at: 1 });
  expect(await Promise.all([1, 2, 3].map(() => limitsOf("carol")))).toEqual(
    [1, 2, 3].map(() => `${place.address} 0\n`),
  );
  const tokens = place.profiles("carol").read("test")?.tokens;
  expect(tokens?.refresh_token).not.toBe(refresh_token);
  expect((await place.run("carol", ["whoami"])).exitCode).toBe(0);
  // A refresh token that was used twice would have ended the whole login.
  await renewLogin(place.issuer.url, tokens?.refresh_token ?? "");
});

longTest("a login that has ended, one of another gateway, and none at all have their sentence", async () => {
  await place.logIn("dave", { refresh_token: "made-up", expires_at: 1 });
  const { address } = place;
  const ended =
    `LoginError The login at ${address} has ended: ` +
    `log in again with \`vantage login --gateway=${address}\`\n`;
  expect(await limitsOf("dave")).toBe(ended);
  expect(await limitsOf("dave")).toBe(ended);
  expect(await limitsOf("dave", ["http://127.0.0.1:9"], { VANTAGE_PROFILE: "test" })).toBe(
    `LoginError Profile "test" belongs to ${place.address}, not to http://127.0.0.1:9: leave one of them out\n`,
  );
  expect(await limitsOf("erin")).toStartWith("LoginError No gateway is known: log in with `vantage login");
});

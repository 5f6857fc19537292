/** Logging in, staying logged in, and logging out: against an issuer that really issues. */
import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoredToken } from "../../../lib/engines/gateway-client/stored-token.ts";
import { approveDevice, deviceLogin, renewLogin } from "../../issuer/device-login.ts";
import { place } from "./shared-place.ts";

const expired = { expires_at: 1 };

/** A login as the issuer gives it, with an access token that has ended. */
async function loginThatEnded(user: string) {
  const { access_token, refresh_token } = await deviceLogin(place.issuer.url, user);
  await place.logIn(user, { access_token, refresh_token, ...expired });
  return refresh_token;
}

test("a device code is shown, confirmed elsewhere, and turned into a login", async () => {
  const child = place.start("alice", ["login", "--gateway", place.address, "-o", "json"]);
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    const [, url] = /or open +(\S+)/.exec(said) ?? [];
    if (url !== undefined && said.endsWith("…\n")) {
      await approveDevice(url, "alice");
    }
  }
  expect(await child.exited).toBe(0);
  const name = new URL(place.address).host.replace(":", "-");
  expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({
    profile: name,
    gateway: place.address,
  });
  expect(said).toMatch(/open +\S+\/device\n +and give +[A-Z]{4}-[A-Z]{4}\n/);
  expect(said).not.toContain("not encrypted");

  const folder = join(place.settings("alice"), "vantage/profiles");
  expect(statSync(join(folder, `${name}.json`)).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((file) => file.endsWith(".new"))).toEqual([]);
  const { exitCode, stdout } = await place.run("alice", ["whoami", "-o", "json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    gateway: place.address,
    profile: name,
    used: 0,
    limit: 300_000,
  });
});

describe("a token that has ended is renewed by itself", () => {
  test("and what came instead is kept", async () => {
    const old = await loginThatEnded("bob");
    expect((await place.run("bob", ["whoami"])).exitCode).toBe(0);
    const tokens = place.profiles("bob").read("test")?.tokens;
    expect(tokens?.refresh_token).not.toBe(old);
    expect(tokens?.expires_at).toBeGreaterThan(Date.now() / 1000);
  });

  test("by one of many processes, for all of them", async () => {
    await loginThatEnded("carol");
    const runs = await Promise.all([1, 2, 3, 4].map(() => place.run("carol", ["whoami", "-o", "ndjson"])));
    expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      runs.map(() => ({ exitCode: 0, stderr: [] })),
    );
    // A refresh token that was used twice would have ended the whole login.
    const refreshToken = place.profiles("carol").read("test")?.tokens?.refresh_token ?? "";
    await renewLogin(place.issuer.url, refreshToken);
  });

  test("once, for all that ask at a time", async () => {
    await loginThatEnded("kate");
    const sources = [1, 2, 3].map(() => new StoredToken(place.profiles("kate"), "test"));
    const tokens = await Promise.all(sources.map((source) => source.token()));
    expect(new Set(tokens).size).toBe(1);
  });

  test("also when only the gateway has noticed", async () => {
    await loginThatEnded("dave");
    const { tokens } = place.profiles("dave").read("test") ?? {};
    const nowSec = Math.floor(Date.now() / 1000);
    const access_token = await place.issuer.tokenFor("dave", { claims: { exp: nowSec - 3600 } });
    await place.logIn("dave", { ...tokens, access_token, expires_at: nowSec + 3600 });
    expect(await place.run("dave", ["whoami"])).toMatchObject({ exitCode: 0, stderr: [] });
  });

  test("unless the login itself has ended", async () => {
    await loginThatEnded("erin");
    await place.logIn("erin", { refresh_token: "made-up", ...expired });
    const first = await place.run("erin", ["whoami"]);
    expect(first).toMatchObject({
      exitCode: 1,
      stderr: [
        `vantage whoami: The login at ${place.address} has ended; log in with: vantage login --profile=test`,
      ],
    });
    expect(place.profiles("erin").read("test")?.tokens).toBeNull();
  });
});

test("logging out forgets the tokens, here and at the issuer", async () => {
  const { access_token, refresh_token } = await deviceLogin(place.issuer.url, "frank");
  await place.logIn("frank", { access_token, refresh_token });
  expect(await place.run("frank", ["logout", "-o", "ndjson"])).toEqual({
    ...{ exitCode: 0, stderr: [] },
    stdout: `${JSON.stringify({ profile: "test", gateway: place.address })}\n`,
  });
  expect(renewLogin(place.issuer.url, refresh_token)).rejects.toThrow("invalid_grant");
  expect(await place.run("frank", ["whoami"])).toMatchObject({
    exitCode: 1,
    stderr: [`vantage whoami: Not logged in at ${place.address}; log in with: vantage login --profile=test`],
  });
  expect(await place.run("frank", ["logout"])).toMatchObject({
    exitCode: 0,
    stderr: [`vantage logout: Not logged in at ${place.address}`],
  });
});

describe("a token by hand", () => {
  const nowhere = { VANTAGE_GATEWAY: "" };

  test("from the environment or standard input needs no login", async () => {
    const token = await place.issuer.tokenFor("gina");
    const environment = { ...nowhere, VANTAGE_GATEWAY: place.address };
    const byVariable = await place.run("gina", ["whoami"], {
      environment: { ...environment, VANTAGE_TOKEN: token },
    });
    expect(byVariable.exitCode).toBe(0);
    const byInput = await place.run("gina", ["whoami", "--token-stdin"], {
      environment,
      input: `${token}\n`,
    });
    expect(byInput).toEqual(byVariable);
    expect(place.profiles("gina").names()).toEqual([]);
  });

  test.each([
    [{ VANTAGE_TOKEN: "bad" }, [], "set another VANTAGE_TOKEN, or unset it and log in with: vantage login"],
    [{}, ["--token-stdin"], "give another token on standard input"],
  ])("%j %j that is refused", async (environment, args, advice) => {
    const options = { environment: { VANTAGE_GATEWAY: place.address, ...environment }, input: "bad" };
    const { exitCode, stderr } = await place.run("gina", ["whoami", ...args], options);
    expect(exitCode).toBe(1);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toStartWith("vantage whoami: Invalid token");
    expect(stderr[0]).toEndWith(`; ${advice}`);
  });

  test("must be one", async () => {
    const options = { environment: { VANTAGE_GATEWAY: place.address }, input: "two words" };
    expect(await place.run("gina", ["whoami", "--token-stdin"], options)).toMatchObject({
      exitCode: 2,
      stderr: [
        "vantage whoami: --token-stdin: standard input must hold one token, in one line; see vantage whoami --help",
      ],
    });
  });
});

test("several logins are distinguished by name", async () => {
  await place.logIn("hana");
  const profiles = place.profiles("hana");
  const known = profiles.read("test");
  profiles.write("other", { ...(known ?? fail()), gateway: "https://other.example", tokens: null });
  const rows = await place.run("hana", ["profiles", "-o", "csv"]);
  expect(rows.stdout.split("\n").slice(1, 3)).toEqual([
    "other,false,https://other.example,,false",
    `test,true,${place.address},,true`,
  ]);
  expect((await place.run("hana", ["profiles", "other"])).exitCode).toBe(0);
  expect((await place.run("hana", ["whoami"])).stderr).toEqual([
    "vantage whoami: Not logged in at https://other.example; log in with: vantage login --profile=other",
  ]);
  const chosen = await place.run("hana", ["whoami"], { environment: { VANTAGE_PROFILE: "test" } });
  expect(chosen.exitCode).toBe(0);
  expect((await place.run("hana", ["whoami", "--gateway", place.address])).stdout).toBe(chosen.stdout);
});

function fail(): never {
  throw new Error("There is no profile");
}

describe("there is no way to log in", () => {
  test.each([
    [["login"], 1, "No gateway is known: log in with `vantage login --gateway=URL`, or set VANTAGE_GATEWAY"],
    [
      ["login", "https://x.example"],
      2,
      'There is an argument too many: "https://x.example"; see vantage login --help',
    ],
    [
      ["login", "--gateway=nonsense"],
      1,
      '"nonsense" is not an address of a gateway: give one as https://gateway.example',
    ],
  ])("%j", async (args, exitCode, message) => {
    expect(await place.run("ivan", args)).toEqual({
      exitCode,
      stdout: "",
      stderr: [`vantage login: ${message}`],
    });
  });

  test("at a web page that is not a gateway", async () => {
    const address = place.issuer.url;
    const { exitCode, stderr } = await place.run("ivan", ["login", "--gateway", address]);
    expect(exitCode).toBe(1);
    expect(stderr).toHaveLength(1);
  });

  test("and Ctrl-C ends the wait", async () => {
    const child = place.start("ivan", ["login", "--gateway", place.address]);
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      if (text.includes("Waiting")) {
        child.kill("SIGINT");
      }
    }
    expect(await child.exited).toBe(130);
    expect(place.profiles("ivan").names()).toEqual([]);
  });
});

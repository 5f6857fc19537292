/** Short ids of measurements, logins that are not the one in use, targets that are not hosts: what is said of them. */
import { beforeAll, describe, expect, test } from "bun:test";
import { place } from "./shared-place.ts";

const line = "203.0.113.9,24000,33434,7,UDP\n";

beforeAll(() => place.logIn("ida"));

async function sent(): Promise<string> {
  const { stdout } = await place.run("ida", ["send", "-o", "json", "-a", "west"], { input: line });
  return JSON.parse(stdout).measurement_id;
}

async function shown(given: string) {
  const { exitCode, stdout, stderr } = await place.run("ida", ["show", "-o", "json", given]);
  return { exitCode, stderr, id: stdout === "" ? null : JSON.parse(stdout).measurement_id };
}

describe("measurements", () => {
  test("are named by last, by the first characters, in capitals too, or whole", async () => {
    const [first, second] = [await sent(), await sent()];
    const found = { exitCode: 0, stderr: [] };
    const which = `"UDP pings to 203.0.113.9 from west", started .* UTC, by vantage send`;
    const said = `^vantage show: Last is ${second.slice(0, 8)} ${which}$`;
    expect(await shown("last")).toEqual({
      ...{ ...found, stderr: [expect.stringMatching(new RegExp(said))], id: second },
    });
    expect(await shown(first.slice(0, 12))).toEqual({ ...found, id: first });
    expect(await shown(first.slice(0, 8).toUpperCase())).toEqual({ ...found, id: first });
    expect(await shown(second)).toEqual({ ...found, id: second });
    const { stdout } = await place.run("ida", ["cancel", "last", first.slice(0, 8), "-o", "csv"]);
    expect(stdout.split(/\r?\n/).map((row) => row.split(",")[0])).toEqual([
      "measurement_id",
      second,
      first,
      "",
    ]);
  });

  test("that are not there are looked for in vain, with what to do", async () => {
    await place.logIn("nobody-yet");
    expect((await place.run("nobody-yet", ["show", "last"])).stderr).toEqual([
      "vantage show: You have no measurements yet: make one with vantage trace --from, or vantage send",
    ]);
    expect((await shown("0000")).stderr).toEqual([
      "vantage show: No measurement of yours begins with 0000: vantage measurements lists them",
    ]);
  });
});

describe("who has nothing yet", () => {
  beforeAll(() => place.logIn("newcomer"));

  test.each([
    [["campaign", "list"], "No campaign; make one with: vantage campaign create FILE"],
    [["alerts"], "No alert"],
    [["alerts", "--active"], "No alert is raised"],
    [["discover", "list"], "No discovery; see vantage discover --help to begin one"],
    [["token", "list"], "No token; make one with: vantage token create --scopes=measurements:read NAME"],
  ])("and asks for %p, hears so", async (args, message) => {
    expect(await place.run("newcomer", args)).toEqual({
      ...{ exitCode: 0, stdout: "", stderr: [expect.stringContaining(`: ${message}`)] },
    });
  });

  test("hears nothing of it in a form for programs, which says it by itself", async () => {
    const { stdout, stderr } = await place.run("newcomer", ["token", "list", "-o", "json"]);
    expect([JSON.parse(stdout), stderr]).toEqual([[], []]);
  });

  test("sees when it was that nothing was submitted", async () => {
    expect((await place.run("newcomer", ["whoami"])).stdout).toMatch(/^last one +none today$/m);
  });

  test("and takes a word for a measurement, hears which word", async () => {
    const { exitCode, stderr } = await place.run("newcomer", ["share", "list"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: [expect.stringContaining('vantage share: ID "list" is not the id of a measurement')],
    });
  });

  test("and asks the admin API by a login, hears of the key", async () => {
    const asked = async (environment: Readonly<Record<string, string>>) => {
      const { stderr } = await place.run("newcomer", ["admin", "agents", "list"], { environment });
      return stderr.join("\n");
    };
    expect(await asked({})).toMatch(/your login has no operator rights here; use .+ VANTAGE_TOKEN="\$\(cat /);
    expect(await asked({ VANTAGE_TOKEN: "wrong" })).toContain("set VANTAGE_TOKEN to the admin key");
  });
});

test("a gateway whose login is not the one in use is said", async () => {
  await place.logIn("two");
  const profiles = place.profiles("two");
  const profile = profiles.read("test");
  if (profile === null) {
    throw new Error("Nobody is logged in");
  }
  profiles.write("other", { ...profile, gateway: "https://other.example" });
  profiles.use("other");
  const { exitCode, stderr } = await place.run("two", ["whoami", "--gateway", place.address]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: ['vantage whoami: With the login of profile "test", not "other", for this gateway'],
  });
  expect(profiles.current()).toBe("other");
  expect((await place.run("two", ["whoami", "--profile", "test"])).stderr).toEqual([]);
});

describe("a target that is not a host is answered with what to give", () => {
  test.each([
    [
      "https://host.example/path",
      "Cannot probe the URL https://host.example/path: give its host, host.example",
    ],
    [
      "http://[2001:db8::1]:8080/",
      "Cannot probe the URL http://[2001:db8::1]:8080/: give its host, 2001:db8::1; " +
        "for its port: -p tcp --dst-port 8080",
    ],
    [
      "192.0.2.0/24",
      "Cannot probe the prefix 192.0.2.0/24 here: give an address of it, as 192.0.2.0, " +
        "or probe all of it with vantage probes and vantage send",
    ],
  ])("%s", async (target, message) => {
    for (const command of ["trace", "ping"]) {
      expect(await place.run("ida", [command, target])).toEqual({
        ...{ exitCode: 1, stdout: "", stderr: [`vantage ${command}: ${message}`] },
      });
    }
  });
});

/** `vantage token` and `vantage share`: a token does what it was made for, in our own clients. */
import { beforeAll, describe, expect, test } from "bun:test";
import { place } from "./shared-place.ts";

beforeAll(() => place.logIn("tina"));

const tina = (...args: string[]) => place.run("tina", args);

async function json(...args: string[]) {
  const { exitCode, stdout, stderr } = await tina(...args, "-o", "json");
  expect([args, exitCode, exitCode === 0 ? [] : stderr]).toEqual([args, 0, []]);
  return JSON.parse(stdout);
}

describe("an API token", () => {
  test("is shown once, works as VANTAGE_TOKEN within its scopes, and is revoked by name", async () => {
    const made = await tina(
      "token",
      "create",
      "-s",
      "measurements:read",
      "--days=2",
      "watcher",
      "-o",
      "json",
    );
    expect([made.exitCode, made.stderr[0]]).toEqual([0, expect.stringContaining("shown this once")]);
    const { id, token } = JSON.parse(made.stdout);
    expect(token).toMatch(/^vtg_/);
    const environment = { VANTAGE_TOKEN: token, VANTAGE_GATEWAY: place.address };
    const asProgram = (...args: string[]) => place.run("program", args, { environment });
    expect(await asProgram("measurements")).toMatchObject({ exitCode: 0 });
    const refused = await asProgram("token", "list");
    expect([refused.exitCode, refused.stderr.join("\n")]).toEqual([
      1,
      expect.stringContaining("The token lacks the scope tokens:write"),
    ]);
    expect(await json("token", "list")).toMatchObject([{ id, name: "watcher", state: "live" }]);
    expect(await json("token", "revoke", "watcher")).toMatchObject({ id, state: "revoked" });
    expect((await asProgram("measurements")).stderr.join("\n")).toContain("it was revoked");
    expect((await tina("token", "revoke", "nobody")).stderr.join("\n")).toContain("You have no token");
  });

  test("wants scopes that there are", async () => {
    const { exitCode, stderr } = await tina("token", "create", "-s", "everything", "x");
    expect([exitCode, stderr.join("\n")]).toEqual([2, expect.stringContaining("measurements:read")]);
  });
});

describe("sharing", () => {
  test("a link is given and taken back, and what is public stays so", async () => {
    const lines = "203.0.113.9,24000,33434,7,udp\n";
    const sent = await place.run("tina", ["send", "-a", "west", "-", "-o", "json"], { input: lines });
    expect(sent.exitCode).toBe(0);
    const { url, page } = await json("share", "last", "--link");
    expect([(await fetch(url)).status, (await fetch(page)).status]).toEqual([200, 200]);
    expect(await json("share", "last")).toMatchObject({ visibility: "link", has_link: true, url: null });
    expect(await json("share", "last", "--revoke")).toMatchObject({ visibility: "private" });
    expect([(await fetch(url)).status, (await fetch(page)).status]).toEqual([404, 404]);
    const shown = await json("share", "last", "--public", "--licence=CC-BY-4.0", "--citation=Doe 2026");
    expect(shown).toMatchObject({ visibility: "public", licence: "CC-BY-4.0", citation: "Doe 2026" });
    expect((await fetch(shown.url)).status).toBe(200);
    const refused = await tina("share", "last", "--revoke");
    expect([refused.exitCode, refused.stderr.join("\n")]).toEqual([
      1,
      expect.stringContaining("can't be withdrawn"),
    ]);
  });

  test("last is asked about when a program of one's own has measured since", async () => {
    const lines = "203.0.113.9,24000,33434,7,udp\n";
    const send = ["send", "-a", "west", "-", "-o", "json"];
    const byHand = await place.run("tina", send, { input: lines });
    const mine = JSON.parse(byHand.stdout).measurement_id;
    const { token } = await json("token", "create", "-s", "measurements:create,measurements:read", "robot");
    const environment = { VANTAGE_TOKEN: token, VANTAGE_GATEWAY: place.address };
    const byProgram = await place.run("program", send, { input: lines, environment });
    expect(byProgram.exitCode).toBe(0);
    const newest = JSON.parse(byProgram.stdout).measurement_id;
    const { exitCode, stderr } = await tina("share", "last", "--link");
    expect(exitCode).toBe(1);
    expect(stderr.join("\n")).toContain(`A newer measurement of yours exists: ${newest.slice(0, 8)}`);
    expect(stderr.join("\n")).toContain(`You are about to share ${mine}`);
    expect(await json("share", mine)).toMatchObject({ visibility: "private" });
    expect(await json("share", "last", "--link", "--confirm", "yes")).toMatchObject({ visibility: "link" });
    expect(await json("share", newest)).toMatchObject({ visibility: "private" });
  });

  test("options that do not go together are refused before anything is asked", async () => {
    for (const args of [["--link", "--revoke"], ["--public"], ["--licence=x"]]) {
      expect((await tina("share", "last", ...args)).exitCode).toBe(2);
    }
  });
});

/** `vantage admin users export` and `erase`: a user's data, of both gateways. */
import { beforeAll, describe, expect, test } from "bun:test";
import { admin, hashOf, json, line, logIn, place, west } from "./admin-place.ts";

describe("a user's data", () => {
  beforeAll(async () => {
    await logIn("carl");
    await place.run("carl", ["peering", "prefix", "request", "4"]);
    const { stdout } = await place.run("carl", ["send", "-a", "west", "-o", "json"], {
      input: line,
    });
    await west.report(JSON.parse(stdout).measurement_id, { sent_probes: 1, is_complete: true });
  });

  test("are exported from both gateways as one JSON", async () => {
    const { exitCode, stdout, stderr } = await admin("users", "export", "carl", "--no-results");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: [] });
    expect(JSON.parse(stdout)).toMatchObject({
      user_hash: hashOf("carl"),
      probing: { user: { used_today: 1 }, measurements: [{ probes: 1 }] },
      peering: { user: { subject: "carl" }, leases: [{ closed_as: null }] },
    });
    const whole = await admin("users", "export", "carl");
    expect([whole.exitCode, whole.stderr]).toEqual([0, []]);
    // This gateway has no store.
    expect(JSON.parse(whole.stdout)).toMatchObject({ replies: [], probes: [], history: [] });
  });

  test("are erased only when the name is typed, at both gateways, and it is said what is left", async () => {
    const args = ["admin", "users", "erase", "carl", "-o", "json"];
    const refused = await place.run("olga", args, { input: "y\n" });
    expect([refused.exitCode, refused.stderr.at(-1)]).toEqual([
      1,
      "vantage admin users erase: Nothing was changed: the word was not carl",
    ]);
    expect((await json("users", "show", "carl")) as object[]).toHaveLength(2);
    const { exitCode, stdout, stderr } = await place.run("olga", args, { input: "carl\n" });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: [
        `All of carl (hash ${hashOf("carl")}) is erased permanently: probing gateway and peering gateway.`,
        "Type carl to continue:",
      ],
    });
    const rows = JSON.parse(stdout) as {
      gateway: string;
      state: string;
      place: string;
      rows: number | null;
    }[];
    expect(rows).toContainEqual(
      expect.objectContaining({ gateway: "probing", state: "erased", what: "users and limits", rows: 1 }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({
        gateway: "peering",
        state: "erased",
        what: "leases, live and past",
        rows: 1,
      }),
    );
    const remains = rows
      .filter(({ state }) => state === "remains")
      .map(({ gateway, place: where }) => `${gateway} ${where}`);
    expect(remains).toEqual([
      ...["probing database", "probing broker", "probing agents", "probing column store", "probing backups"],
      ...["peering database", "peering exchange servers", "peering exchange servers", "peering backups"],
    ]);
    expect((await admin("users", "show", "carl")).stderr[0]).toContain("No such user: carl");
    expect((await admin("users", "erase", "carl", "--confirm", "carl")).stderr[0]).toContain(
      "nothing to erase",
    );
  });

  test("are not erased in part without saying so", async () => {
    await place.logIn("olga");
    const { exitCode, stderr } = await admin("users", "erase", "ann", "--confirm", "ann");
    expect([exitCode, stderr[0]]).toEqual([1, expect.stringContaining("No peering gateway is known")]);
    await logIn("olga");
  });
});

test("without a peering gateway, users are those of the probing gateway, and it is said", async () => {
  await place.logIn("olga");
  const { exitCode, stderr } = await admin("users", "show", "ann");
  expect([exitCode, stderr]).toEqual([
    0,
    [
      "vantage admin users show: No peering gateway is known, so this is of the probing gateway alone (--only probing)",
    ],
  ]);
});

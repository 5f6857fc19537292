/** POST /api/probes: many at once, and the same again. */
import { describe, expect, test } from "bun:test";
import { addAgent, probeArrays } from "./gateway-home.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const used = async (user: string) => (await gateway().json(user, "/api/user/me")).used;

  describe("an Idempotency-Key", () => {
    const body = { metadata: [{ id: "west" }], probes: probeArrays(3) };
    const headers = { "idempotency-key": "k-1" };

    test("makes a repetition the same measurement, charged once", async () => {
      const first = await (await gateway().submit("again", body, { headers })).json();
      // The database knows a moment later than who submitted that the broker has it.
      for (let status = 202; status === 202; ) {
        const second = await gateway().submit("again", body, { headers });
        ({ status } = second);
        expect([200, 202]).toContain(status);
        expect(await second.json()).toEqual(first);
      }
      expect(await used("again")).toBe(3);
      expect(await gateway().records((first as { id: string }).id)).toHaveLength(1);
    });

    test("holds when the quota has gone and the agents too", async () => {
      const all = { metadata: [{ id: "fickle" }], probes: probeArrays(10_000) };
      await addAgent(gateway(), "fickle");
      const first = await (await gateway().submit("spent", all, { headers })).json();
      await addAgent(gateway(), "fickle", { healthy: false });
      for (let status = 202; status === 202; ) {
        const second = await gateway().submit("spent", all, { headers });
        ({ status } = second);
        expect([200, 202]).toContain(status);
        expect(await second.json()).toEqual(first);
      }
    });

    test("with another content is refused", async () => {
      await gateway().submit("other", body, { headers });
      const response = await gateway().submit("other", { ...body, probes: probeArrays(4) }, { headers });
      expect([response.status, await response.json()]).toMatchObject([
        409,
        { code: "idempotency_key_reused" },
      ]);
      expect(await used("other")).toBe(3);
    });

    test("is a user's own", async () => {
      const [a, b] = await Promise.all(
        ["one", "two"].map(async (user) => (await gateway().submit(user, body, { headers })).json()),
      );
      expect((a as { id: string }).id).not.toBe((b as { id: string }).id);
    });

    test("given by 20 at once makes one measurement", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => gateway().submit("crowd", body, { headers })),
      );
      const ids = await Promise.all(answers.map(async (one) => ((await one.json()) as { id: string }).id));
      expect([new Set(ids).size, await used("crowd")]).toEqual([1, 3]);
      expect(
        gateway()
          .services.spoolFolder.list()
          .filter((id) => id !== ids[0]),
      ).toEqual([]);
    });
  });

  test("40 of eight users at once: what the database refuses fails alone, and costs nothing", async () => {
    const { sql } = gateway().services.database;
    await sql`ALTER TABLE measurements ADD CONSTRAINT not_seven CHECK (probes <> 7) NOT VALID`;
    const sizes = Array.from({ length: 40 }, (_, i) => (i % 5 === 0 ? 7 : 3));
    const answers = await Promise.all(
      sizes.map((size, i) => {
        const body = { metadata: [{ id: "west" }], probes: probeArrays(size) };
        return gateway().submit(`sharer-${i % 8}`, body);
      }),
    );
    await sql`ALTER TABLE measurements DROP CONSTRAINT not_seven`;
    expect(answers.map(({ status }) => status)).toEqual(sizes.map((size) => (size === 7 ? 500 : 200)));
    const charged = await Promise.all(Array.from({ length: 8 }, (_, i) => used(`sharer-${i}`)));
    expect(charged).toEqual(Array.from({ length: 8 }, () => 4 * 3));
  });

  test("200 at once against one quota: as many as it has room for, and not one more", async () => {
    const body = { metadata: [{ id: "west" }, { id: "east" }], probes: probeArrays(500) };
    const responses = await Promise.all(Array.from({ length: 200 }, () => patiently("race", body)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200 || status === 202)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(190);
    expect(await used("race")).toBe(10_000);
  });

  /** More than the gateway reads at once get 503, and come again. */
  async function patiently(user: string, body: unknown): Promise<Response> {
    for (;;) {
      const response = await gateway().submit(user, body);
      if (response.status !== 503) {
        return response;
      }
      await Bun.sleep(10);
    }
  }
});

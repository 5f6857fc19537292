/** GET /api/measurements: filters, order, pages. */
import { beforeAll, expect, test } from "bun:test";
import { cancel, report, submitted } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const ids: string[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 5; i++) {
      ids.push(await submitted(gateway(), "lister", i === 3 ? "east" : "west"));
    }
    await report(gateway(), ids[0] ?? "", "west", { sent: 10, status: "complete" });
    await gateway().services.database.sql`
        UPDATE measurements SET ended_at = now() WHERE measurement_id = ${ids[0] ?? ""}`;
    await cancel(gateway(), "lister", ids[1] ?? "");
  });

  async function listed(query: string): Promise<number[]> {
    const response = await gateway().ask("lister", `/api/measurements${query}`);
    const rows = (await response.json()) as { measurement_id: string }[];
    return rows.map(({ measurement_id }) => ids.indexOf(measurement_id));
  }

  test.each<[string, number[]]>([
    ["?sort=started", [4, 3, 2, 1, 0]],
    ["?sort=started&reverse=1", [0, 1, 2, 3, 4]],
    ["?sort=started&reverse=false&limit=2", [4, 3]],
    ["?sort=started&limit=-3", [4]],
    ["?sort=started&status=complete", [0]],
    ["?sort=started&status=cancelled,complete", [1, 0]],
    ["?sort=started&status=in-progress", [4, 3, 2]],
    ["?sort=started&status=queued,running", [4, 3, 2]],
    ["?sort=started&status=running", []],
    ["?sort=started&agent=east", [3]],
    ["?since=2999-01-01", []],
    ["?sort=started&since=0001-01-01&until=9999-12-31", [4, 3, 2, 1, 0]],
    ["?sort=started&until=2999-01-01%2012:00:00", [4, 3, 2, 1, 0]],
    ["?sort=started&limit=&status=&since=&until=&agent=&reverse=", [4, 3, 2, 1, 0]],
  ])("%s", async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test("newest change first, unless asked otherwise", async () => {
    expect((await listed(""))[0]).toBe(1);
  });

  test.each([
    ["limit=x", "limit must be a whole number"],
    ["status=done", "must be some of queued,running,in-progress,complete,cancelled,failed,expired"],
    ["since=yesterday", "since must be RFC 3339"],
    ["since=0000-01-01", "since must be RFC 3339"],
    ["until=0001-01-01T00:00:00%2B23:59", "until must be RFC 3339"],
    ["until=9999-12-31T23:59:59-23:59", "until must be RFC 3339"],
    ["until=2026-13-01", "until must be RFC 3339"],
    ["sort=size", "sort must be updated or started"],
    ["reverse=maybe", "reverse must be true or false"],
    ["cursor=x", "cursor must come from a Link"],
  ])("%s is refused", async (query, message) => {
    const answer = await gateway().json("lister", `/api/measurements?${query}`);
    expect(answer).toMatchObject({
      status_code: 400,
      error: 400,
      message: expect.stringContaining(message),
    });
  });

  test.each(["sort=started", "sort=updated", "sort=started&reverse=1"])(
    "pages by %s hold all once",
    async (sort) => {
      const pages: number[][] = [];
      let next: string | null = `/api/measurements?limit=2&${sort}`;
      while (next !== null) {
        const response: Response = await gateway().ask("lister", next);
        const rows = (await response.json()) as { measurement_id: string }[];
        pages.push(rows.map(({ measurement_id }) => ids.indexOf(measurement_id)));
        next = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
      }
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(pages.flat().toSorted()).toEqual([0, 1, 2, 3, 4]);
      expect(pages.flat()).toEqual(await listed(`?${sort}`));
    },
  );
});

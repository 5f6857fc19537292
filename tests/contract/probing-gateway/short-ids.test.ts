/** The beginnings of ids, as commands take them, at a gateway whose measurements have much the same id. */
import { expect, test } from "bun:test";
import { wholeId } from "../../../apps/user/client/gateway/measurement-id.ts";
import { Gateway } from "../../../lib/engines/gateway-client/gateway.ts";
import { fixedToken } from "../../../lib/engines/gateway-client/token-source.ts";
import { submitted } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

const one = "abcdabcd-0000-4000-8000-000000000001";
const other = "abcdabcd-0000-4000-8000-000000000002";

onBothEngines((gateway) => {
  test("what several begin with is not guessed: they are listed", async () => {
    const { sql } = gateway().services.database;
    for (const id of [one, other]) {
      const made = await submitted(gateway(), "short", "west");
      await sql.begin(async (tx) => {
        await tx`ALTER TABLE measurement_agents DROP CONSTRAINT measurement_agents_measurement_id_fkey`;
        await tx`ALTER TABLE measurement_targets DROP CONSTRAINT measurement_targets_measurement_id_fkey`;
        await tx`UPDATE measurements SET measurement_id = ${id} WHERE measurement_id = ${made}`;
        await tx`UPDATE measurement_agents SET measurement_id = ${id} WHERE measurement_id = ${made}`;
        await tx`UPDATE measurement_targets SET measurement_id = ${id} WHERE measurement_id = ${made}`;
        for (const table of ["measurement_agents", "measurement_targets"]) {
          await tx`ALTER TABLE ${tx(table)} ADD FOREIGN KEY (measurement_id) REFERENCES measurements ON DELETE CASCADE`;
        }
      });
    }
    using server = Bun.serve({ port: 0, fetch: (request) => gateway().fetch(request) });
    const client = new Gateway({
      ...{ address: `http://127.0.0.1:${server.port}`, tokens: fixedToken("short"), userAgent: "test" },
    });
    const notes: string[] = [];
    const place = { signal: new AbortController().signal, note: (text: string) => void notes.push(text) };
    const find = (given: string) => wholeId(place, client, given);
    expect(await find(other)).toBe(other);
    expect(await find("last")).toBe(other);
    expect(notes).toEqual([
      expect.stringMatching(/^last is abcd\S+ "UDP .* from west", started .* UTC, by /),
    ]);
    expect(await find(one.slice(0, 36).toLowerCase())).toBe(one);
    expect(find("abcd")).rejects.toThrow(
      `Several ids begin with abcd: ${other}, ${one}; give more characters of the one that you mean`,
    );
    expect(find("abce")).rejects.toThrow("No measurement of yours begins with abce");
    const listed = await gateway().ask("short", "/api/measurements?id=abcd%25");
    expect(listed.status).toBe(400);
  });
});

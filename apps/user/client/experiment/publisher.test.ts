import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { journalFile } from "../../../../lib/base/disk/change-log.ts";
import { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { fixedToken } from "../../../../lib/engines/gateway-client/token-source.ts";
import { JournalPublisher } from "./publisher.ts";

const folder = mkdtempSync(join(tmpdir(), "publisher-"));
const journal = join(folder, journalFile);
afterAll(() => rmSync(folder, { recursive: true }));

test("what the gateway did not accept by the run's end is sent once more, and a problem is reported once", async () => {
  writeFileSync(journal, "begun\nended\n");
  const end = new AbortController();
  const kept: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      if (!end.signal.aborted) {
        end.abort();
        return new Response(null, { status: 500 });
      }
      if (request.url.endsWith("/journal")) {
        kept.push(...((await request.json()) as { lines: string[] }).lines);
      }
      return Response.json({ id: crypto.randomUUID(), entries: kept.length });
    },
  });
  const address = `http://127.0.0.1:${server.port}`;
  const gateway = new Gateway({ address, tokens: fixedToken("anna"), userAgent: "test", retryDelaysMs: [] });
  const said: string[] = [];
  await new JournalPublisher(gateway, folder).keepSending(end.signal, (line) => said.push(line));
  await server.stop(true);
  expect(kept).toEqual(["begun", "ended"]);
  expect(said).toEqual([expect.stringContaining("cannot send the journal to the probing gateway")]);
});

import { expect, test } from "bun:test";
import { join } from "node:path";

/** A service that answers after a while, and says what it does on standard output. */
const program = `
import { runService, untilAborted } from "${join(import.meta.dirname, "run-service.ts")}";
const say = (text) => process.stdout.write(text + "\\n");
await runService({
  name: "sample",
  warnings: ["mind this"],
  open: (_log, owned) => {
    owned.defer(() => say("closed last, as it was opened first"));
    owned.defer(() => say("closed"));
    return {
      fetch: async () => {
        say("asked");
        await Bun.sleep(200);
        return new Response("answered");
      },
      listen: { host: "127.0.0.1", port: 0 },
      facts: { place: "here" },
      reload: async () => say("reloaded"),
      release: () => say("released"),
      stays: "the file stays",
    };
  },
});
say("gone");
`;

async function started(text: string) {
  const child = Bun.spawn([process.execPath, "-e", text], { stdout: "pipe", stderr: "pipe" });
  const heard = { out: "", log: "" };
  const decoder = new TextDecoder();
  const listen = async (stream: ReadableStream<Uint8Array>, to: "out" | "log") => {
    for await (const bytes of stream) {
      heard[to] += decoder.decode(bytes, { stream: true });
    }
  };
  const ended = Promise.all([listen(child.stdout, "out"), listen(child.stderr, "log"), child.exited]);
  const hears = async (to: "out" | "log", words: string) => {
    while (!heard[to].includes(words) && child.exitCode === null) {
      await Bun.sleep(5);
    }
    expect(heard[to]).toContain(words);
  };
  return { child, heard, ended, hears };
}

test("a service warns, serves, reloads, lets an answer end, and closes what it opened, the last first", async () => {
  const { child, heard, ended, hears } = await started(program);
  await hears("log", '"Serving"');
  const url = /"url":"([^"]+)"/.exec(heard.log)?.[1] ?? "";
  child.kill("SIGHUP");
  await hears("out", "reloaded");
  const answer = fetch(url);
  await hears("out", "asked");
  child.kill("SIGTERM");
  expect(await (await answer).text()).toBe("answered");
  await ended;
  expect([child.exitCode, heard.out.trim().split("\n")]).toEqual([
    0,
    ["reloaded", "asked", "released", "closed", "closed last, as it was opened first", "gone"],
  ]);
  const lines = heard.log.trim().split("\n");
  const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
  expect(messages).toEqual(["mind this", "Serving", "Stopping; the file stays"]);
  expect(lines[1]).toContain('"place":"here"');
});

test("a second signal does not wait for the answer", async () => {
  const { child, ended, hears, heard } = await started(
    program.replace("Bun.sleep(200)", "Bun.sleep(60_000)"),
  );
  await hears("log", '"Serving"');
  const answer = fetch(/"url":"([^"]+)"/.exec(heard.log)?.[1] ?? "").catch(() => null);
  await hears("out", "asked");
  child.kill("SIGINT");
  await hears("out", "released");
  child.kill("SIGINT");
  await ended;
  expect([child.exitCode, await answer]).toEqual([130, null]);
});

/** Messages about alerts on their way: to real servers, and never to where only the gateway reaches. */
import { afterAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitSec } from "../../../apps/probing/campaigns/delivery/deliver.ts";
import { sendEmail } from "../../../apps/probing/campaigns/delivery/email.ts";
import { postWebhook, publicAddress } from "../../../apps/probing/campaigns/delivery/webhook.ts";
import { makeCertificates } from "../../kafka/certificates.ts";
import { startMailServer } from "./mail-server.ts";

const requests: { path: string; headers: Headers; body: string }[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    const path = new URL(request.url).pathname;
    requests.push({ path, headers: request.headers, body: await request.text() });
    const answers: Readonly<Record<string, () => Response>> = {
      "/ok": () => new Response("thanks", { status: 202 }),
      "/moved": () => new Response(null, { status: 302, headers: { location: "/ok" } }),
      "/broken": () => new Response("no", { status: 500 }),
    };
    return answers[path]?.() ?? new Response(null, { status: 404 });
  },
});
const folder = mkdtempSync(join(tmpdir(), "vantage-mail-"));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop(true);
});

const message = {
  id: "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
  secret: "s".repeat(16),
  body: '{"kind":"raised"}',
};
const post = (path: string, allowedHosts: readonly string[] = ["127.0.0.1"]) =>
  postWebhook({ ...message, url: `http://127.0.0.1:${server.port}${path}`, allowedHosts });

describe("a webhook", () => {
  test("has its body signed with the time, and an id", async () => {
    expect(await post("/ok")).toEqual({ kind: "delivered", text: "HTTP/1.1 202 Accepted" });
    const { headers, body } = requests.at(-1) ?? { headers: new Headers(), body: "" };
    const timestamp = headers.get("vantage-timestamp");
    const expected = createHmac("sha256", message.secret).update(`${timestamp}.${body}`).digest("hex");
    expect(headers.get("vantage-signature")).toBe(`v1=${expected}`);
    expect([headers.get("idempotency-key"), body]).toEqual([message.id, message.body]);
  });

  test("follows no redirect, and is tried again after any other answer", async () => {
    const before = requests.length;
    expect(await post("/moved")).toEqual({ kind: "again", text: "HTTP/1.1 302 Found" });
    expect(await post("/broken")).toMatchObject({ kind: "again" });
    expect(requests.slice(before).map(({ path }) => path)).toEqual(["/moved", "/broken"]);
  });

  test("goes to no private host that the operator has not allowed, by whatever name", async () => {
    const before = requests.length;
    expect(await post("/ok", [])).toMatchObject({ kind: "never" });
    const hosts = [
      "127.0.0.1",
      "localhost",
      "10.1.2.3",
      "169.254.169.254",
      "192.168.0.1",
      "[::1]",
      "0.0.0.0",
    ];
    const others = [
      "[::ffff:10.0.0.1]",
      "[64:ff9b::a00:1]",
      "[fe80::1]",
      "[fd00::1]",
      "100.64.0.1",
      "2130706433",
      // 6to4, Teredo, IPv4-compatible, IPv4-translated, NAT64 of both kinds: each leads to 127.0.0.1 or 10.0.0.1.
      "[2002:7f00:1::]",
      "[2002:a00:1::1]",
      "[2001:0:7f00:1::1]",
      "[::127.0.0.1]",
      "[::ffff:0:7f00:1]",
      "[64:ff9b::7f00:1]",
      "[64:ff9b:1:7f00:0:100::]",
    ];
    for (const host of [...hosts, ...others]) {
      const url = new URL(`https://${host}:${server.port}/ok`);
      const outcome = await postWebhook({ ...message, url: url.href, allowedHosts: [] });
      expect([host, outcome.kind, outcome.text]).toEqual([
        host,
        "never",
        expect.stringContaining("not public"),
      ]);
    }
    expect(requests).toHaveLength(before);
    expect(await publicAddress("1.1.1.1", [])).toEqual({ ok: true, address: "1.1.1.1" });
  });

  test("where nobody listens is tried again", async () => {
    const url = "http://127.0.0.1:1/";
    expect(await postWebhook({ ...message, url, allowedHosts: ["127.0.0.1"] })).toMatchObject({
      kind: "again",
    });
  });
});

test("each further wait is twice as long, with a half of it by chance", () => {
  expect([0, 1, 7].map((attempts) => [waitSec(attempts, 0), waitSec(attempts, 1)])).toEqual([
    [5, 15],
    [10, 30],
    [640, 1920],
  ]);
});

describe("an e-mail", () => {
  const body = {
    ...{
      kind: "raised",
      campaign: "path\r\nBcc: all@example.net",
      run: 7,
      planned_at: "2026-11-22T12:00:00.000Z",
    },
    ...{ detector: "loss", agent: "west", destination: "203.0.113.9", reason: "12 of 40 probes were lost" },
  };
  const smtp = { host: "127.0.0.1", encryption: "none", from: "vantage@example.net", login: null } as const;

  test("is taken by a server, and foreign text in it makes no header", async () => {
    using mail = await startMailServer(null);
    const outcome = await sendEmail(
      { ...smtp, port: mail.port },
      { id: message.id, to: "noc@example.net", body },
    );
    expect(outcome).toEqual({ kind: "delivered", text: "250 2.0.0 taken" });
    const [taken] = mail.taken;
    expect(taken).toMatchObject({ from: "FROM:<vantage@example.net>", to: "TO:<noc@example.net>" });
    const [head = "", text = ""] = (taken?.text ?? "").split("\r\n\r\n", 2);
    expect(head).toContain(`Message-ID: <${message.id}@example.net>`);
    expect(head).toContain("Subject: path?Bcc: all@example.net: loss raised");
    expect(head.split("\r\n").filter((line) => line.startsWith("Bcc"))).toEqual([]);
    expect(text).toContain("Run       7");
    expect(taken?.text).toContain("12 of 40 probes were lost");
  });

  test("that is refused for good is not tried again, and one that finds nobody is", async () => {
    using mail = await startMailServer(null);
    const send = (to: string, port = mail.port) => sendEmail({ ...smtp, port }, { id: message.id, to, body });
    expect(await send("nobody@example.net")).toMatchObject({ kind: "never" });
    expect(await send("noc@example.net", 1)).toMatchObject({ kind: "again" });
  });

  test("is encrypted before the password is sent, by a server whose certificate is good", async () => {
    const { authority, named } = makeCertificates(folder);
    const pem = readFileSync(named, "utf8");
    using mail = await startMailServer({ key: pem, cert: pem });
    const order = { ...smtp, host: "localhost", port: mail.port, encryption: "starttls" };
    const config = { ...order, login: { user: "vantage", password: "secret" } };
    const script = `import { sendEmail } from "./apps/probing/campaigns/delivery/email.ts";
      console.log(JSON.stringify(await sendEmail(${JSON.stringify(config)},
        { id: "1", to: "noc@example.net", body: ${JSON.stringify(body)} })));`;
    const send = async (ca: string) => {
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
      const child = Bun.spawn([process.execPath, "-e", script], { env, stdout: "pipe" });
      return JSON.parse(await new Response(child.stdout).text());
    };
    expect(await send("")).toMatchObject({ kind: "again" });
    expect(mail.taken).toEqual([]);
    expect(await send(authority)).toMatchObject({ kind: "delivered" });
    expect(mail.taken).toMatchObject([{ isEncrypted: true, login: "\0vantage\0secret" }]);
  });
});

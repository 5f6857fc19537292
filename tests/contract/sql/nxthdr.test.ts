/**
 * nxthdr's command, unmodified, lists replies from /api/sql. Its host and path are fixed, so a proxy that it is given
 * stands in for them, as an operator's would. It is built elsewhere: VANTAGE_NXTHDR_CLI names it.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqlHome } from "../../attacks/sql/sql-home.ts";
import { runToEnd } from "../../run/said.ts";

const { VANTAGE_NXTHDR_CLI: command } = process.env;
const host = "clickhouse.nxthdr.dev";
const owned = new AsyncDisposableStack();
afterAll(() => owned.disposeAsync());

/** The address of a proxy whose every connection ends at a TLS server, and the certificate of that. */
async function proxyTo(url: string): Promise<{ readonly proxy: string; readonly certificate: string }> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-nxthdr-"));
  owned.defer(() => rmSync(folder, { recursive: true, force: true }));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const isLeaf = ["-addext", "basicConstraints=critical,CA:FALSE"];
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, ...isLeaf];
  const made = await runToEnd([
    ...[
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "1",
    ],
    ...["-keyout", key, "-out", certificate, ...names],
  ]);
  expect({ ...made, stderr: "" }).toMatchObject({ exitCode: 0 });
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    tls: { key: readFileSync(key, "utf8"), cert: readFileSync(certificate, "utf8") },
    fetch: async (request) => {
      const { search } = new URL(request.url);
      return await fetch(`${url}api/sql${search}`, { method: "POST", body: await request.text() });
    },
  });
  owned.defer(() => server.stop(true));
  const proxy = createServer((socket) => {
    socket.once("data", () => {
      const far = connect(server.port ?? 0, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(far).pipe(socket);
      });
      far.on("error", () => socket.destroy());
      socket.on("error", () => far.destroy());
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  proxy.listen(0, "127.0.0.1", resolve);
  await promise;
  owned.defer(() => void proxy.close());
  return { proxy: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`, certificate };
}

test.skipIf(command === undefined)("reply list: public replies by source, and none", async () => {
  const home = owned.use(await SqlHome.start());
  const { url } = owned.use(home.home.listen());
  const { proxy, certificate } = await proxyTo(url);
  const list = async (source: string) => {
    const environment = [`HTTPS_PROXY=${proxy}`, `SSL_CERT_FILE=${certificate}`, `NXTHDR_API_URL=${url}`];
    return await runToEnd([
      ...["env", ...environment, command ?? "", "-o", "json"],
      ...["probing", "reply", "list", "--src-ip", source],
    ]);
  };
  const found = await list("::ffff:192.0.2.1");
  expect(found).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(found.stdout)).toEqual([
    {
      ...{ agent: "west", src: "::ffff:192.0.2.1", dst: "::ffff:203.0.113.5", ttl: "1" },
      ...{ reply: "::ffff:198.51.100.1", rtt: "0.01ms" },
    },
  ]);
  expect(JSON.parse((await list("2001:db8::77")).stdout)).toEqual([]);
});

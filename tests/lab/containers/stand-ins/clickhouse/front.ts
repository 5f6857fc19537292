/**
 * In the image that stands in for ClickHouse's server: starts the column store as a library, and lets to it who has an
 * account in the users.d file that `make-secrets.sh` has made. Rights are not looked at.
 *
 *   bun front.js FOLDER PORT
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const [, , folder = "", port = ""] = process.argv;
const accounts = readFileSync("/etc/clickhouse-server/users.d/vantage.xml", "utf8");
const endpoint = `${folder}/endpoint.json`;

function isAccount(authorization: string): boolean {
  const [user = "", password = ""] = Buffer.from(authorization.replace(/^Basic /, ""), "base64")
    .toString()
    .split(":");
  const hash = createHash("sha256").update(password).digest("hex");
  const account = new RegExp(`<${user}>\\s*<password_sha256_hex>${hash}<`);
  return /^\w+$/.test(user) && account.test(accounts);
}

const store = Bun.spawn(["/opt/store/vantage", "stack", "store", "--dir", folder], {
  stdio: ["ignore", "inherit", "inherit"],
});
process.once("SIGTERM", () => store.kill("SIGTERM"));
while (!existsSync(endpoint) && store.exitCode === null) {
  await Bun.sleep(50);
}
Bun.serve({
  ...{ hostname: "::", port: Number(port), idleTimeout: 120 },
  fetch: (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/ping" && search === "") {
      return new Response("Ok.\n");
    }
    const headers = new Headers(request.headers);
    if (!isAccount(headers.get("authorization") ?? "")) {
      return new Response("Code: 516. Authentication failed", { status: 403 });
    }
    const inside = JSON.parse(readFileSync(endpoint, "utf8")) as { url: string; token: string };
    headers.set("authorization", `Basic ${btoa(`vantage:${inside.token}`)}`);
    const { method, body } = request;
    return fetch(new URL(pathname + search, inside.url), { method, headers, body, decompress: false });
  },
});
process.exitCode = await store.exited;

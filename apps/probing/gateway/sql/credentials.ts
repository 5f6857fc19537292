/**
 * The credential of a request, wherever ClickHouse's clients put it: `Authorization` (Bearer or Basic), the headers
 * `X-ClickHouse-User` and `-Key`, or `user` and `password` in the query. A token is the password; the name beside it is
 * not read. The first place that is used counts.
 */
import { bearerToken } from "../../../../lib/engines/auth/bearer.ts";
import { tokenBytesMax } from "../../../../lib/engines/auth/limits.ts";
import { Refusal } from "./refusal.ts";

interface Given {
  readonly user: string;
  readonly password: string;
}

/** Name and password of the public reader, as existing programs send them. */
const publicReader: Given = { user: "read", password: "read" };

type Credential = { readonly kind: "token"; readonly token: string } | { readonly kind: "public" };

/** Throws Failure `auth`, and Refusal for a credential that cannot be read. */
export function credentialOf(headers: Headers, query: URLSearchParams): Credential {
  const authorization = headers.get("authorization");
  if (authorization?.startsWith("Bearer ")) {
    return { kind: "token", token: bearerToken(authorization) };
  }
  const given = basic(authorization) ?? ofHeaders(headers) ?? ofQuery(query);
  if (given === null || given.password === "") {
    return { kind: "token", token: bearerToken(null) };
  }
  if (given.user === publicReader.user && given.password === publicReader.password) {
    return { kind: "public" };
  }
  if (given.password.length > tokenBytesMax) {
    throw new Refusal("authenticationFailed", 401, "The password is not a token: it is too long", challenge);
  }
  return { kind: "token", token: bearerToken(`Bearer ${given.password}`) };
}

/** Names both schemes, so that a browser or `curl --anyauth` can ask for a password. */
export const challenge = { "www-authenticate": 'Bearer realm="vantage", Basic realm="vantage"' } as const;

function basic(authorization: string | null): Given | null {
  if (authorization === null || !/^Basic /i.test(authorization)) {
    return null;
  }
  const [, user = "", password = ""] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(authorization.slice("Basic ".length), "base64").toString()) ?? [];
  return { user, password };
}

function ofHeaders(headers: Headers): Given | null {
  const user = headers.get("x-clickhouse-user");
  const password = headers.get("x-clickhouse-key");
  return user === null && password === null ? null : { user: user ?? "", password: password ?? "" };
}

function ofQuery(query: URLSearchParams): Given | null {
  const user = query.get("user");
  const password = query.get("password");
  return user === null && password === null ? null : { user: user ?? "", password: password ?? "" };
}

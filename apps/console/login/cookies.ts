/**
 * The console's two cookies. Scripts read neither.
 *
 * `session` is sent with requests of our own pages only (SameSite=Strict). `login` lasts from the click on "Log in"
 * until the issuer sends the browser back, which is another site's navigation (Lax). Where the gateway is reached by
 * TLS they have the prefix `__Host-`, so that no other host of the domain can set them; on loopback there is no TLS.
 */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { loginMs, sessionMs } from "../limits.ts";

type Kind = "session" | "login";

const kinds = {
  session: { sameSite: "Strict", maxAgeSec: sessionMs / 1000 },
  login: { sameSite: "Lax", maxAgeSec: loginMs / 1000 },
} as const;

const nameOf = (kind: Kind, isSecure: boolean) => `${isSecure ? "__Host-" : ""}vantage-${kind}`;

export function cookieOf(c: Context, kind: Kind, isSecure: boolean): string | null {
  return getCookie(c, nameOf(kind, isSecure)) ?? null;
}

export function giveCookie(c: Context, kind: Kind, isSecure: boolean, value: string): void {
  const { sameSite, maxAgeSec } = kinds[kind];
  const common = { httpOnly: true, secure: isSecure, path: "/", sameSite } as const;
  setCookie(c, nameOf(kind, isSecure), value, { ...common, maxAge: maxAgeSec });
}

export function takeCookie(c: Context, kind: Kind, isSecure: boolean): void {
  deleteCookie(c, nameOf(kind, isSecure), { path: "/", secure: isSecure });
}

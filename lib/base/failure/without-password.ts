/**
 * The address of a database, store or host without secrets: `postgres://user:secret@host/…` without `:secret`, and
 * `?password=secret` as `?password=…`. Also for invalid URLs, since a mistyped one may contain a password: without a
 * scheme, or with a `/` or `@` in the password.
 */
export function withoutPassword(address: string): string {
  return address
    .replace(URL.canParse(address) ? /(:\/\/[^/@:]*):[^/?#]*@/ : /(:\/\/[^/@:]*):[^?#]*@/, "$1@")
    .replace(/^([^/@:]+):[^/@]*@/, "$1@")
    .replace(/([?&](?:password|secret|token|key|access_token|api_key)=)[^&#]*/gi, "$1…");
}

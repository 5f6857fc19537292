/**
 * The query of the next page, from `Link: <…?cursor=…>; rel="next"` (RFC 8288); null on the last one. The address stays
 * our own, whatever the link contains.
 */
export function nextPageQuery(link: string | null, address: string): Readonly<Record<string, string>> | null {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "") ?? [];
  return target === undefined ? null : Object.fromEntries(new URL(target, `${address}/`).searchParams);
}

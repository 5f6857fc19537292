/**
 * What a DNS probe asks of a name server, so that a site of an anycast address names itself: `hostname.bind` or
 * `id.server` as TXT of class CHAOS (RFC 4892), or `nsid`, a name no server has. Each requests NSID (RFC 5001) too.
 */
export const dnsQuestions = ["hostname.bind", "id.server", "nsid"] as const;
export type DnsQuestion = (typeof dnsQuestions)[number];

/** The only port that is asked. */
export const dnsPort = 53;

/** By number (RFC 1035, 2136, 6891, 7873); answers without an error have none. */
const responseCodes: Readonly<Record<number, string>> = {
  ...{ 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED", 9: "NOTAUTH" },
  ...{ 16: "BADVERS", 23: "BADCOOKIE" },
};

/** `DNS answer`, `DNS answer REFUSED, truncated`. */
export function dnsAnswerInWords(code: number, isTruncated: boolean): string {
  const error = code === 0 ? "" : ` ${responseCodes[code] ?? `code ${code}`}`;
  return `DNS answer${error}${isTruncated ? ", truncated" : ""}`;
}

/**
 * A message as an HTTP POST of JSON (RFC 9110, 9112), on its own connection to a checked address.
 *
 *   vantage-delivery    id of the message, the same in each attempt; also in `idempotency-key`
 *   vantage-timestamp   seconds since 1970, of this attempt
 *   vantage-signature   v1=HEX, HMAC-SHA256 by the secret over timestamp, a dot and the body; where there is one
 *
 * Users choose hosts, and must not reach hosts that only the gateway can reach (SSRF). A name is resolved once, all of
 * its addresses must be public, and the connection is to the checked address, so that DNS rebinding has no effect. Only
 * the response's status is read. 2xx is delivered; redirects are not followed, as their target is unchecked.
 */
import { createHmac } from "node:crypto";
import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { isPublic } from "../../../../lib/measuring/probing/led-to.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { answerBytesMax, webhookMsMax } from "../limits.ts";
import { type Outcome, saidBy } from "./outcome.ts";

interface WebhookMessage {
  readonly id: string;
  readonly url: string;
  /** Null = not signed. */
  readonly secret: string | null;
  readonly body: string;
  /** Hosts that may be private, and reached without TLS. */
  readonly allowedHosts: readonly string[];
}

export async function postWebhook(message: WebhookMessage): Promise<Outcome> {
  const url = new URL(message.url);
  const isAllowed = message.allowedHosts.includes(url.hostname.toLowerCase());
  if (url.protocol !== "https:" && !isAllowed) {
    return { kind: "never", text: `${url.hostname} is not an https:// address` };
  }
  const resolved = await publicAddress(url.hostname, message.allowedHosts);
  if (!resolved.ok) {
    return { kind: resolved.isFinal ? "never" : "again", text: resolved.reason };
  }
  try {
    const status = await statusOf(url, resolved.address, requestText(url, message));
    const isDelivered = /^HTTP\/1\.[01] 2\d\d\b/.test(status);
    return { kind: isDelivered ? "delivered" : "again", text: saidBy(status) };
  } catch (error) {
    return { kind: "again", text: `${url.host}: ${saidBy(systemReason(error))}` };
  }
}

function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

function requestText(url: URL, { id, secret, body }: WebhookMessage): string {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    "user-agent: vantage",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `idempotency-key: ${id}`,
    `vantage-delivery: ${id}`,
    `vantage-timestamp: ${timestamp}`,
    ...(secret === null ? [] : [`vantage-signature: ${signatureOf(secret, timestamp, body)}`]),
    "connection: close",
    "",
    body,
  ].join("\r\n");
}

/** The response's first line. Rejects when there is none in time. */
function statusOf(url: URL, address: string, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = isTls
    ? connectTls({ host: address, port, servername: host, rejectUnauthorized: true })
    : connect({ host: address, port });
  const timer = setTimeout(() => reject(new Error("no answer in time")), webhookMsMax);
  let answer = "";
  socket.once(isTls ? "secureConnect" : "connect", () => socket.write(request));
  socket.on("data", (bytes: Uint8Array) => {
    answer += Buffer.from(bytes).toString("latin1");
    const end = answer.indexOf("\r\n");
    if (end >= 0) {
      resolve(answer.slice(0, end));
    } else if (answer.length > answerBytesMax) {
      reject(new Error("the answer is not HTTP"));
    }
  });
  socket.once("error", reject);
  socket.once("close", () => reject(new Error("the connection was closed without an answer")));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

type Resolved =
  | { readonly ok: true; readonly address: string }
  /** `isFinal`: a retry changes nothing. */
  | { readonly ok: false; readonly reason: string; readonly isFinal: boolean };

/** `allowed` are names of hosts, or addresses, that may be private: the operator's own. */
export async function publicAddress(host: string, allowed: readonly string[]): Promise<Resolved> {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  let found: readonly string[];
  try {
    found = (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
  } catch (error) {
    return { ok: false, reason: `Cannot find ${name}: ${systemReason(error)}`, isFinal: false };
  }
  const [first] = found;
  if (first === undefined) {
    return { ok: false, reason: `${name} has no address`, isFinal: false };
  }
  const strange = allowed.includes(name) ? undefined : found.find(isPrivate);
  return strange === undefined
    ? { ok: true, address: first }
    : { ok: false, reason: `${name} has the address ${strange}, which is not public`, isFinal: true };
}

/** Also texts that are not an address, such as one with a zone. */
function isPrivate(text: string): boolean {
  const address = parseAddress(text);
  return address === null || !isPublic(address);
}

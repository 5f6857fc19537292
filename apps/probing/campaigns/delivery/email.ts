/**
 * A message as an e-mail (RFC 5322), by the operator's mail server: plain text in ASCII, as what stands in it comes
 * from users and routers.
 */
import { hostname } from "node:os";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { SmtpConfig } from "../campaign-services.ts";
import { type Outcome, saidBy } from "./outcome.ts";
import { SmtpRefusal, SmtpSession } from "./smtp-session.ts";

interface EmailMessage {
  readonly id: string;
  readonly to: string;
  readonly body: unknown;
}

export async function sendEmail(smtp: SmtpConfig | null, { id, to, body }: EmailMessage): Promise<Outcome> {
  if (smtp === null) {
    return { kind: "never", text: "This gateway sends no e-mail: alerts.smtp_server is not set" };
  }
  try {
    await using session = await SmtpSession.open(smtp, hostname());
    const said = await session.send({
      from: smtp.from,
      to,
      text: mailText({ id, from: smtp.from, to, body }),
    });
    return { kind: "delivered", text: saidBy(said) };
  } catch (error) {
    const isFinal = error instanceof SmtpRefusal && error.status >= 550 && error.status < 555;
    return { kind: isFinal ? "never" : "again", text: saidBy(systemReason(error)) };
  }
}

interface MailOrder {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly body: unknown;
}

/** What of a message people read. */
interface Said {
  readonly kind?: unknown;
  readonly campaign?: unknown;
  readonly alerts?: unknown;
  readonly omitted?: unknown;
  readonly [name: string]: unknown;
}

/** Each line ends with CRLF but the last. */
function mailText({ id, from, to, body }: MailOrder): string {
  const said = body as Said;
  const alerts = Array.isArray(said.alerts) ? (said.alerts as readonly Said[]) : [said];
  const omitted = Number(said.omitted ?? 0);
  return [
    `From: Vantage <${from}>`,
    `To: <${to}>`,
    `Subject: ${line(`${said.campaign}: ${subjectOf(said, alerts)}`, 120)}`,
    `Date: ${new Date().toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${id}@${from.split("@")[1] ?? "vantage"}>`,
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=us-ascii",
    "",
    ...[
      `Campaign  ${line(said.campaign)}`,
      `Run       ${line(said.run)}`,
      `Planned   ${line(said.planned_at)}`,
    ],
    ...alerts.flatMap((alert) => ["", ...linesOf(alert)]),
    ...(omitted > 0 ? ["", `and ${omitted} more: vantage alerts`] : []),
  ].join("\r\n");
}

function subjectOf(said: Said, alerts: readonly Said[]): string {
  return said.kind === "digest"
    ? `${said.raised} alerts raised, ${said.cleared} cleared`
    : `${alerts[0]?.detector} ${said.kind}`;
}

function linesOf({ kind, detector, agent, destination, reason }: Said): string[] {
  const to = destination === "" ? "" : ` to ${line(destination)}`;
  return [`${line(detector)} ${line(kind)}: from ${line(agent)}${to}`, line(reason)];
}

/** One line of printable ASCII. */
function line(value: unknown, charsMax = 500): string {
  return String(value ?? "")
    .replaceAll(/[^\x20-\x7e]+/g, "?")
    .slice(0, charsMax);
}

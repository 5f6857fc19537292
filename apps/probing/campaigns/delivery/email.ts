/**
 * A message as an e-mail, sent through the operator's mail server: plain ASCII text, because parts of it are from users
 * and routers.
 */
import { hostname } from "node:os";
import { createTransport } from "nodemailer";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { SmtpConfig } from "../campaign-services.ts";
import { emailMsMax } from "../limits.ts";
import { type Outcome, saidBy } from "./outcome.ts";

interface EmailMessage {
  readonly id: string;
  readonly to: string;
  readonly body: unknown;
}

export async function sendEmail(smtp: SmtpConfig | null, { id, to, body }: EmailMessage): Promise<Outcome> {
  if (smtp === null) {
    return { kind: "never", text: "This gateway sends no e-mail: alerts.smtp_server is not set" };
  }
  const { from } = smtp;
  const transport = openTransport(smtp);
  // The library's own limits are for each step.
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("The mail server does not answer in time")), emailMsMax).unref();
  });
  try {
    const sent = transport.sendMail({
      from: { name: "Vantage", address: from },
      to: { name: "", address: to },
      messageId: `<${id}@${from.split("@")[1] ?? "vantage"}>`,
      headers: { "Auto-Submitted": "auto-generated" },
      ...mailParts(body),
    });
    const { response } = await Promise.race([sent, tooLate]);
    return { kind: "delivered", text: saidBy(response) };
  } catch (error) {
    const status = statusOf(error);
    const isFinal = status >= 550 && status < 555;
    return { kind: isFinal ? "never" : "again", text: saidBy(systemReason(error)) };
  } finally {
    transport.close();
  }
}

/** Without encryption no password is configured; with STARTTLS (RFC 3207) nothing is sent before it. */
function openTransport({ host, port, encryption, login }: SmtpConfig) {
  return createTransport({
    ...{ host, port, name: hostname() },
    ...{
      secure: encryption === "tls",
      requireTLS: encryption === "starttls",
      ignoreTLS: encryption === "none",
    },
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...{ connectionTimeout: emailMsMax, greetingTimeout: emailMsMax, socketTimeout: emailMsMax },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
}

/** The status of the mail server's refusal (RFC 5321, section 4.2.1); 0 for other failures. */
function statusOf(error: unknown): number {
  const { responseCode } = error as { readonly responseCode?: unknown };
  return typeof responseCode === "number" ? responseCode : 0;
}

/** What of a message people read. */
interface Said {
  readonly kind?: unknown;
  readonly campaign?: unknown;
  readonly alerts?: unknown;
  readonly omitted?: unknown;
  readonly [name: string]: unknown;
}

/** Subject and text. */
function mailParts(body: unknown): { readonly subject: string; readonly text: string } {
  const said = body as Said;
  const alerts = Array.isArray(said.alerts) ? (said.alerts as readonly Said[]) : [said];
  const omitted = Number(said.omitted ?? 0);
  const lines = [
    `Campaign  ${line(said.campaign)}`,
    `Run       ${line(said.run)}`,
    `Planned   ${line(said.planned_at)}`,
    ...alerts.flatMap((alert) => ["", ...linesOf(alert)]),
    ...(omitted > 0 ? ["", `and ${omitted} more: vantage alerts`] : []),
  ];
  return { subject: line(`${said.campaign}: ${subjectOf(said, alerts)}`, 120), text: lines.join("\n") };
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

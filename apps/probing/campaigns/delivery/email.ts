/**
 * A message as an e-mail, sent through the operator's mail server: plain ASCII text, because parts of it are from users
 * and routers.
 */
import { hostname } from "node:os";
import { createTransport } from "nodemailer";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { SmtpConfig } from "../campaign-services.ts";
import { emailMsMax } from "../limits.ts";
import { alertsOf, linesOf, type MessageSaid, restOf, subjectOf } from "./message-text.ts";
import { type Outcome, saidBy } from "./outcome.ts";

interface EmailMessage {
  readonly id: string;
  readonly to: string;
  readonly body: MessageSaid;
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

/** Subject and text. */
function mailParts(said: MessageSaid): { readonly subject: string; readonly text: string } {
  const rest = restOf(said);
  const lines = [
    `Campaign  ${line(said.campaign)}`,
    `Run       ${line(said.run)}`,
    `Planned   ${line(said.planned_at)}`,
    ...alertsOf(said).flatMap((alert) => ["", ...linesOf(alert).map((text) => line(text))]),
    ...(rest === null ? [] : ["", rest]),
  ];
  return { subject: line(subjectOf(said), 120), text: lines.join("\n") };
}

/** One line of printable ASCII. */
function line(value: unknown, charsMax = 500): string {
  return String(value ?? "")
    .replaceAll(/[^\x20-\x7e]+/g, "?")
    .slice(0, charsMax);
}

/** A message as an e-mail: plain text, by the operator's mail server. */
import { hostname } from "node:os";
import { systemReason } from "../../../lib/failure/system-reason.ts";
import type { SmtpConfig } from "../campaign-services.ts";
import { mailText } from "./mail-text.ts";
import { type Outcome, saidBy } from "./outcome.ts";
import { SmtpRefusal, SmtpSession } from "./smtp-session.ts";

export interface EmailMessage {
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

/**
 * Finds the user of a VPN account: the coordination server names a user `ISSUER/SUBJECT`, built by joining paths.
 *
 * So the subject is percent-encoded (`auth0|68a1` appears as `auth0%7C68a1`), and one with a slash or a dot segment can
 * belong to someone else: those are refused.
 */
import { createHash } from "node:crypto";
import { subjectCharsMax } from "./limits.ts";

type SubjectResult =
  | { readonly ok: true; readonly subject: string }
  | { readonly ok: false; readonly reason: "otherIssuer" | "badSubject" };

/** `issuer` with or without a slash at its end, as tokens carry it. */
export function readSubject(providerId: string, issuer: string): SubjectResult {
  const start = `${issuer.replace(/\/+$/, "")}/`;
  if (!providerId.startsWith(start)) {
    return { ok: false, reason: "otherIssuer" };
  }
  const subject = decoded(providerId.slice(start.length));
  return subject === null ? { ok: false, reason: "badSubject" } : { ok: true, subject };
}

/** Lower-case hex SHA-256 of the subject, as the gateways name a user. */
export function userHashOf(subject: string): string {
  return createHash("sha256").update(subject, "utf8").digest("hex");
}

/**
 * Null for text that is empty, too long, not percent-encoded UTF-8, or has a slash or a dot segment in either form.
 */
function decoded(text: string): string | null {
  if (text.includes("/") || text.length > 3 * subjectCharsMax) {
    return null;
  }
  try {
    const subject = decodeURIComponent(text);
    const isPlain = subject !== "" && subject.length <= subjectCharsMax && !subject.includes("/");
    return isPlain && subject !== "." && subject !== ".." ? subject : null;
  } catch {
    return null;
  }
}

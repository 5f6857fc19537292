/** The append-only audit log, written in the transaction of the change itself. */
import type { JSONValue, TransactionSql } from "postgres";

interface AuditEntry {
  /** `admin`, with its key; `operator:HASH`, with a login; `agent:ID`, `user:HASH` or `gateway:ID`. */
  readonly actor: string;
  /** Noun and verb: `agent.pause`. */
  readonly action: string;
  /** What was changed: `agent:ID`, `user:HASH`, `prefix:P`, `platform`. */
  readonly subject: string;
  readonly details?: Readonly<Record<string, JSONValue>>;
}

export async function writeAudit(tx: TransactionSql, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, details = {} } = entry;
  await tx`
    INSERT INTO audit (actor, action, subject, details) VALUES (${actor}, ${action}, ${subject}, ${tx.json(details)})`;
}

/**
 * A failure that somebody acts on: which part failed, and what of it. Closed: what users of a service see of each
 * stands in one table (lib/engines/http/failure-problem.ts), and a new code is one line here.
 *
 * What a command's user can put right is another type, which the frame of commands has; so is an answer of a gateway
 * to its client (lib/engines/gateway-client), whose codes are the gateway's.
 */
export interface FailureCodes {
  /** An agent's request to its gateway failed. */
  agentGateway:
    | /** No answer, or none in time. */ "unreachable"
    | /** 401 or 403: the key is wrong, revoked, or another agent's. */ "refused"
    | /** 404: the gateway does not know this agent. */ "unknown"
    | /** 409: the id is another host's. */ "conflict"
    | /** Any other status, or a body that is not what it should be. */ "unusable";
  /** A caller is rejected. Codes are stable: clients, metrics and docs use them. */
  auth:
    | ("missing_authorization" | "malformed_authorization" | "malformed_token" | "missing_key_id")
    | ("unknown_key" | "unsupported_algorithm" | "invalid_signature" | "wrong_issuer" | "wrong_audience")
    | ("expired_token" | "token_not_yet_valid" | "missing_subject")
    /** An API token is unknown, or ended. */
    | ("unknown_token" | "revoked_token")
    /** Not the caller's fault: there are no keys to check the token with. May be temporary. */
    | "issuer_unavailable";
  /** The routing daemon; the message names it. */
  daemon:
    | /** It does not run, or does not answer in time, or its tools are not here. */ "unreachable"
    | /** It answers, and does not do it: a configuration that it cannot read, a command it may not do. */ "refused";
  /** The database as a whole. */
  database:
    | /** The address is invalid, or names nothing that is there, or nobody we may be. */ "badAddress"
    | /** Nothing answers at the address; it may come back. */ "unavailable"
    | /** A connection pooler gives each transaction another session. */ "sharedSessions"
    | /** The schema was made by a newer Vantage, or by another service of it. */ "newerSchema"
    | /** A migration that was applied is not the one of this program. */ "changedMigration"
    | /** The database refuses a migration. */ "refusedMigration";
  /** Krill, where a peering gateway keeps ROAs; the message is for operators, in the log. */
  krill:
    | /** No answer, or a failure of its own. */ "unreachable"
    | /** It does not take the token, or not for this. */ "refused"
    | /** It has no such CA. */ "unknownCa"
    | /** An answer that is not Krill's. */ "malformed"
    | /** It took none of a change: what is there is not what it was taken for. */ "rejected"
    | /** What else it calls an error. */ "other";
  /** The column store. */
  store:
    | /** The address is invalid, or names nothing that is there. */ "badAddress"
    | /** Nothing answers at the address; it may come back. */ "unavailable"
    | /** Made by a newer Vantage, or changed by hand, or without some migrations. */ "version"
    | /** An earlier insert of the same name is still under way. */ "busy"
    | /** It answers, and refuses the statement. */ "refused";
  /** Probes cannot be submitted, for a reason that the caller can fix. */
  submission:
    | /** They cannot be read, or leave no room in a record. */ "targets"
    | /** The disk does not take the probes. */ "spool";
  /** tailscaled on the machine of an exchange's user. */
  vpn:
    | /** Nobody answers at the socket, or not in time. */ "unreachable"
    | /** It answers, but refuses, or with something else than a status. */ "badAnswer";
}

type FailingPart = keyof FailureCodes;

export class Failure<Part extends FailingPart = FailingPart> extends Error {
  override readonly name = "Failure";
  readonly part: Part;
  readonly code: FailureCodes[Part];

  constructor(part: Part, code: FailureCodes[Part], message: string, options?: ErrorOptions) {
    super(message, options);
    this.part = part;
    this.code = code;
  }
}

/** Whether this part failed, and in one of these ways when some are named. */
export function isFailure<Part extends FailingPart>(
  error: unknown,
  part: Part,
  ...codes: readonly FailureCodes[Part][]
): error is Failure<Part> {
  return (
    error instanceof Failure && error.part === part && (codes.length === 0 || codes.includes(error.code))
  );
}

/**
 * A failure that someone can act on: the failed part and a code. A closed set: what a service's users see of each is in
 * one table (lib/engines/http/failure-problem.ts), and a new code is one line here.
 *
 * What a command's user can fix is another type, in lib/command; so is a gateway's response to its client
 * (lib/engines/gateway-client), whose codes are the gateway's.
 */
export interface FailureCodes {
  /** An agent's request to its gateway failed. */
  agentGateway:
    | /** No response, or none in time. */ "unreachable"
    | /** 401 or 403: the key is wrong, revoked, or another agent's. */ "refused"
    | /** 404: no such agent at the gateway. */ "unknown"
    | /** 409: the id is another host's. */ "conflict"
    | /** Any other status, or a malformed body. */ "unusable";
  /** A caller is rejected. Codes are stable: clients, metrics and docs use them. */
  auth:
    | ("missing_authorization" | "malformed_authorization" | "malformed_token" | "missing_key_id")
    | ("unknown_key" | "unsupported_algorithm" | "invalid_signature" | "wrong_issuer" | "wrong_audience")
    | ("expired_token" | "token_not_yet_valid" | "missing_subject")
    /** An API token is unknown, or has expired. */
    | ("unknown_token" | "revoked_token")
    /** Not the caller's fault: no keys are available to check the token. May be temporary. */
    | "issuer_unavailable";
  /** The routing daemon; the message names it. */
  daemon:
    | /** It is not running, does not respond in time, or its tools are missing. */ "unreachable"
    | /** It refuses: a configuration that it cannot read, a command that is not permitted. */ "refused";
  /** The database as a whole. */
  database:
    | /** The address is invalid, or names a database or user that does not exist. */ "badAddress"
    | /** No response from the address; may be temporary. */ "unavailable"
    | /** A connection pooler gives each transaction another session. */ "sharedSessions"
    | /** The schema was made by a newer Vantage, or by another service of it. */ "newerSchema"
    | /** A migration that was applied is not the one of this program. */ "changedMigration"
    | /** The database rejected a migration. */ "refusedMigration";
  /** Krill, where a peering gateway keeps ROAs; the message is for operators, in the log. */
  krill:
    | /** No response, or an internal error. */ "unreachable"
    | /** The token is invalid, or lacks the right. */ "refused"
    | /** It has no such CA. */ "unknownCa"
    | /** A response in another form than Krill's. */ "malformed"
    | /** It rejected the whole change: the current state differs from the expected one. */ "rejected"
    | /** Any other error that it reports. */ "other";
  /** The column store. */
  store:
    | /** The address is invalid, or names nothing that exists. */ "badAddress"
    | /** No response from the address; may be temporary. */ "unavailable"
    | /** Made by a newer Vantage, or changed by hand, or without some migrations. */ "version"
    | /** An earlier insert of the same name is still in progress. */ "busy"
    | /** It rejects the statement. */ "refused";
  /** Probes cannot be submitted, for a reason that the caller can fix. */
  submission:
    | /** They cannot be read, or leave no room in a record. */ "targets"
    | /** The probes cannot be written to disk. */ "spool";
  /** tailscaled on the machine of an exchange's user. */
  vpn:
    | /** No response at the socket, or none in time. */ "unreachable"
    | /** It refuses, or returns something other than a status. */ "badAnswer";
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

/** Whether this part failed, with one of these codes if any are given. */
export function isFailure<Part extends FailingPart>(
  error: unknown,
  part: Part,
  ...codes: readonly FailureCodes[Part][]
): error is Failure<Part> {
  return (
    error instanceof Failure && error.part === part && (codes.length === 0 || codes.includes(error.code))
  );
}

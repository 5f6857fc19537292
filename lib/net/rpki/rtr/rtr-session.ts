/**
 * The router's side of an RTR session (RFC 8210 s.8): a query, its response, and the next query when the cache notifies
 * or the refresh interval ends. A response takes effect as a whole, at its End of Data.
 */
import type { VrpTable } from "../vrp-table.ts";
import { changesMax, recordsMax } from "./limits.ts";
import { type Pdu, pduTypes, type RtrVersion, readPdu } from "./pdu.ts";
import { errorReport, resetQuery, serialQuery } from "./queries.ts";
import type { RtrData } from "./rtr-data.ts";
import { errorCodes, RtrFailure } from "./rtr-failure.ts";
import { changedDraft, type VrpDraft, wholeDraft } from "./vrp-draft.ts";

/** The result of a PDU; `changed` = VRPs changed by the response, or all of them after a Reset Query. */
export type RtrUpdate =
  | { readonly kind: "complete"; readonly changed: number }
  /** The cache has no data yet. */
  | { readonly kind: "no data" };

type Phase =
  | { readonly kind: "idle" }
  /** `base`: the table to which a Serial Query's changes apply; null = Reset Query. */
  | { readonly kind: "queried"; readonly base: VrpTable | null }
  | {
      readonly kind: "answered";
      readonly base: VrpTable | null;
      readonly session: number;
      readonly draft: VrpDraft;
    };

interface Skipped {
  routerKeys: number;
  aspas: number;
}

interface Taken {
  readonly update: RtrUpdate | null;
  readonly query: Uint8Array | null;
}
const nothing: Taken = { update: null, query: null };

export class RtrSession {
  readonly #data: RtrData;
  readonly #skipped: Skipped;
  #version: RtrVersion;
  #phase: Phase = { kind: "idle" };
  /** Whether the cache has responded in our version. */
  #isAgreed = false;
  #records = 0;
  /** The serial of a Serial Notify that arrived during a response. */
  #notified: number | null = null;
  /** The PDU being processed, or the refused one. */
  #last: Uint8Array = new Uint8Array(0);

  /** PDUs that are not read are counted in `skipped`. */
  constructor(data: RtrData, skipped: Skipped) {
    this.#data = data;
    this.#version = data.version;
    this.#skipped = skipped;
  }

  /** The query to send: a Serial Query if a position is known, else a Reset Query. Call only when idle. */
  ask(): Uint8Array {
    const { position, table } = this.#data;
    this.#phase = { kind: "queried", base: position === null ? null : table };
    this.#records = 0;
    return position === null ? resetQuery(this.#version) : serialQuery(this.#version, position);
  }

  /**
   * Processes a whole PDU. The result's `query` is what to send next.
   *
   * @throws RtrFailure: the session must end
   */
  take(bytes: Uint8Array): Taken {
    // Before the version is negotiated, a notification is ignored (RFC 8210 s.7).
    if (!this.#isAgreed && bytes[1] === pduTypes.serialNotify) {
      return nothing;
    }
    this.#last = bytes;
    try {
      this.#agree(bytes[0] ?? 0, bytes[1] === pduTypes.errorReport);
      const pdu = readPdu(bytes, this.#version);
      this.#isAgreed ||= bytes[0] === this.#version;
      const taken = this.#act(pdu, bytes[0] ?? 0);
      this.#last = new Uint8Array(0);
      return taken;
    } catch (error) {
      this.#data.restart();
      throw error;
    }
  }

  /**
   * The connection has ended. After an unanswered query the next one is a Reset Query: a restarted cache closes on a
   * serial of its previous run, and its Error Report may be lost with the connection.
   */
  end(): void {
    if (this.#phase.kind !== "idle") {
      this.#data.restart();
    }
  }

  /** The Error Report for the cache when the session ends by this error; null = none. */
  reportOf(error: unknown): Uint8Array | null {
    return error instanceof RtrFailure && error.code !== null
      ? errorReport(this.#version, { code: error.code, wrong: this.#last, text: error.message })
      : null;
  }

  #agree(theirs: number, isError: boolean): void {
    const version = this.#version;
    if (theirs === version || isError) {
      return;
    }
    if (this.#isAgreed) {
      const words = `a PDU of version ${theirs} in a session of version ${version}`;
      throw new RtrFailure(errorCodes.unexpectedVersion, words);
    }
    if (theirs > version) {
      this.#data.speakOther(theirs);
      const words = `it responded in version ${theirs} to a query in version ${version}`;
      throw new RtrFailure(errorCodes.unsupportedVersion, words);
    }
    const { position } = this.#data;
    this.#version = theirs === 1 ? 1 : 0;
    this.#data.speak(this.#version);
    if (position !== null) {
      throw new RtrFailure(null, `its version is ${theirs}, so the whole table is requested again`);
    }
  }

  #act(pdu: Pdu, version: number): Taken {
    switch (pdu.type) {
      case "serial notify":
        return { update: null, query: this.#notify(pdu) };
      case "cache response":
        this.#begin(pdu.session);
        break;
      case "prefix":
        this.#record(pdu);
        break;
      case "router key":
        this.#count();
        this.#skipped.routerKeys++;
        break;
      case "aspa":
        this.#count();
        this.#skipped.aspas++;
        break;
      case "end of data":
        return this.#end(pdu);
      case "cache reset":
        return { update: null, query: this.#reset() };
      case "error report":
        return { update: this.#refused(pdu, version), query: null };
    }
    return nothing;
  }

  #notify({ session, serial }: Extract<Pdu, { type: "serial notify" }>): Uint8Array | null {
    const { position } = this.#data;
    if (this.#phase.kind !== "idle") {
      this.#notified = serial;
      return null;
    }
    this.#mustBe(position?.session ?? session, session);
    return position?.serial === serial ? null : this.ask();
  }

  #begin(session: number): void {
    if (this.#phase.kind !== "queried") {
      throw new RtrFailure(errorCodes.corruptData, "it sent a response without a query");
    }
    const { base } = this.#phase;
    this.#mustStand(base);
    if (base !== null) {
      this.#mustBe(this.#data.position?.session ?? null, session);
    }
    this.#phase = {
      ...{ kind: "answered", base, session },
      draft: base === null ? wholeDraft() : changedDraft(base),
    };
  }

  #record({ isAnnounced, vrp }: Extract<Pdu, { type: "prefix" }>): void {
    const draft = this.#count();
    if (isAnnounced && !draft.add(vrp)) {
      throw new RtrFailure(errorCodes.duplicateAnnouncement, "it announced a VRP twice");
    }
    if (!isAnnounced && !draft.remove(vrp)) {
      throw new RtrFailure(errorCodes.unknownWithdrawal, "it withdrew a VRP that it had not announced");
    }
    if (draft.countMax > recordsMax) {
      throw new RtrFailure(errorCodes.internalError, `more than ${recordsMax} VRPs`);
    }
    if (this.#phase.kind === "answered" && this.#phase.base !== null && draft.changes > changesMax) {
      throw new RtrFailure(
        null,
        `more than ${changesMax} VRPs have changed: all of them are requested again`,
      );
    }
  }

  #count(): VrpDraft {
    if (this.#phase.kind !== "answered") {
      throw new RtrFailure(errorCodes.corruptData, "a record outside a response");
    }
    if (++this.#records > recordsMax) {
      throw new RtrFailure(errorCodes.internalError, `a response of more than ${recordsMax} records`);
    }
    return this.#phase.draft;
  }

  #end({ session, serial, intervals }: Extract<Pdu, { type: "end of data" }>): Taken {
    if (this.#phase.kind !== "answered") {
      throw new RtrFailure(errorCodes.corruptData, "an End of Data without a Cache Response");
    }
    const { base, draft, session: begun } = this.#phase;
    this.#mustStand(base);
    this.#mustBe(begun, session);
    const update: RtrUpdate = { kind: "complete", changed: draft.changes };
    this.#data.take({ draft, session, serial, intervals });
    this.#phase = { kind: "idle" };
    const isMore = this.#notified !== null && this.#notified !== serial;
    this.#notified = null;
    return { update, query: isMore ? this.ask() : null };
  }

  #reset(): Uint8Array {
    if (this.#phase.kind !== "queried" || this.#phase.base === null) {
      throw new RtrFailure(errorCodes.corruptData, "it sent a Cache Reset in response to a Reset Query");
    }
    this.#data.restart();
    return this.ask();
  }

  #refused({ code, text }: Extract<Pdu, { type: "error report" }>, version: number): RtrUpdate {
    if (code === errorCodes.noData && this.#phase.kind === "queried") {
      this.#phase = { kind: "idle" };
      return { kind: "no data" };
    }
    if (code === errorCodes.unsupportedVersion) {
      this.#data.speakOther(version);
    }
    throw new RtrFailure(null, `it reports error ${code}: ${text}`);
  }

  #mustStand(base: VrpTable | null): void {
    if (base !== null && base !== this.#data.table) {
      throw new RtrFailure(null, "the data expired during an incremental response");
    }
  }

  /** Checks the session ID: data of another run of the cache must be dropped (RFC 8210 s.5.1). */
  #mustBe(ours: number | null, theirs: number): void {
    if (ours !== theirs) {
      this.#data.forget();
      throw new RtrFailure(errorCodes.corruptData, `its session changed from ${ours} to ${theirs}`);
    }
  }
}

/**
 * One submission from its first byte to its answer.
 *
 * The probes are read, checked and spooled; then one statement accepts them all, or they are dropped. From there on
 * the measurement only goes forward, whatever happens to the gateway.
 */
import { createHash } from "node:crypto";
import { bodyChunks } from "../../../lib/http/body.ts";
import type { FairSlot } from "../../../lib/http/fair-slots.ts";
import { Problem } from "../../../lib/http/problem.ts";
import type { ProbeSpool } from "../../../lib/submission/probe-spool.ts";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { Reachability } from "../agents/reachability.ts";
import { idleBytesMax, jsonBytesMax, probeJsonBytesMax, streamBytesMax, submissionPace } from "../limits.ts";
import type { DestinationCrowd } from "../safety/destination-crowd.ts";
import { measurementShare } from "../safety/destination-share.ts";
import type { DestinationReview, Safety } from "../safety/safety.ts";
import type { Services } from "../services.ts";
import { bytesExceeded, type QuotaState, quotaExceeded, readQuota, suspended } from "../users/quota.ts";
import type { UserDirectory } from "../users/user-directory.ts";
import { acceptWithRetry } from "./accept-with-retry.ts";
import type { SubmissionAnswer } from "./acceptance.ts";
import { type Assignment, assign } from "./assignment.ts";
import { chooseAgents } from "./choose-agents.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { findEarlierSubmission } from "./earlier-submission.ts";
import { ProbeIntake } from "./intake.ts";
import { Outgoing } from "./outgoing.ts";
import type { PendingAccepts } from "./pending-accepts.ts";
import { acceptOrder, checkedRecordProbes } from "./plan.ts";
import { type BodyForm, bodyReader } from "./read-body.ts";
import type { RequestedTarget } from "./requested-target.ts";
import type { SpoolFolder } from "./spool-folder.ts";
import { checkHeard } from "./who-can-probe.ts";

export interface SubmitServices extends Services {
  /** The gateway's name among those of the database. */
  readonly gatewayId: string;
  readonly users: UserDirectory;
  readonly agents: AgentDirectory;
  readonly reachability: Pick<Reachability, "forMs" | "missed">;
  readonly safety: Pick<Safety, "admit" | "review">;
  /** Who measures at a destination. */
  readonly crowd: DestinationCrowd;
  readonly spoolFolder: SpoolFolder;
  /** Submissions of which only the database knows whether they were accepted. */
  readonly pendingAccepts: PendingAccepts;
  /** Publishes what was accepted. */
  readonly dispatcher: Dispatcher;
}

export interface SubmissionOrder {
  readonly request: Request;
  readonly form: BodyForm;
  readonly userHash: string;
  readonly idempotencyKey: string | null;
  /** Targets in the query; null = the body names them. */
  readonly targets: readonly RequestedTarget[] | null;
}

/** `outgoing`: accepted now; else it was accepted before. */
export type SubmissionResult =
  | { readonly answer: SubmissionAnswer; readonly outgoing: Outgoing }
  | { readonly answer: SubmissionAnswer; readonly isPublished: boolean };

interface Read {
  readonly targets: readonly RequestedTarget[];
  readonly digest: Uint8Array;
  /** Size of the body, unpacked. */
  readonly bytes: number;
}

export class Submission {
  readonly #services: SubmitServices;
  readonly #order: SubmissionOrder;
  readonly #measurementId = crypto.randomUUID();
  readonly #quota: QuotaState;
  readonly #userId: number;
  readonly #spool: ProbeSpool;
  readonly #intake: ProbeIntake;
  readonly #review: DestinationReview;
  /** Whether the spool outlives this request. */
  #isSpoolKept = false;

  private constructor(services: SubmitServices, order: SubmissionOrder, userId: number, quota: QuotaState) {
    const { spoolFolder, safety, config } = services;
    this.#services = services;
    this.#order = order;
    this.#userId = userId;
    this.#quota = quota;
    this.#review = safety.review(order.userHash);
    this.#spool = spoolFolder.create(this.#measurementId);
    this.#intake = new ProbeIntake({
      spool: this.#spool,
      folder: spoolFolder,
      review: this.#review,
      probesMax: config.limits.submissionProbesMax,
      probesPerDayMax: quota.limit,
    });
  }

  /** Throws Problem, and then nothing is left of the submission; throws any value when `place` is withdrawn. */
  static async run(
    services: SubmitServices,
    order: SubmissionOrder,
    place: FairSlot,
  ): Promise<SubmissionResult> {
    const userId = await services.users.idOf(order.userHash);
    const quota = await readQuota(services.database, order.userHash, services.config.limits);
    if (quota === null || quota.suspended_at !== null) {
      throw suspended(quota?.suspended_reason ?? null);
    }
    const submission = new Submission(services, order, userId, quota);
    try {
      return await submission.#run(place);
    } finally {
      await submission.#cleanUp();
    }
  }

  async #run(place: FairSlot): Promise<SubmissionResult> {
    const read = await this.#read(place);
    place.keep();
    const { database } = this.#services;
    const earlier = await findEarlierSubmission(database, this.#order, read.digest);
    if (earlier !== null) {
      return earlier;
    }
    const chosen = await chooseAgents(this.#services, read.targets);
    const assignment = assign(chosen, this.#userId);
    this.#checkAssignment(assignment, chosen.requested.length);
    return this.#accept(assignment, read);
  }

  async #read(place: FairSlot): Promise<Read> {
    const { request, form, targets } = this.#order;
    const intake = this.#intake;
    const hash = createHash("sha256").update(JSON.stringify([form, targets]));
    const reader = bodyReader(form, intake, targets !== null);
    const bytesMax = form === "json" ? jsonBytesMax : streamBytesMax;
    const pace = submissionPace;
    let bytes = 0;
    for await (const chunk of bodyChunks(request, { bytesMax, pace, signal: place.signal })) {
      this.#checkClient();
      place.moved(chunk.length);
      bytes += chunk.length;
      this.#checkBytes(bytes);
      hash.update(chunk);
      reader.push(chunk);
      intake.checkSize();
      if (bytes > idleBytesMax + intake.probes * probeJsonBytesMax) {
        throw idleBody();
      }
    }
    const named = reader.finish();
    intake.finish();
    return { targets: named ?? targets ?? [], digest: hash.digest(), bytes };
  }

  /**
   * A disconnected client gets no answer, so its submission is dropped before it is charged, and others need not wait
   * for it. After the accepting statement the measurement goes forward without its client.
   */
  #checkClient(): void {
    if (this.#order.request.signal.aborted) {
      const message = "The client has gone before the submission was accepted";
      throw new Problem({ status: 400, code: "client_gone", message });
    }
  }

  /** Stops reading a body that cannot be accepted today. */
  #checkBytes(bytes: number): void {
    if (this.#quota.bytes_used + bytes > this.#quota.bytes_limit) {
      throw this.#tooManyBytes(this.#quota, bytes);
    }
  }

  #tooManyBytes(quota: QuotaState, bytes: number): Problem {
    this.#services.metrics.http.quotaViolation();
    return bytesExceeded(quota, bytes);
  }

  /** An exhausted quota is reported before missing agents, as in existing gateways. */
  #checkAssignment(assignment: Assignment, requested: number): void {
    const { targets, rejected } = assignment;
    const { probes } = this.#intake;
    const asked = probes * (targets.length || Math.max(1, requested));
    const { used, limit } = this.#quota;
    if (used + (targets.length === 0 ? probes : asked) > limit) {
      this.#services.metrics.http.quotaViolation();
      throw quotaExceeded(this.#quota, asked);
    }
    checkHeard(assignment.isSilent, this.#services.reachability);
    if (targets.length === 0) {
      throw new Problem({
        status: 400,
        code: "no_healthy_agents",
        message: "No healthy agents found for the requested measurement",
        extra: { rejected },
      });
    }
  }

  async #plan(assignment: Assignment) {
    const { database, config, crowd } = this.#services;
    const { targets } = assignment;
    const agentIds = targets.map(({ agent }) => agent);
    const { userHash } = this.#order;
    const { load } = this.#review;
    const destinations = load.destinations();
    const others = await crowd.mostIn(destinations);
    const share = await measurementShare(database, { userHash, agentIds, rates: config.limits, others });
    const record = { recordBytesMax: config.broker.recordBytesMax, share };
    const measurementId = this.#measurementId;
    const { probes } = this.#intake;
    const recordProbes = checkedRecordProbes(measurementId, assignment, probes, record);
    const targetSeconds = share === null ? 0 : load.seconds(share);
    return { measurementId, targets, probes, recordProbes, destinations, targetSeconds, ...record };
  }

  async #accept(assignment: Assignment, read: Read): Promise<SubmissionResult> {
    const { database, config, gatewayId, spoolFolder } = this.#services;
    const review = await this.#intake.review(assignment.targets.length);
    if (review !== null) {
      throw review;
    }
    const plan = await this.#plan(assignment);
    await spoolFolder.sync(this.#spool);
    this.#checkClient();
    const order = acceptOrder(plan, assignment, {
      userHash: this.#order.userHash,
      gatewayId,
      idempotencyKey: this.#order.idempotencyKey,
      requestDigest: read.digest,
      bytes: read.bytes,
      day: config.limits,
    });
    const acceptance = await acceptWithRetry(database, order);
    switch (acceptance.kind) {
      case "accepted": {
        this.#isSpoolKept = true;
        const { notAfterMs } = acceptance;
        const outgoing = new Outgoing({ ...plan, notAfterMs }, spoolFolder, this.#spool);
        return { answer: order.answer, outgoing };
      }
      case "refused":
        throw await this.#whyRefused(order.answer.probes, read.bytes);
      case "repeated":
        return this.#earlierOne(read);
      case "inDoubt":
        this.#isSpoolKept = true;
        this.#spool[Symbol.dispose]();
        this.#services.pendingAccepts.add(this.#measurementId, this.#intake.probes);
        throw acceptance.problem;
    }
  }

  /** The quota or the user's permission has gone since the first check. */
  async #whyRefused(asked: number, bytes: number): Promise<Problem> {
    const { database, config, metrics } = this.#services;
    const quota = await readQuota(database, this.#order.userHash, config.limits);
    if (quota === null || quota.suspended_at !== null) {
      return suspended(quota?.suspended_reason ?? null);
    }
    if (quota.bytes_used + bytes > quota.bytes_limit) {
      return this.#tooManyBytes(quota, bytes);
    }
    metrics.http.quotaViolation();
    return quotaExceeded(quota, asked);
  }

  async #earlierOne(read: Read): Promise<SubmissionResult> {
    const earlier = await findEarlierSubmission(this.#services.database, this.#order, read.digest);
    if (earlier === null) {
      throw new Error(`Cannot find the measurement that has this Idempotency-Key`);
    }
    return earlier;
  }

  async #cleanUp(): Promise<void> {
    if (!this.#isSpoolKept) {
      const { spoolFolder } = this.#services;
      this.#review.undo();
      this.#spool[Symbol.dispose]();
      await spoolFolder.remove(this.#measurementId);
      spoolFolder.give(this.#intake.bytesTaken);
    }
  }
}

/** Bodies of blanks and comments are refused: compressed, 1 GB of them is 1 MB. */
function idleBody(): Problem {
  return new Problem({
    status: 413,
    code: "content_too_large",
    message: `More than ${idleBytesMax} bytes are not probes: leave out blanks and comments`,
    extra: { bytes_max: idleBytesMax },
  });
}

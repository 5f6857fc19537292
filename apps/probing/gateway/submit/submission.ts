/**
 * One submission from its first byte to its response.
 *
 * The probes are read, checked and spooled; then one statement accepts them all, or they are dropped. From there on
 * the measurement only moves forward, whatever happens to the gateway.
 */

import { createHash } from "node:crypto";
import { bodyChunks } from "../../../../lib/engines/http/body.ts";
import type { FairSlot } from "../../../../lib/engines/http/fair-slots.ts";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import type { ProbeShape } from "../../../../lib/net/packet/probe.ts";
import {
  idleBytesMax,
  jsonBytesMax,
  parsedBytesMax,
  probeJsonBytesMax,
  streamBytesMax,
  submissionPace,
} from "../limits.ts";
import type { DestinationReview } from "../safety/safety.ts";
import { type QuotaState, suspended } from "../users/quota.ts";
import { acceptWithRetry } from "./accept-with-retry.ts";
import type { SubmissionAnswer } from "./acceptance.ts";
import { checkDestinations, findOpen, type OpenMeasurement } from "./addition.ts";
import { type Assignment, assign, assignOpen } from "./assignment.ts";
import { chooseAgents } from "./choose-agents.ts";
import { findEarlierSubmission } from "./earlier-submission.ts";
import { ProbeIntake } from "./intake.ts";
import { Outgoing } from "./outgoing.ts";
import { acceptOrder, checkedRecordProbes, checkPace } from "./plan.ts";
import { QuotaChecks } from "./quota-checks.ts";
import { bodyReader } from "./read-body.ts";
import type { RequestedTarget } from "./requested-target.ts";
import { checkShape } from "./shape-query.ts";
import { askedBeside, type SubmissionOrder } from "./submission-order.ts";
import type { SubmitServices } from "./submit-services.ts";

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
  /** Id of the row and its spool: a measurement's, or an addition's. */
  readonly #id = crypto.randomUUID();
  readonly #quota: QuotaState;
  readonly #userId: number;
  readonly #spool: ProbeSpool;
  readonly #intake: ProbeIntake;
  readonly #review: DestinationReview;
  readonly #checks: QuotaChecks;
  /** Whether the spool outlives this request. */
  #isSpoolKept = false;

  private constructor(services: SubmitServices, order: SubmissionOrder, userId: number, quota: QuotaState) {
    const { spoolFolder, safety, config } = services;
    this.#services = services;
    this.#order = order;
    this.#userId = userId;
    this.#quota = quota;
    this.#checks = new QuotaChecks(services, quota);
    this.#review = safety.review(order.userHash);
    this.#spool = spoolFolder.create(this.#id);
    this.#intake = new ProbeIntake({
      spool: this.#spool,
      folder: spoolFolder,
      review: this.#review,
      isDns: order.publishing.shape.dns !== undefined,
      probesMax: config.limits.submissionProbesMax,
      probesPerDayMax: quota.limit,
    });
  }

  /** Throws Problem, and then nothing of the submission remains; throws any value when `place` is withdrawn. */
  static async run(
    services: SubmitServices,
    order: SubmissionOrder,
    place: FairSlot,
  ): Promise<SubmissionResult> {
    const userId = await services.users.idOf(order.userHash);
    const quota = await services.quotas.of(order.userHash);
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
    if (this.#order.whole !== null) {
      return this.#add(await findOpen(database, this.#order.whole), read);
    }
    const { hasTcp, probes } = this.#intake;
    const { shape } = this.#order.publishing;
    checkShape(shape, this.#intake);
    const chosen = await chooseAgents(this.#services, read.targets, { hasTcp, shape });
    const assignment = assign(chosen, { userId: this.#userId, hasTcp, shape, probes });
    this.#checks.assignment(assignment, chosen.requested.length, this.#intake.probes);
    return this.#accept(assignment, read, shape);
  }

  async #add(open: OpenMeasurement, read: Read): Promise<SubmissionResult> {
    checkDestinations(open, this.#review.load.destinations());
    const ids = [...new Set(open.targets.map(({ agent }) => agent))];
    const agents = await this.#services.agents.eligible(ids);
    const { hasTcp, probes } = this.#intake;
    const shape = { ...open.shape, ...this.#order.publishing.shape };
    checkShape(shape, this.#intake);
    const assignment = assignOpen(open.targets, agents, { hasTcp, shape, probes });
    this.#checks.assignment(assignment, open.targets.length, this.#intake.probes);
    return this.#accept(assignment, read, shape);
  }

  async #read(place: FairSlot): Promise<Read> {
    const { request, form, targets, whole } = this.#order;
    const intake = this.#intake;
    const hash = createHash("sha256").update(JSON.stringify(askedBeside(this.#order)));
    const reader = bodyReader(form, intake, targets !== null || whole !== null);
    const bytesMax = form === "json" ? jsonBytesMax : streamBytesMax;
    const pace = submissionPace;
    const turn = new LoopYield(this.#order.userHash);
    let bytes = 0;
    for await (const chunk of bodyChunks(request, { bytesMax, pace, signal: place.signal })) {
      this.#checkClient();
      place.moved(chunk.length);
      bytes += chunk.length;
      this.#checkBytes(bytes);
      hash.update(chunk);
      for (let at = 0; at < chunk.length; at += parsedBytesMax) {
        reader.push(chunk.subarray(at, at + parsedBytesMax));
        await turn.next();
      }
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
   * A disconnected client gets no response, so its submission is dropped before it is charged, and others need not wait
   * for it. After the accepting statement the measurement continues without its client.
   */
  #checkClient(): void {
    if (this.#order.request.signal.aborted) {
      throw problem(400, "client_gone", "The client has gone before the submission was accepted");
    }
  }

  /** Stops reading a body that cannot be accepted today. */
  #checkBytes(bytes: number): void {
    if (this.#quota.bytes_used + bytes > this.#quota.bytes_limit) {
      throw this.#checks.tooManyBytes(this.#quota, bytes);
    }
  }

  async #plan(assignment: Assignment, shape: ProbeShape) {
    const { config, crowd, shares } = this.#services;
    const { targets } = assignment;
    const agentIds = targets.map(({ agent }) => agent);
    const { userHash, requestId } = this.#order;
    const { load } = this.#review;
    const destinations = load.destinations();
    const others = await crowd.mostIn(destinations);
    const share = await shares.of({ userHash, agentIds, others });
    const record = { recordBytesMax: config.broker.recordBytesMax, share, requestId, shape };
    const { round } = this.#order;
    const publishing = { ...this.#order.publishing, shape };
    const whole = this.#order.whole?.id ?? null;
    const id = this.#id;
    const { probes } = this.#intake;
    const recordProbes = Math.min(
      round ?? Number.POSITIVE_INFINITY,
      checkedRecordProbes(whole ?? id, assignment, probes, record),
    );
    checkPace(publishing, probes, recordProbes);
    const targetSeconds = share === null ? 0 : load.seconds(share);
    return { id, whole, publishing, targets, probes, recordProbes, destinations, targetSeconds, ...record };
  }

  async #accept(assignment: Assignment, read: Read, shape: ProbeShape): Promise<SubmissionResult> {
    const { config, gatewayId, spoolFolder } = this.#services;
    const review = await this.#intake.review(assignment.targets.length);
    if (review !== null) {
      throw review;
    }
    const plan = await this.#plan(assignment, shape);
    await this.#checks.paced(this.#order);
    await this.#checks.labelled(this.#order);
    await spoolFolder.sync(this.#id, this.#spool);
    this.#checkClient();
    const { userHash, idempotencyKey, token, labels, origin } = this.#order;
    const { summarized } = this.#intake;
    const acceptable = acceptOrder(plan, assignment, {
      ...{
        userHash,
        gatewayId,
        idempotencyKey,
        token,
        labels,
        origin,
        bytes: read.bytes,
        day: config.limits,
      },
      requestDigest: read.digest,
      summary: summarized.summary(),
      targetPrefixes: summarized.prefixes(),
    });
    const { answer } = acceptable;
    const acceptance = await acceptWithRetry(this.#services, acceptable);
    switch (acceptance.kind) {
      case "accepted": {
        this.#isSpoolKept = true;
        const { accepted } = acceptance;
        const { whole, publishing } = plan;
        const isOpen = publishing.isOpen || whole !== null;
        const place = { measurementId: whole ?? plan.id, firstProbe: accepted.firstProbe, isOpen };
        const order = { ...plan, ...publishing, ...place, notAfterMs: accepted.notAfter.getTime() };
        return { answer, outgoing: new Outgoing(order, spoolFolder, this.#spool) };
      }
      case "refused":
        throw await this.#checks.whyRefused(this.#order, answer.probes, read.bytes);
      case "repeated":
        return this.#earlierOne(read);
      case "inDoubt":
        this.#isSpoolKept = true;
        this.#spool[Symbol.dispose]();
        this.#services.pendingAccepts.add(this.#id, this.#intake.probes);
        throw acceptance.problem;
    }
  }

  async #earlierOne({ digest }: Read): Promise<SubmissionResult> {
    const earlier = await findEarlierSubmission(this.#services.database, this.#order, digest);
    if (earlier !== null) {
      return earlier;
    }
    throw new Error(`Cannot find the measurement that has this Idempotency-Key`);
  }

  async #cleanUp(): Promise<void> {
    if (!this.#isSpoolKept) {
      const { spoolFolder } = this.#services;
      this.#review.undo();
      this.#spool[Symbol.dispose]();
      await spoolFolder.remove(this.#id);
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

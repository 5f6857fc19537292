/**
 * Delivers messages, each at least once: claims a delivery, attempts it, and stores the outcome. If a gateway is killed
 * in between, another one retries the delivery with the same id.
 */
import type { NoticeServices } from "../campaign-services.ts";
import {
  deliveriesAtOnceMax,
  deliveriesOfUserMax,
  deliveryClaimSec,
  firstRetrySec,
  retriesMax,
} from "../limits.ts";
import type { DeliveryTarget } from "../notice/alerts-definition.ts";
import { bodyBy, bodyIn } from "./bodies.ts";
import { sendEmail } from "./email.ts";
import type { MessageSaid } from "./message-text.ts";
import type { Outcome } from "./outcome.ts";
import { postWebhook } from "./webhook.ts";

interface Delivery {
  readonly delivery_id: string;
  readonly target: DeliveryTarget;
  readonly body: MessageSaid;
  readonly attempts: number;
}

/** Attempts in progress; a slow recipient delays only its own user's deliveries. */
export class Deliveries {
  readonly #services: NoticeServices;
  readonly #running = new Set<Promise<void>>();

  constructor(services: NoticeServices) {
    this.#services = services;
  }

  /** Starts due deliveries, as many as there is room for. Resolves to their number. */
  async begin(): Promise<number> {
    const room = deliveriesAtOnceMax - this.#running.size;
    const due = room > 0 ? await claim(this.#services, room) : [];
    for (const delivery of due) {
      const running = attempt(this.#services, delivery)
        .catch((error: unknown) => this.#services.log.error("Cannot note the outcome of an alert", { error }))
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
    return due.length;
  }

  /** Resolves when none is in progress. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/** Round-robin by user: first ones before second ones, counting those in progress at any gateway. */
function claim({ database: { sql, timed } }: NoticeServices, room: number): Promise<Delivery[]> {
  return timed(
    "alert_claim",
    () => sql<Delivery[]>`
      WITH busy AS (
        SELECT user_hash, count(*) AS deliveries FROM alert_deliveries JOIN campaigns USING (campaign_id)
        WHERE state = 'due' AND claimed_until >= now() GROUP BY user_hash
      ), ranked AS (
        SELECT delivery_id, coalesce(busy.deliveries, 0)
            + row_number() OVER (PARTITION BY campaign.user_hash ORDER BY due_at) AS turn
        FROM alert_deliveries JOIN campaigns AS campaign USING (campaign_id) LEFT JOIN busy USING (user_hash)
        WHERE state = 'due' AND due_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
      ), due AS (
        SELECT delivery_id FROM alert_deliveries AS one JOIN ranked USING (delivery_id)
        WHERE turn <= ${deliveriesOfUserMax} AND state = 'due' AND (claimed_until IS NULL OR claimed_until < now())
        ORDER BY turn, due_at LIMIT ${room} FOR UPDATE OF one SKIP LOCKED
      )
      UPDATE alert_deliveries AS one SET claimed_until = now() + ${deliveryClaimSec} * interval '1 s'
      FROM due WHERE one.delivery_id = due.delivery_id
      RETURNING one.delivery_id, target, body, jsonb_array_length(attempts) AS attempts`,
  );
}

async function attempt(services: NoticeServices, delivery: Delivery): Promise<void> {
  const { kind, text } = await sent(services, delivery);
  const isOver = kind !== "again" || delivery.attempts >= retriesMax;
  const state = kind === "delivered" ? "delivered" : isOver ? "failed" : "due";
  const entry = { at: new Date().toISOString(), outcome: text };
  const { sql, timed } = services.database;
  await timed(
    "alert_attempted",
    () => sql`
      UPDATE alert_deliveries SET state = ${state}, attempts = attempts || ${sql.json([entry])}::jsonb,
        target = CASE WHEN ${isOver} THEN NULL ELSE target END, claimed_until = NULL,
        due_at = now() + ${waitSec(delivery.attempts, Math.random())} * interval '1 s'
      WHERE delivery_id = ${delivery.delivery_id} AND state = 'due'`,
  );
  if (state === "failed") {
    services.log.warn("Cannot deliver an alert", { delivery_id: delivery.delivery_id, reason: text });
  }
}

/** Seconds until the next attempt: doubled each time, with a jitter of half either way. */
export function waitSec(attempts: number, luck: number): number {
  return firstRetrySec * 2 ** attempts * (0.5 + luck);
}

function sent(
  { delivery: config }: NoticeServices,
  { delivery_id: id, target, body }: Delivery,
): Promise<Outcome> {
  if ("email" in target) {
    return sendEmail(config.smtp, { id, to: target.email, body });
  }
  const { webhook: url, format, template, secret = null } = target;
  const own = template === undefined ? JSON.stringify(body) : bodyBy(template, body);
  const text = format === undefined ? own : bodyIn(format, body, secret ?? "");
  return postWebhook({ id, url, secret, body: text, allowedHosts: config.allowedHosts });
}

/** The status for people: one page of HTML; foreign text in it is escaped. */
import { createHash } from "node:crypto";
import { Eta } from "eta";
import { pageStyle } from "../../../../lib/base/pages/page-style.ts";
import template from "../../../../templates/pages/peering-status.eta" with { type: "text" };
import script from "../../../../templates/pages/peering-status.js.eta" with { type: "text" };
import type { PrefixBody, StatusBody, Verdict } from "../status/bodies.ts";
import { durationText } from "../status/words.ts";

/** Remaining seconds at which a lease should be renewed. */
const endsSoonSec = 3600;

const render = new Eta({ varName: "page" });

/** The page may run its own script and connect to its own server only. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

type Look = "good" | "bad" | "wait";

const verdicts: Readonly<Record<Verdict, { word: string; look: Look }>> = {
  announced: { word: "announced", look: "good" },
  refused: { word: "refused", look: "bad" },
  waiting: { word: "waiting", look: "wait" },
  withdrawn: { word: "withdrawn", look: "wait" },
  notLeased: { word: "not leased", look: "bad" },
  down: { word: "unreachable", look: "bad" },
};

const leaseLooks: Readonly<Record<PrefixBody["lease"], Look>> = {
  leased: "good",
  ended: "bad",
  missing: "bad",
  unknown: "wait",
};

export function statusPage(status: StatusBody): string {
  const atMs = Date.parse(status.at);
  return render.renderString(template, {
    script,
    style: pageStyle,
    title: status.user.asn === null ? "Your exchange client" : `AS${status.user.asn} at the exchange`,
    steps: status.steps,
    receiveOnly: status.user.receive_only,
    headline: headlineOf(status),
    problems: status.problems,
    exchanges: status.exchanges.map((exchange) => ({
      ...exchange,
      word: exchange.is_up ? "Up" : `Down (${exchange.state})`,
      look: exchange.is_up ? "good" : "bad",
      since:
        exchange.since === null ? "" : `, for ${durationText((atMs - Date.parse(exchange.since)) / 1000)}`,
      presence: exchange.is_online || exchange.is_up ? "" : "; the VPN says that it is offline",
      received: exchange.received_routes.toLocaleString("en"),
      accepted: exchange.accepted_routes.toLocaleString("en"),
    })),
    refused: status.exchanges.flatMap(({ name, refused }) =>
      refused.map((route) => ({ ...route, at: name })),
    ),
    prefixes: status.prefixes.map((one) => ({
      prefix: one.prefix,
      lease: leaseText(one),
      look: endsSoon(one) ? "wait" : leaseLooks[one.lease],
      exchanges: one.exchanges.map((at) => ({
        ...at,
        ...verdicts[at.verdict],
        times: at.prepend === 1 ? "once" : `${at.prepend} times`,
        outside: at.heard_by.map(({ name, asn }) => `AS${asn} (${name.replaceAll("_", " ")})`).join(", "),
        hops: (at.as_path ?? "").split(" ").filter((hop) => hop !== ""),
      })),
    })),
  });
}

/** The text that screen readers announce when it changes: counts, no times. */
function headlineOf({ exchanges, prefixes, problems }: StatusBody): string {
  const up = exchanges.filter(({ is_up: isUp }) => isUp).length;
  const refused = exchanges.reduce((sum, exchange) => sum + exchange.refused.length, 0);
  const wanted = prefixes.flatMap((one) => one.exchanges).filter(({ verdict }) => verdict !== "withdrawn");
  const announced = wanted.filter(({ verdict }) => verdict === "announced").length;
  return [
    exchanges.length === 0 ? "no session yet" : `${up} of ${exchanges.length} sessions up`,
    ...(wanted.length === 0 ? [] : [`${announced} of ${wanted.length} announcements taken`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(problems.length === 0 ? [] : [`${problems.length} to check`]),
  ].join(", ");
}

function endsSoon({ lease, seconds_left: left }: PrefixBody): boolean {
  return lease === "leased" && left !== null && left < endsSoonSec;
}

function leaseText(one: PrefixBody): string {
  const { lease, seconds_left: left } = one;
  switch (lease) {
    case "ended":
      return "the lease has ended";
    case "missing":
      return "there is no lease for it";
    case "unknown":
      return "its lease is not known yet";
    case "leased":
      return left === null ? "leased" : `${durationText(left)} left${endsSoon(one) ? ": renew it" : ""}`;
  }
}

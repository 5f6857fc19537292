/** What an hour of campaigns has shown, for people; and what must not be. */
import type { Account } from "./account.ts";

export function problemsOf({
  twice,
  stray,
  lost,
  once,
  planned,
  without,
  charged,
  records,
  repeated,
}: Account): string[] {
  const reasons = Object.values(without).reduce((sum, runs) => sum + runs, 0);
  return [
    ...(twice > 0 ? [`${twice} runs were measured more than once`] : []),
    ...(stray > 0 ? [`${stray} measurements belong to no run`] : []),
    ...(lost > 0 ? [`The journal has nothing of ${lost} runs`] : []),
    ...(once + reasons === planned - lost ? [] : [`${planned - lost - once - reasons} runs have no end`]),
    ...(charged === once ? [] : [`${charged} probes were charged, and ${once} runs of one probe came`]),
    ...(records - repeated === once ? [] : [`${records - repeated} runs were published, and ${once} came`]),
  ];
}

interface Shown {
  readonly minutes: number;
  readonly campaigns: number;
  readonly gateways: number;
}

export function reportText(account: Account, { minutes, campaigns, gateways }: Shown): string {
  const { kills, outages, outageSec, planned, once, twice, lost, without, withoutInOutage } = account;
  const { latenessMs: all, calmLatenessMs: calm, records, repeated } = account;
  const reasons = Object.entries(without).map(([reason, runs]) => `${reason} ${runs}`);
  return [
    `${campaigns} campaigns of 60 s for ${minutes} minutes, ${gateways} gateways killed ${kills} times;`,
    `${outages} times (${outageSec.toFixed(0)} s) none of them ran.`,
    "",
    "| runs planned | done once | twice | lost | did not come | of these in outages | published again |",
    "| ---: | ---: | ---: | ---: | --- | ---: | ---: |",
    `| ${planned} | ${once} | ${twice} | ${lost} | ${reasons.join(", ") || "0"} | ${withoutInOutage} | ${repeated} |`,
    "",
    `Late by (ms; median, 99 %, most): ${all.p50}, ${all.p99}, ${all.max};`,
    `while a gateway ran: ${calm.p50}, ${calm.p99}, ${calm.max}. ${records} records in the log.`,
    "",
  ].join("\n");
}

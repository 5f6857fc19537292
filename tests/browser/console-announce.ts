/** The form that announces a prefix, as somebody fills it in by keys; and what stands beside it. */
import { expect } from "bun:test";
import { userHashOf } from "../../lib/engines/auth/token-verifier.ts";
import { type ConsoleHome, operator } from "../contract/console/console-home.ts";
import type { Tab } from "./tab.ts";

export async function focus(tab: Tab, selector: string): Promise<void> {
  await tab.eval(`document.querySelector(${JSON.stringify(selector)}).focus()`);
}

/** Gives the right to discard, and says what an exchange server takes, and foreign text; the leased prefix. */
export async function tellChanges(
  { peering }: Pick<ConsoleHome, "peering">,
  tab: Tab,
  foreign: string,
): Promise<string> {
  const user = `/admin/users/${userHashOf(operator)}`;
  expect((await peering.admin("PATCH", user, { may_blackhole: true })).status).toBe(200);
  const [prefix = "none"] = /2001:db8:\S*::\/48/.exec(await tab.text("#peering tbody")) ?? [];
  const changes = { max: 5, every_seconds: 600, spent_until: "2090-01-31T12:00:00Z", held_until: null };
  const state = {
    ...{ prefix, server: "ixp-1", announce: false, prepend: 0, daemon_ns: null, daemon_reason: foreign },
    ...{ exchange: "unknown", exchange_ns: null, exchange_reason: foreign, heard_by: [], changes },
  };
  const report = { version: 0, taken_ns: "0", states: [state] };
  expect((await peering.ask(operator, "PUT", "/api/announcement-report", report)).status).toBe(200);
  return prefix;
}

/** Fills in the form, all but the times by keys. */
export async function typeAnnouncement(tab: Tab, prefix: string): Promise<void> {
  await focus(tab, "#announce-more summary");
  await tab.press("Enter");
  for (const [name, text] of [
    ["servers", "ixp-1, fra"],
    ["not_to", "AS64496"],
    ["prepend_to", "transit=2"],
    ["blackhole", prefix.replace("/48", "5")],
  ] as const) {
    await focus(tab, `[name=${name}]`);
    await tab.eval(`document.querySelector("[name=${name}]").select()`);
    await tab.type(text);
  }
  for (const name of ["no_export", "graceful_shutdown"]) {
    await focus(tab, `[name=${name}]`);
    await tab.press(" ");
  }
  await tab.eval("document.querySelector('[name=until]').value = '2090-01-31T12:00'");
}

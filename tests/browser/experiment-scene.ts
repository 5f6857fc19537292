/** An experiment of two sites at a gateway, with the journal that a controller would have written; its page. */
import { expect } from "bun:test";
import * as v from "valibot";
import { experimentSchema } from "../../lib/measuring/experiment/definition.ts";
import { readBeginning } from "../../lib/measuring/experiment/entries.ts";
import { type ConsoleHome, operator } from "../contract/console/console-home.ts";
import { until } from "../exchange/until.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";

const startMs = Date.UTC(2026, 10, 24, 8);
const sites = ["amsterdam", "lisbon"];
const targets = Array.from({ length: 40 }, (_, i) => `192.0.2.${i + 1}`);
const peers = ["192.0.2.250 at r1", "192.0.2.251 at r1", "198.51.100.9 at r2"];

const definition = v.parse(experimentSchema, {
  experiment: "prepend amsterdam",
  prefix: "2001:db8:51::/48",
  probe: { agents: sites, targets },
  steps: [
    { at: 0, announce: { sites }, probe: { catchment: { after: 120 } } },
    { at: 900, announce: { sites: ["amsterdam"], prepend: 2 }, probe: { catchment: { after: 120 } } },
    { at: 1800, withdraw: { sites: ["lisbon"] }, probe: { catchment: { after: 120 } } },
  ],
});

const ns = (sec: number) => String(BigInt(startMs + Math.round(1000 * sec)) * 1_000_000n);

interface Said {
  readonly plane?: "control" | "data";
  readonly source: string;
  readonly subject: string;
  readonly event: string;
  readonly detail: string;
  readonly withinMs?: number;
}

function event(sec: number, { plane = "control", withinMs, ...said }: Said): object {
  const within = withinMs === undefined ? {} : { withinNs: String(Math.round(1e6 * withinMs)) };
  return { kind: "event", event: { timeNs: ns(sec), plane, ...said, ...within } };
}

/** What followed a change, as seen by everybody; `foreign` is what strangers say. */
function reactions(sec: number, site: string, word: string, foreign: string): object[] {
  const isGone = word === "withdraw";
  return [
    event(sec, { source: "controller", subject: site, event: "asked", detail: word }),
    event(sec + 0.4, { source: "client stack", subject: site, event: "daemon", detail: word, withinMs: 6 }),
    event(sec + 1.1, {
      source: "client stack",
      subject: site,
      event: "exchange",
      detail: "accepted",
      withinMs: 6,
    }),
    ...peers.map((peer, i) =>
      event(sec + 2 + 3.5 * i, {
        ...{ source: "collector", subject: `${peer}${i === 2 ? foreign : ""}`, withinMs: 0.8 },
        ...{ event: isGone && i === 0 ? "route-gone" : "route", detail: `64500 4200000001${foreign}` },
      }),
    ),
    event(sec + 9, {
      ...{ plane: "data", source: "amsterdam", subject: targets[3] ?? "", event: "new-path", withinMs: 40 },
      detail: "heard here, no longer at lisbon",
    }),
    ...(isGone
      ? [
          event(sec + 1.4, {
            ...{ plane: "data", source: "amsterdam", subject: targets[7] ?? "", event: "loss", withinMs: 40 },
            detail: "3.2 s without an answer",
          }),
        ]
      : []),
    event(sec + 130, {
      ...{ plane: "data", source: "controller", subject: "round", event: "catchment" },
      detail: "40 targets",
    }),
  ];
}

/** Lines of the journal; `foreign` stands wherever a stranger can say something. */
function experimentLines(foreign = ""): string[] {
  const pace = { spacingSec: 600, perHourMax: 10 };
  const begun = JSON.stringify({
    ...{ kind: "begun", name: `prepend amsterdam${foreign}`, startMs },
    definition: JSON.stringify([definition, sites, pace]),
  });
  const acted = readBeginning(begun).actions.flatMap(({ sec }, action) => [
    { kind: "asked", action, atNs: ns(sec) },
    { kind: "done", action, atNs: ns(sec + 1) },
  ]);
  const round = (number: number, atLisbon: number) => ({
    ...{ kind: "round", round: number },
    sites: Object.fromEntries(
      targets.map((target, i) => [target, i === 39 ? [] : i < atLisbon ? ["lisbon"] : ["amsterdam"]]),
    ),
  });
  const entries = [
    ...acted,
    ...sites.flatMap((site) => reactions(0, site, "announce", foreign)),
    ...reactions(900, "amsterdam", "announce, prepend 2", foreign),
    ...reactions(1800, "lisbon", "withdraw", foreign),
    ...[round(0, 14), round(1, 31), round(2, 0)],
    { kind: "ended", atNs: ns(2000), reason: "finished" },
  ];
  return [begun, ...entries.map((entry) => JSON.stringify(entry))];
}

/** The operator's; resolves to its id at the gateway. Without its last line it is still running. */
export async function addExperiment({ gateway }: ConsoleHome, foreign = "", isEnded = true): Promise<string> {
  const post = (path: string, body: object) =>
    gateway.ask(operator, path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const lines = experimentLines(foreign).slice(0, isEnded ? undefined : -1);
  const answer = await post("/api/experiments/import", { lines });
  if (!answer.ok) {
    throw new Error(`The scene's experiment is refused: ${await answer.text()}`);
  }
  return ((await answer.json()) as { id: string }).id;
}

/** All parts of its page: readable, with the journal's figures, and every event of the picture in the table. */
export async function checkExperiment(tab: Tab, address: string, id: string): Promise<void> {
  const go = (query: string) => tab.go(`${address}console/experiments/${id}${query}`);
  const count = (selector: string) => tab.eval<number>(`document.querySelectorAll('${selector}').length`);
  await go("");
  await mustBeReadable(tab);
  expect(await tab.text("#state")).toContain("finished");
  const events = await count("tbody tr");
  // One that a start after a kill has told again is one.
  expect(events).toBe(new Set(experimentLines().filter((line) => line.includes('"kind":"event"'))).size);
  expect(await count(".picture [role=listitem]")).toBe(events);
  await go("?change=3");
  await mustBeReadable(tab);
  const behind = await count("tbody tr");
  expect(behind).toBeLessThan(events);
  expect(await tab.text("table")).toContain("3.2 s without an answer");
  // All but the catchment, which comes two minutes later.
  expect(await count(".picture [role=listitem]")).toBe(behind - 1);
  await go("?view=catchments");
  await mustBeReadable(tab);
  expect(await tab.text("main")).toContain("48 times a target was at another site");
  for (const view of ["convergence", "file"]) {
    await go(`?view=${view}`);
    await mustBeReadable(tab);
  }
}

/** Removes an experiment by the button on its page: one that ran elsewhere has no other. */
export async function checkRemoval(tab: Tab, address: string, home: ConsoleHome): Promise<void> {
  const running = await addExperiment(home, " running", false);
  const ended = await addExperiment(home, " to be removed");
  const buttons = () =>
    tab.eval<string[]>(
      "[...document.querySelectorAll('#state .actions button')].map((one) => one.textContent)",
    );
  const path = () => tab.eval<string>("location.pathname");
  await tab.go(`${address}console/experiments/${running}`);
  expect(await buttons()).toEqual(["Remove"]);
  await tab.go(`${address}console/experiments/${ended}`);
  expect(await buttons()).toEqual(["Remove"]);
  await tab.eval("document.querySelector('#state .actions button').focus()");
  await tab.press("Enter");
  await until("the list", async () => (await path()) === "/console/experiments");
  await until("its rows", async () => (await tab.text("main")).includes("running"));
  expect(await tab.text("main")).not.toContain("to be removed");
  const statusOf = async (id: string) =>
    (await home.gateway.ask(operator, `/api/experiments/${id}`, {})).status;
  expect([await statusOf(ended), await statusOf(running)]).toEqual([404, 200]);
  await mustBeReadable(tab);
}

/**
 * The journal of campaigns, on each engine of its database: runs and their steps come once, whatever ends the process
 * that takes them, and between which two writes.
 */
import { describe, expect, test } from "bun:test";
import type { StepMeasure } from "../../../apps/probing/campaigns/campaign-services.ts";
import { engines } from "../../postgres/engines.ts";
import { isLongRun } from "../../run/tier.ts";
import { type JournalHome, openedJournal } from "./journal-home.ts";
import { Killed, Killer, look } from "./killer.ts";

/** What a measurement was asked for, by the key of its step. */
type Asked = Map<string, { readonly agents: string; readonly probes: string }>;

/** Measures in the journal's world. Whoever answered is known when the answers are in. */
function measureIn(home: JournalHome, asked: Asked, before: () => void = () => {}): StepMeasure {
  const ids = new Set<string>();
  return {
    submit: async ({ key, agents, probes }) => {
      before();
      asked.set(key, { agents, probes });
      const id = await home.measure(key);
      ids.add(id);
      before();
      return id;
    },
    agents: ({ agents }) => Promise.resolve({ able: agents.split(","), reasons: [] }),
    cancel: () => Promise.resolve(),
    areRepliesIn: () => Promise.resolve(true),
    rounds: null,
    responders: (measurementIds) =>
      Promise.resolve(measurementIds.length === 1 ? ["192.0.2.7", "2001:db8::7"] : []),
  };
}

describe.each(engines)("on %s", (engine) => {
  const home = openedJournal(engine);

  /** Looks until a run is over, as its agents end what they measure. */
  async function play(measure: StepMeasure, journal = home().journal): Promise<void> {
    for (let looks = 0; looks < 20 && !(await home().runs()).includes("0 done"); looks++) {
      await look(journal, measure);
      await home().end();
    }
  }

  test("runs come at their times, beside another or too late they are passed over", async () => {
    await home().make({});
    const asked: Asked = new Map();
    const measure = measureIn(home(), asked);
    expect((await home().journal.ahead()).dueMs).toBeLessThanOrEqual(0);
    await look(home().journal, measure);
    expect(await home().runs()).toEqual(["0 open"]);
    await home().pass(3600);
    await look(home().journal, measure);
    expect(await home().runs()).toEqual(["0 open", "1 to 1 overlap"]);
    await home().end();
    await home().pass(3.75 * 3600);
    await look(home().journal, measure);
    expect(await home().runs()).toEqual(["0 done", "1 to 1 overlap", "2 to 4 missed"]);
    await home().reopen();
    await home().pass(0.25 * 3600);
    await look(home().journal, measure);
    expect((await home().runs()).at(-1)).toBe("5 open");
    expect(asked.size).toBe(2);
  });

  test("a step that nobody begins in time is missed, and one whose measurement was begun is not", async () => {
    await home().make({});
    await home().journal.takeDue();
    await home().pass(1900);
    await look(home().journal, measureIn(home(), new Map()));
    expect(await home().runs()).toEqual(["0 missed"]);
  });

  test("agents of a run start one after another, each a step of its own", async () => {
    await home().make({ spread: "30m" });
    const asked: Asked = new Map();
    const measure = measureIn(home(), asked);
    await look(home().journal, measure);
    expect(asked.size).toBe(0);
    await home().pass(1795);
    await look(home().journal, measure);
    const agents = [...asked.values()].flatMap((one) => one.agents.split(","));
    expect(agents.toSorted()).toEqual(["east", "west"]);
    await home().end();
    await home().journal.settle();
    expect(await home().runs()).toEqual(["0 done"]);
  });

  const steps = { follow_up: { ping: "responders", packets: 2 } };
  const pings = ["192.0.2.7,24000,33434,64,ICMP", "2001:db8::7,24000,33434,64,ICMPv6"];

  test("a run measures, waits for the answers, and measures what it computed of them", async () => {
    await home().make(steps);
    const asked: Asked = new Map();
    await play(measureIn(home(), asked));
    expect(await home().runs()).toEqual(["0 done"]);
    const [first, second, ...more] = [...asked.values()];
    expect(first).toEqual({ agents: "west,east", probes: "192.0.2.1,24000,33434,1,UDP" });
    expect(second).toEqual({ agents: "west,east", probes: [...pings, ...pings].join("\n") });
    expect(more).toEqual([]);
    expect([...asked.keys()].map((key) => key.split(" ").slice(2).join(" "))).toEqual(["0 0", "0 300"]);
  });

  test("killed before and after any write of such a run, each of its steps is done once", async () => {
    let kills = 0;
    const stride = engine === "pglite" || !isLongRun ? 7 : 1;
    for (let calls = 0; ; calls += stride) {
      await home().make(steps);
      const asked: Asked = new Map();
      const killer = new Killer(calls);
      await play(measureIn(home(), asked, killer.tick), killer.killing(home().journal)).catch((error) => {
        expect(error).toBeInstanceOf(Killed);
      });
      if (!killer.isDead) {
        break;
      }
      kills++;
      await home().reopen();
      await home().end();
      await play(measureIn(home(), asked));
      expect([calls, await home().runs()]).toEqual([calls, ["0 done"]]);
      expect([...asked.keys()].map((key) => key.split(" ").at(-1))).toEqual(["0", "300"]);
    }
    expect(kills).toBeGreaterThan(30 / stride);
  });
});

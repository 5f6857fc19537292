/** Settings that an aim may announce. Pure. */
import { below, type Random } from "./random.ts";
import { type Entry, type Setting, withdrawn, withoutCommonPrepends } from "./setting.ts";

export interface Levers {
  readonly entries: readonly Entry[];
  readonly prependsMax: number;
  /** Whether sites may be withdrawn. */
  readonly mayWithdraw: boolean;
}

/** More are sampled. */
const enumeratedMax = 5000;

/** All of them; null = too many. */
export function allSettings({ entries, prependsMax, mayWithdraw }: Levers): Setting[] | null {
  const bySite = [...Map.groupBy(entries.keys(), (entry) => entries[entry]?.site).values()];
  let settings: Setting[] = [new Int8Array(entries.length).fill(withdrawn)];
  for (const own of bySite) {
    // Each non-empty set of its neighbours, with each number of prepends; or none.
    const sets = Array.from({ length: 2 ** own.length - 1 }, (_, i) => i + 1);
    const more = (setting: Setting) =>
      sets.flatMap((set) =>
        Array.from({ length: prependsMax + 1 }, (_, prepends) => {
          const next = Int8Array.from(setting);
          for (const [bit, entry] of own.entries()) {
            next[entry] = (set >> bit) % 2 === 1 ? prepends : withdrawn;
          }
          return next;
        }),
      );
    if (settings.length * (sets.length * (prependsMax + 1) + 1) > 4 * enumeratedMax) {
      return null;
    }
    settings = settings.flatMap((setting) => [...(mayWithdraw ? [setting] : []), ...more(setting)]);
  }
  const open = settings.filter((setting) => setting.some((level) => level !== withdrawn));
  const distinct = [...new Map(open.map(withoutCommonPrepends).map((one) => [one.join(), one])).values()];
  return distinct.length > enumeratedMax ? null : distinct;
}

/** One of them by chance, with at least two sites where there are two. */
export function drawnSetting({ entries, prependsMax, mayWithdraw }: Levers, random: Random): Setting {
  const bySite = [...Map.groupBy(entries.keys(), (entry) => entries[entry]?.site).values()];
  for (;;) {
    const setting = new Int8Array(entries.length).fill(withdrawn);
    let sites = 0;
    for (const own of bySite) {
      if (mayWithdraw && random() < 0.25) {
        continue;
      }
      const prepends = random() < 0.4 ? 0 : below(random, prependsMax + 1);
      const open = own.filter(() => own.length === 1 || random() < 0.75);
      for (const entry of open.length === 0 ? own : open) {
        setting[entry] = prepends;
      }
      sites++;
    }
    if (sites >= Math.min(2, bySite.length)) {
      return withoutCommonPrepends(setting);
    }
  }
}

/** Those that differ at one site, or one of its neighbours. */
export function nearSettings({ entries, prependsMax, mayWithdraw }: Levers, setting: Setting): Setting[] {
  const bySite = [...Map.groupBy(entries.keys(), (entry) => entries[entry]?.site).values()];
  const near = bySite.flatMap((own) => {
    const changed = (entriesOf: readonly number[], level: number) => {
      const next = Int8Array.from(setting);
      for (const entry of entriesOf) {
        next[entry] = level;
      }
      return next;
    };
    const levels = Array.from({ length: prependsMax + 1 }, (_, level) => level);
    const now = Math.max(...own.map((entry) => setting[entry] ?? withdrawn));
    const flips =
      own.length === 1
        ? []
        : own.map((entry) => changed([entry], setting[entry] === withdrawn ? Math.max(0, now) : withdrawn));
    return [...levels.map((level) => changed(own, level)), changed(own, withdrawn), ...flips];
  });
  const isAllowed = (one: Setting) =>
    bySite.every((own) => mayWithdraw || own.some((entry) => one[entry] !== withdrawn));
  return near
    .filter((one) => one.some((level) => level !== withdrawn) && isAllowed(one))
    .map(withoutCommonPrepends);
}

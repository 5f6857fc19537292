/**
 * The packages of bun.lock (version 2: JSON with commas at ends), and what each is for.
 *
 * An entry is `"place": ["name@version", "", {dependencies, …}, "sha512-…"]`; a place is the name, or `parent/name`
 * where the parent has a version of its own, as in node_modules.
 */

export interface LockedPackage {
  /** In node_modules, `/node_modules/` between the parts left out. */
  readonly place: string;
  readonly name: string;
  readonly version: string;
  /** Integrity of the packed package from the registry: `sha512-BASE64`. */
  readonly integrity: string;
  /** In the executable or beside it, only where the machine has it, or only on the work bench. */
  readonly scope: "required" | "optional" | "excluded";
}

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly workspaces: Readonly<Record<string, Needs>>;
  readonly packages: Readonly<
    Record<string, readonly [id: string, source: string, needs: Needs, hash: string]>
  >;
}

/** Compiled into the executable, though package.json has it for the work bench. */
const bundledTool = "bun";

export function lockedPackages(text: string): LockedPackage[] {
  const lock: Lock = JSON.parse(text.replaceAll(/,(\s*[}\]])/g, "$1"));
  const root = lock.workspaces[""] ?? {};
  const required = closure(lock, [...Object.keys(root.dependencies ?? {}), bundledTool], "dependencies");
  const optional = closure(
    lock,
    [...required, ...Object.keys(root.optionalDependencies ?? {})],
    "optionalDependencies",
  );
  return Object.entries(lock.packages).map(([place, [id, , , integrity]]) => {
    const at = id.lastIndexOf("@");
    const isOptional = optional.has(place) ? "optional" : "excluded";
    const scope = required.has(place) ? "required" : isOptional;
    return { place, name: id.slice(0, at), version: id.slice(at + 1), integrity, scope };
  });
}

/** Places of these packages and of all that they need; with optional needs, of those too. */
function closure({ packages }: Lock, names: readonly string[], which: keyof Needs): Set<string> {
  const places = new Set<string>();
  const add = (name: string, from: string) => {
    const place = placeOf(packages, name, from);
    if (place === null || places.has(place)) {
      return;
    }
    places.add(place);
    const [, , needs] = packages[place] ?? [];
    const optional = which === "optionalDependencies" ? needs?.optionalDependencies : {};
    for (const needed of Object.keys({ ...needs?.dependencies, ...optional })) {
      add(needed, place);
    }
  };
  for (const name of names) {
    add(name, "");
  }
  return places;
}

/** As node_modules are searched: beside who asks, then further up. Null = not for any machine of the lock. */
function placeOf(packages: Lock["packages"], name: string, from: string): string | null {
  for (let parent = from; parent !== ""; parent = parent.slice(0, Math.max(0, parent.lastIndexOf("/")))) {
    if (`${parent}/${name}` in packages) {
      return `${parent}/${name}`;
    }
  }
  return name in packages ? name : null;
}

/** Who imports whom: every import against the table in rooms.ts. */
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { nativeModules, nativeNames } from "./house.ts";
import type { Edge, Graph } from "./import-graph.ts";
import { isBelow, type Room } from "./room.ts";
import { mayImport, rooms, testsRoom } from "./rooms.ts";
import { isTest, type Problem } from "./tree.ts";
import { wingOf } from "./wings.ts";

export function forbiddenImports(graph: Graph): Problem[] {
  return graph.edges.flatMap((edge) => {
    const reason = forbidden(edge);
    return reason === null ? [] : [`${edge.from}:${edge.line}: imports "${edge.specifier}": ${reason}`];
  });
}

/** Files that are in no room: nobody has decided what they may import. */
export function homeless(graph: Graph): Problem[] {
  return [...graph.sources.keys()]
    .filter((path) => roomOf(path) === null)
    .map((path) => `${path}: belongs to no room of tests/tidy/rooms.ts; add one there`);
}

export function roomOf(path: string): Room | null {
  if (isTest(path) || isBelow(path, testsRoom.path)) {
    return testsRoom;
  }
  return rooms.find((room) => isBelow(path, room.path)) ?? null;
}

/**
 * Imports that point upwards: a file takes something from a folder above its own which in turn builds on the file's own
 * folder, in whatever number of steps. The two can then be understood only together: what the inner one needs belongs
 * into it, or into a file that knows nothing of it.
 */
export function upwardImports(graph: Graph): Problem[] {
  const behind = reachable(graph.edges);
  return graph.edges.flatMap(({ from, to, line }) => {
    const folder = to === null || roomOf(from) === testsRoom ? null : folderBelow(posix.dirname(to), from);
    const held =
      folder === null || to === null ? undefined : behind(to).find((path) => isBelow(path, folder));
    const advice = `which builds on ${held}: let ${folder} say what it needs`;
    return held === undefined ? [] : [`${from}:${line}: imports "${to}", ${advice}`];
  });
}

/** Imports from a lower wing into a higher one, or into the one beside it. */
export function risingImports(graph: Graph): Problem[] {
  return graph.edges.flatMap(({ from, to, line }) => {
    const [wing, other] = [wingOf(from), to === null ? null : wingOf(to)];
    return wing === null || other === null || wing === other || other.row < wing.row || isTest(from)
      ? []
      : [`${from}:${line}: imports "${to}": ${wing.path} may not import ${other.path}`];
  });
}

/** Two folders of one room that import each other: neither can be understood, or removed, without the other. */
export function siblingCircles(graph: Graph): Problem[] {
  const arrows = new Map<string, Edge>();
  for (const edge of graph.edges) {
    const pair = isTest(edge.from) || edge.to === null ? null : siblings(edge.from, edge.to);
    if (pair !== null && !arrows.has(pair.join(" "))) {
      arrows.set(pair.join(" "), edge);
    }
  }
  return [...arrows].flatMap(([pair, { from, to, line }]) => {
    const [one = "", other = ""] = pair.split(" ");
    const back = arrows.get(`${other} ${one}`);
    return back === undefined || one > other
      ? []
      : [`${from}:${line}: imports "${to}", and ${back.from} "${back.to}": move what both need above them`];
  });
}

/** The two folders where the paths part, if both lie in one room. */
function siblings(from: string, to: string): [string, string] | null {
  const [a, b] = [posix.dirname(from).split("/"), posix.dirname(to).split("/")];
  const at = a.findIndex((name, index) => name !== b[index]);
  const pair: [string, string] = [a.slice(0, at + 1).join("/"), b.slice(0, at + 1).join("/")];
  const isPair = at >= 0 && at < b.length && roomOf(from) === roomOf(to) && roomOf(from) !== testsRoom;
  return isPair ? pair : null;
}

/** The folder right below `folder` that holds the file; null when it is elsewhere, or a room of its own. */
function folderBelow(folder: string, path: string): string | null {
  const [name = "", ...rest] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/") : [];
  return rest.length === 0 || ["lib", "apps"].includes(folder) ? null : `${folder}/${name}`;
}

/** What a file imports, by itself or through others. */
export function reachable(edges: readonly Edge[]): (path: string) => string[] {
  const next = Map.groupBy(edges, ({ from }) => from);
  const known = new Map<string, Set<string>>();
  const from = (path: string): Set<string> => {
    const found = known.get(path) ?? new Set<string>();
    if (!known.has(path)) {
      known.set(path, found);
      for (const { to } of next.get(path) ?? []) {
        if (to !== null) {
          found.add(to);
          for (const one of from(to)) {
            found.add(one);
          }
        }
      }
    }
    return found;
  };
  return (path) => [...from(path)];
}

function forbidden(edge: Edge): string | null {
  const room = roomOf(edge.from);
  if (room === null) {
    return null;
  }
  if (edge.to !== null) {
    return forbiddenFile(room, edge, edge.to);
  }
  const packageFile = /^[./]+\/node_modules\/(.*)/.exec(edge.specifier)?.[1];
  if (packageFile !== undefined) {
    return forbiddenPackage(room, packageFile);
  }
  if (edge.specifier.startsWith(".")) {
    // What a build makes (the WebAssembly module) is not there to be seen.
    return /\.(wasm|zst)$/.test(edge.specifier) ? null : "there is no such file";
  }
  if (nativeModules.includes(edge.specifier)) {
    return room.path === "ffi" || room === testsRoom ? null : "native memory stays inside ffi/";
  }
  return isBuiltin(edge.specifier) ? null : forbiddenPackage(room, edge.specifier);
}

function forbiddenFile(room: Room, edge: Edge, to: string): string | null {
  if (roomOf(to) !== room && !mayImport(room, to)) {
    return `${room.path} may import only ${room.ours.join(", ") || "itself"}`;
  }
  if (isTest(to)) {
    return "nothing imports a test";
  }
  const lent = nativeNames[to] ?? [];
  const taken = edge.names.filter((name) => lent.includes(name) || (lent.length > 0 && name === "*"));
  if (taken.length > 0 && room.path !== "ffi" && room !== testsRoom) {
    return `${taken.join(", ")} gives native memory away, which stays inside ffi/`;
  }
  return null;
}

function forbiddenPackage(room: Room, specifier: string): string | null {
  const parts = specifier.split("/");
  const name = specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
  return room.packages.includes(name) ? null : `${room.path} does not use the package ${name}`;
}

export function isBuiltin(specifier: string): boolean {
  return specifier === "bun" || /^(node|bun):/.test(specifier) || builtinModules.includes(specifier);
}

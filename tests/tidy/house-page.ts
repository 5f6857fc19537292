/** The table of rooms in ARCHITECTURE.md, between its marks: `npm run generate`. A test compares it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appRooms } from "./app-rooms.ts";
import { libRooms, pureRooms } from "./lib-rooms.ts";
import type { Room } from "./room.ts";
import { dataRooms, testsRoom } from "./rooms.ts";

const page = join(import.meta.dirname, "../../ARCHITECTURE.md");
const marked = /(?<=<!-- The table of tests\/tidy\/rooms\.ts\b.*-->\n).*?(?=<!-- end -->)/s;

/** The page as it should be. */
export function housePage(): string {
  return readFileSync(page, "utf8").replace(marked, () => `\n${houseTable()}\n`);
}

function houseTable(): string {
  return [
    "| folder | holds | may import |",
    "|---|---|---|",
    ...[...appRooms, ...pureRooms, ...libRooms].map((room) => row(room, mayImport(room))),
    ...dataRooms.map((room) => row(room, "")),
    row(testsRoom, "all"),
    "",
  ].join("\n");
}

function row({ path, holds }: Pick<Room, "path" | "holds">, allowed: string): string {
  return `| \`${path}\` | ${holds} | ${allowed} |`;
}

/** Rooms by name; templates, SQL and the version of package.json are data. */
function mayImport({ ours, pure }: Room): string {
  const names = ours
    .filter((one) => !/^(templates|sql|package\.json)\b/.test(one))
    .map((one) => (/^(pure|lib|ffi|apps)$/.test(one) ? one : `\`${one}\``));
  return [...(pure ? ["**pure**"] : []), ...names].join(", ") || "nothing";
}

if (import.meta.main) {
  writeFileSync(page, housePage());
}

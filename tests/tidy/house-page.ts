/** The table of rooms in ARCHITECTURE.md, between its marks: `npm run generate`. A test compares it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appRooms } from "./app-rooms.ts";
import { libRooms, pureRooms } from "./lib-rooms.ts";
import { isBelow, type Room } from "./room.ts";
import { dataRooms, testsRoom } from "./rooms.ts";
import { appWings, type Wing, wings } from "./wings.ts";

const page = join(import.meta.dirname, "../../ARCHITECTURE.md");
const marked = /(?<=<!-- The table of tests\/tidy\/rooms\.ts\b.*-->\n).*?(?=<!-- end -->)/s;

/** The page as it should be. */
export function housePage(): string {
  return readFileSync(page, "utf8").replace(marked, () => `\n${houseTable()}\n`);
}

function houseTable(): string {
  return [
    "| wing | holds | may import |",
    "|---|---|---|",
    ...appWings.map(({ path, holds }) => `| \`${path}\` | ${holds} | \`lib\`${native(path)} |`),
    ...wings.toReversed().map((wing) => `| \`${wing.path}\` | ${wing.holds} | ${below(wing)} |`),
    ...others.map(({ path, holds }) => `| \`${path}\` | ${holds} | |`),
    "",
    "Their rooms, with the exact imports of each in `tests/tidy/app-rooms.ts` and `lib-rooms.ts`:",
    "",
    ...[...appRooms, ...pureRooms, ...libRooms]
      .filter(({ path }) => !isBelow(path, "ffi"))
      .toSorted(byWing)
      .map(roomLine),
    "",
  ].join("\n");
}

const others = [
  ...dataRooms,
  testsRoom,
  {
    path: "ffi",
    holds: "every native boundary: libc, packet sockets, libpcap, rtnetlink, the WebAssembly hot path",
  },
];

/** Apps in the order of their wings, then `lib` from the bottom up. */
function byWing(a: Room, b: Room): number {
  const order = [...appWings, ...wings].map(({ path }) => path);
  const at = ({ path }: Room) => order.findIndex((wing) => isBelow(path, wing));
  return at(a) - at(b);
}

function native(path: string): string {
  const uses = appRooms.some((room) => isBelow(room.path, path) && room.ours.includes("ffi"));
  return uses ? ", `ffi`" : "";
}

function below(wing: Wing): string {
  return (
    wings
      .filter(({ row }) => row < wing.row)
      .map(({ path }) => `\`${path.slice(4)}\``)
      .join(", ") || "nothing"
  );
}

function roomLine({ path, holds, pure }: Room): string {
  return `- \`${path}\`${pure ? " (pure)" : ""}: ${holds}`;
}

if (import.meta.main) {
  writeFileSync(page, housePage());
}

/**
 * The rooms of the house: the one source of the table of ARCHITECTURE.md, and what every import is checked against.
 *
 * A file belongs to the first room whose path starts its own; a test belongs to `tests`, wherever it lies.
 */
import { appRooms } from "./app-rooms.ts";
import { libRooms, pureRooms } from "./lib-rooms.ts";
import { isBelow, type Room, room } from "./room.ts";

export const rooms: readonly Room[] = [...appRooms, ...pureRooms, ...libRooms];

/** Tests and what only they use may import everything; nothing else imports them. */
export const testsRoom: Room = room(
  "tests",
  "vectors, properties, fuzz, the laboratory, benches, the rules of the house; nothing imports it",
  {
    ours: ["apps", "lib", "ffi", "tests", "package.json", "templates/pages"],
    packages: [
      ...[
        "valibot",
        "kafkajs",
        "fast-check",
        "openapi-typescript",
        "typescript",
        "capnp-es",
        "ipaddr.js",
        "jose",
        "postgres",
        "hono",
      ],
      ...["eventsource-parser", "prom-client", "ajv", "dockerfile-ast", "yaml", "axe-core", "eta"],
      ...["d3-geo", "topojson-client", "world-atlas", "croner"],
      "@electric-sql/pglite",
    ],
  },
);

/** Folders without code. */
export const dataRooms: readonly Pick<Room, "path" | "holds">[] = [
  { path: "sql", holds: "schemas: numbered files, which are applied in order and never changed" },
  { path: "templates", holds: "Eta templates of policies, configurations and pages" },
  {
    path: "deploy",
    holds:
      "alerts, dashboards, scrape targets: docs/operate/observability.md; files of `compose.yaml`'s containers: " +
      "docs/operate/compose.md; held by `tests/deploy`",
  },
];

/** Whether a room may import a file of another. */
export function mayImport({ ours }: Room, path: string): boolean {
  const allowed = ours.flatMap((one) =>
    one === "pure" ? rooms.filter(({ pure }) => pure) : [{ path: one }],
  );
  return allowed.some((one) => isBelow(path, one.path));
}

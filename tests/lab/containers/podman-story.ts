/** A second user, who has Podman: the same file, by podman-compose; the images by `podman load`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { announced, bothLinks, composeFiles, status, writeOverride } from "./client-story.ts";
import { must } from "./parts.ts";
import type { Place } from "./place.ts";
import { copyAuthority, logIn } from "./platform-story.ts";
import type { Table } from "./table.ts";

const name = "second";
/** Without systemd, and without the right to raise limits, as these machines are. */
const settings = [
  "[containers]",
  "default_ulimits = []",
  "[engine]",
  'cgroup_manager = "cgroupfs"',
  'runtime = "runc"',
  'events_logger = "file"',
];

/** `archives`: the folder of `npm run images`; null = there is none, and Docker's own are taken. */
export async function playPodman(place: Place, table: Table, archives: string | null): Promise<void> {
  const podman = (line: string) =>
    place.at(name, `PODMAN_IGNORE_CGROUPSV1_WARNING=1 COMPOSE_FILE=${composeFiles} ${line}`);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      `images by podman load${archives === null ? "" : ", of the OCI archives"}`,
      () => loadImages(place, podman, archives),
    ],
    ["up by podman-compose", () => podman("podman-compose up --detach")],
    [
      "both logins",
      async () => {
        const links = await bothLinks(place, name);
        await logIn(place, name, links.login);
        await logIn(place, name, links.vpn);
      },
    ],
    [
      "session Established",
      () =>
        until("the session", async () =>
          (await status(place, name)).exchanges.some(({ is_up: isUp }) => isUp),
        ),
    ],
    [
      "a lease, announced and at the upstream",
      async () => {
        await podman("podman-compose exec -T bootstrap vantage peering prefix request 24");
        const prefix = await announced(place, name);
        await until("the route at the upstream", () => place.upstream.hears(prefix));
      },
    ],
  ];
  for (const [what, work] of steps) {
    const before = table.failed;
    await table.tryStep(`second user, on Podman: ${what}`, work);
    if (table.failed > before) {
      return;
    }
  }
}

type Podman = (line: string) => Promise<string>;

async function loadImages(place: Place, podman: Podman, archives: string | null): Promise<void> {
  copyAuthority(place, name);
  writeOverride(place, name);
  const lines = settings.map((line) => `'${line}'`).join(" ");
  await place.at(name, `printf '%s\\n' ${lines} >/etc/containers/containers.conf`);
  if (archives === null) {
    const archive = join(place.home(name), "images.tar");
    await place.at("user", ["docker", "save", "--output", archive, ...clientImages]);
    await podman(`podman load --quiet --input ${archive}`);
    await must(["rm", archive]);
  } else {
    for (const image of clientImages) {
      await podman(`podman load --quiet --input ${join(archives, `${image.replace(":", "-")}.oci.tar`)}`);
    }
  }
  const variables = ["PLATFORM_DOMAIN=example.net", "CLIENT_NAME=second", "USER_ASN=", "USER_PREFIXES="];
  writeFileSync(join(place.home(name), ".env"), `${variables.join("\n")}\n`);
}

const clientImages = ["vantage-bird:0.1.0", "vantage-vpn:0.1.0"];

/**
 * The OCI archives of `npm run images`, made on a machine without a daemon of its own for them: buildah, whose base
 * images are those that the lab has. For arm64, too, where an emulator is known to the kernel.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { addForeign } from "./foreign-bases.ts";
import type { Machine } from "./machine.ts";
import { must } from "./parts.ts";

const project = join(import.meta.dirname, "../../..");

interface Archives {
  readonly folder: string;
  /** What it prints: digest, file, size, kind of machine. */
  readonly lines: readonly string[];
}

/** Stands in a clone, as the commit is in the labels. */
export async function writeArchives(builder: Machine, lab: string, debian: string | null): Promise<Archives> {
  const clone = join(lab, "archives/source");
  rmSync(join(lab, "archives"), { recursive: true, force: true });
  await must(["git", "clone", "--quiet", project, clone]);
  await must(["cp", "-al", join(project, "node_modules"), clone]);
  for (const image of basesOf(readFileSync(join(project, "Dockerfile"), "utf8"))) {
    await builder.run(["skopeo", "copy", "--quiet", `docker-daemon:${image}`, `containers-storage:${image}`]);
    if (debian !== null) {
      await addForeign(builder, image, { lab, debian });
    }
  }
  if (debian !== null) {
    await builder.run(["mount", "-t", "binfmt_misc", "binfmt_misc", "/proc/sys/fs/binfmt_misc"]);
  }
  // By default buildah raises these limits, for which these machines have no right.
  const limit = 'default_ulimits = ["nofile=%s:%s", "nproc=%s:%s"]';
  const limits = "$(ulimit -Hn) $(ulimit -Hn) $(ulimit -Hu) $(ulimit -Hu)";
  const write = `printf '[containers]\\n${limit}\\n' ${limits} >/etc/containers/containers.conf`;
  await builder.run(["bash", "-c", write]);
  const path = `PATH=$PWD/node_modules/.bin:$PATH`;
  const printed = await builder.run(
    `${path} bun tests/release/images.ts ../images${debian === null ? " amd64" : ""}`,
    clone,
  );
  return { folder: join(lab, "archives/images"), lines: printed.trim().split("\n") };
}

/** Images that the stages of the archives stand on. */
function basesOf(dockerfile: string): string[] {
  const names = [...dockerfile.matchAll(/^FROM (\S+:\S+)/gm)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !/grafana|keycloak/.test(name));
}

/**
 * Writes our images as OCI archives, without a daemon: `npm run images`, or
 * `bun tests/release/images.ts [FOLDER [amd64|arm64]]`; dist/images unless FOLDER says otherwise, for both kinds of
 * machine unless one is named.
 *
 *     vantage-VERSION.oci.tar, vantage-bird-…, vantage-exchange-…, vantage-vpn-…
 *     vantage.cdx.json      what our programs are made of (sbom.ts)
 *     SHA256SUMS            `sha256sum -c SHA256SUMS`
 *
 * `skopeo copy --all oci-archive:FILE docker://…` pushes one to a registry; `podman load` takes it, Docker 26 only
 * through `skopeo copy oci-archive:FILE docker-daemon:NAME`.
 * Needs buildah, and for the other kind of machine an emulator that the kernel knows (Debian: qemu-user-static).
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";
import packageJson from "../../package.json" with { type: "json" };
import { runToEnd } from "../run/said.ts";
import { checksumsName, checksumsOf } from "./checksums.ts";
import { ownMachine } from "./machines.ts";
import { sbomOf } from "./sbom.ts";

const project = join(import.meta.dirname, "../..");
const stages = ["vantage", "bird", "exchange", "vpn"] as const;
const emulators = { amd64: "qemu-x86_64", arm64: "qemu-aarch64" } as const;
type Architecture = keyof typeof emulators;
const architectures: readonly Architecture[] = ["amd64", "arm64"];

/** What an archive holds: https://github.com/opencontainers/image-spec, image-layout.md. */
const index = v.object({ manifests: v.tuple([v.object({ digest: v.string() })]) });

async function run(command: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runToEnd(command, { cwd: project });
  if (exitCode !== 0) {
    throw new Error(`Cannot run ${command.slice(0, 2).join(" ")}: ${stderr.slice(-2000).trim()}`);
  }
  return stdout.trim();
}

function requireEmulator(architecture: Architecture): void {
  const emulator = emulators[architecture];
  if (ownMachine()?.debian !== architecture && !existsSync(`/proc/sys/fs/binfmt_misc/${emulator}`)) {
    throw new Error(
      `Cannot build for ${architecture}: the kernel knows no ${emulator}; install qemu-user-static`,
    );
  }
}

/** Returns the digest by which the image is named in a registry. */
async function writeImage(stage: string, file: string, kinds: readonly Architecture[]): Promise<string> {
  const name = stage === "vantage" ? "vantage" : `vantage-${stage}`;
  const list = `localhost/${name}:${packageJson.version}`;
  const [commit = "dev", time = "0"] = (await run(["git", "log", "-1", "--format=%h %ct"])).split(" ");
  await runToEnd(["buildah", "manifest", "rm", list]);
  await run([
    ...["buildah", "build", "--layers", "--isolation", "chroot", "--format", "oci", "--timestamp", time],
    ...kinds.map((kind) => `--platform=linux/${kind}`),
    ...["--build-arg", `VANTAGE_COMMIT=${commit}`, "--target", stage, "--manifest", list, project],
  ]);
  rmSync(file, { force: true });
  await run([
    "buildah",
    "manifest",
    "push",
    "--all",
    list,
    `oci-archive:${file}:${list.replace("localhost/", "")}`,
  ]);
  return v.parse(index, JSON.parse(await run(["tar", "-xOf", file, "index.json"]))).manifests[0].digest;
}

if (import.meta.main) {
  const folder = resolve(Bun.argv[2] ?? join(project, "dist/images"));
  const only = Bun.argv[3];
  const kinds = architectures.filter((kind) => only === undefined || kind === only);
  if (kinds.length === 0) {
    throw new Error(`Unknown kind of machine "${only}": ${architectures.join(" or ")}`);
  }
  if (Bun.which("buildah") === null) {
    throw new Error("Cannot build images: there is no buildah here; install it (Debian: buildah)");
  }
  kinds.forEach(requireEmulator);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "vantage.cdx.json"), `${JSON.stringify(sbomOf(project), null, 2)}\n`);
  for (const stage of stages) {
    const name = `vantage${stage === "vantage" ? "" : `-${stage}`}-${packageJson.version}.oci.tar`;
    const digest = await writeImage(stage, join(folder, name), kinds);
    const size = Math.round(Bun.file(join(folder, name)).size / 1e6);
    console.log(`${digest}  ${name}  ${size} MB  ${kinds.join(", ")}`);
  }
  writeFileSync(join(folder, checksumsName), await checksumsOf(folder));
}

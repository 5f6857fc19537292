/**
 * The images that ours stand on, for arm64 beside amd64: Debian by debootstrap, whose programs an emulator runs, and
 * Tailscale cross-built by Go. Both kinds have one name, as at a registry.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildTailscale } from "../vpn/binaries.ts";
import type { Machine } from "./machine.ts";

/** Whether the kernel of this machine runs programs of arm64 by an emulator. */
export function canEmulate(): boolean {
  return existsSync("/proc/sys/fs/binfmt_misc/qemu-aarch64");
}

/** `image` is in the builder's storage for amd64 alone; where there is none for arm64, it stays so. */
export async function addForeign(
  builder: Machine,
  image: string,
  { lab, debian }: { readonly lab: string; readonly debian: string },
): Promise<void> {
  const root = image.includes("/debian:") ? debian : await tailscaleIn(image, lab);
  if (root === null) {
    return;
  }
  const own = `localhost/amd64/${image}`;
  const foreign = `localhost/arm64/${image}`;
  const container = await builder.run(["buildah", "from", "--platform=linux/arm64", "scratch"]);
  await builder.run(["buildah", "add", "--quiet", container.trim(), root, "/"]);
  await builder.run(["buildah", "commit", "--quiet", "--rm", container.trim(), foreign]);
  await builder.run(["buildah", "tag", image, own]);
  await builder.run(["buildah", "rmi", image]);
  await builder.run(["buildah", "manifest", "create", image, own, foreign]);
}

async function tailscaleIn(image: string, lab: string): Promise<string | null> {
  if (!image.includes("/tailscale:")) {
    return null;
  }
  const root = join(lab, "tailscale-arm64");
  const folder = join(root, "usr/local/bin");
  if (!existsSync(join(folder, "tailscaled"))) {
    mkdirSync(folder, { recursive: true });
    await buildTailscale(folder, ["tailscaled", "tailscale"], "arm64");
  }
  return root;
}

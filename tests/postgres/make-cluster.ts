/**
 * Makes lib/engines/store/postgres/empty-cluster.tar.zst: what initdb of the PGlite in node_modules makes, as every
 * embedded database begins. To be run after PGlite has become another version: `bun tests/postgres/make-cluster.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

const target = join(import.meta.dirname, "../../lib/engines/store/postgres/empty-cluster.tar.zst");
/** The strongest: it is made once, and in every clone and executable. */
const level = 22;

/** Whole and closed, as a process leaves it that ends in order. */
export async function makeCluster(folder: string): Promise<void> {
  const engine = await PGlite.create({ dataDir: folder });
  await engine.close();
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "vantage-cluster-"));
  try {
    await makeCluster(folder);
    const plain = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
    const { stdout, exitCode } = Bun.spawnSync(["tar", ...plain, "-cf", "-", "-C", folder, "."]);
    if (exitCode !== 0) {
      throw new Error("tar has failed");
    }
    await Bun.write(target, Bun.zstdCompressSync(stdout, { level }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

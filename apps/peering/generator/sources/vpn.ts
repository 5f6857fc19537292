/** The VPN's devices, from Headscale or from a static list. */
import { readFile } from "node:fs/promises";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { type NodeList, readHeadscaleNodes } from "../../../../lib/peering/policy/headscale-nodes.ts";
import { readStaticNodes } from "../../../../lib/peering/policy/static-nodes.ts";
import type { VpnConfig } from "../config.ts";
import { askJson } from "./ask-json.ts";
import { SourceError } from "./source-error.ts";

export type Approve = (nodeId: string, routes: readonly string[]) => Promise<void>;

export interface Vpn {
  /** Throws SourceError. */
  nodes(): Promise<NodeList>;
  /** Sets the approved routes of a device at the coordination server to exactly these. Null = not possible. */
  readonly approve: Approve | null;
}

export function openVpn(config: VpnConfig): Vpn {
  return config.kind === "file" ? staticVpn(config.file) : headscale(config);
}

function staticVpn(file: string): Vpn {
  return {
    approve: null,
    async nodes() {
      try {
        return readStaticNodes(await readFile(file, "utf8"));
      } catch (cause) {
        throw new SourceError(`Cannot read the list of devices ${file}: ${reason(cause)}`, { cause });
      }
    },
  };
}

function reason(error: unknown): string {
  return systemReason(error);
}

function headscale({ url, key }: VpnConfig & { kind: "headscale" }): Vpn {
  return {
    async nodes() {
      const read = readHeadscaleNodes(await askJson({ url: `${url}/api/v1/node`, key }));
      if (read === null) {
        throw new SourceError(`Cannot use ${url}/api/v1/node: it gives no list of nodes`);
      }
      return read;
    },
    async approve(nodeId, routes) {
      const path = `/api/v1/node/${encodeURIComponent(nodeId)}/approve_routes`;
      await askJson({ url: `${url}${path}`, key, body: { routes } });
    },
  };
}

/** The status document of tailscaled, as far as it matters here. Others' names in it are text of strangers. */
import * as v from "valibot";

const device = v.object({
  HostName: v.optional(v.string(), ""),
  DNSName: v.optional(v.string(), ""),
  TailscaleIPs: v.nullish(v.array(v.string()), []),
  Tags: v.nullish(v.array(v.string()), []),
  Online: v.optional(v.boolean(), false),
  /** Offered routes that the coordination server delivers to this device. */
  PrimaryRoutes: v.nullish(v.array(v.string()), []),
  /** RFC 3339; not there when the key never ends. */
  KeyExpiry: v.nullish(v.string()),
});

export const vpnStatus = v.object({
  /** `Running`, `NeedsLogin`, `Stopped`, `NoState`, `Starting`, `NeedsMachineAuth`. */
  BackendState: v.string(),
  AuthURL: v.optional(v.string(), ""),
  /** What tailscaled itself finds wrong, in sentences. */
  Health: v.nullish(v.array(v.string())),
  Self: v.nullish(device),
  Peer: v.nullish(v.record(v.string(), device), {}),
});

export type VpnStatus = v.InferOutput<typeof vpnStatus>;
export type VpnDevice = v.InferOutput<typeof device>;

/** The shape of the client stack's configuration: keys, defaults, and what they mean. */
import * as v from "valibot";
import { wholeNumber } from "../../lib/api/fields.ts";
import { listenAddress } from "../../lib/config/addresses.ts";
import { defaultPorts } from "../../lib/config/default-ports.ts";
import { configKey, numberKey } from "../../lib/config/shape.ts";
import { checkedText, filled } from "../../lib/config/values.ts";
import { exchangeEverySecDefault, intervalSecDefault, intervalSecMax } from "./limits.ts";

/** It is quoted in BIRD's configuration, which has no escapes. */
const plainPath = checkedText(
  (text) => /^\/[!#-~]{0,254}$/.test(text) && !/[*?[\]{}\\]/.test(text),
  'must be an absolute path without spaces, " and wildcards',
);
const device = checkedText(
  (text) => /^[a-zA-Z0-9._-]{1,15}$/.test(text),
  "must be the name of a network device",
);
const tag = checkedText(
  (text) => /^tag:[a-z][a-z0-9-]{0,60}$/.test(text),
  "must be tag: and a word of a-z, 0-9 and -",
);
const hostPrefix = checkedText(
  (text) => /^[a-z0-9-]{1,60}$/.test(text),
  "must be the beginning of a host name",
);
const webAddress = checkedText(
  (text) => /^https?:\/\/\S+[^\s/]$/.test(text),
  "must be a http:// or https:// address",
);
const port = wholeNumber(1, 65_535);

export const bootstrapSchema = v.object({
  platform: v.object({
    asn: configKey(wholeNumber(1, 4_294_967_294), {
      meaning: "AS of the platform, that of every exchange server",
    }),
  }),
  vpn: v.optional(
    v.object({
      socket: v.optional(
        configKey(plainPath, { meaning: "tailscaled's socket" }),
        "/var/run/tailscale/tailscaled.sock",
      ),
      device: v.optional(configKey(device, { meaning: "Network device of the VPN" }), "tailscale0"),
      exchange_tag: v.optional(configKey(tag, { meaning: "Tag of exchange servers" }), "tag:exchange"),
      exchange_host_prefix: v.optional(
        configKey(hostPrefix, {
          meaning:
            "Beginning of exchange servers' host names, where they have no tag; any user can take such a name",
          otherwise: "by the tag",
        }),
      ),
      status_port: v.optional(
        configKey(port, { meaning: "Port of the session status at exchange servers" }),
        defaultPorts.policyGenerator,
      ),
      status_interval_sec: numberKey([1, intervalSecMax], exchangeEverySecDefault, {
        meaning: "Between two questions to each exchange server",
        unit: "s",
      }),
    }),
    {},
  ),
  daemon: v.optional(
    v.object({
      kind: v.optional(
        configKey(v.picklist(["bird", "frr"]), { meaning: "The routing daemon: BIRD 2 or FRR 8" }),
        "bird",
      ),
      feed: v.optional(
        configKey(v.picklist(["full", "partial", "default"]), {
          meaning:
            "What exchange servers tell: all; a default route and what peers and users tell; that route alone",
        }),
        "full",
      ),
      config_file: v.optional(
        configKey(plainPath, {
          meaning: "The daemon's configuration",
          otherwise: "`/etc/bird/bird.conf` or `/etc/frr/frr.conf`",
        }),
      ),
      snippets_dir: v.optional(
        configKey(plainPath, {
          meaning: "Folder of your own `*.conf`, which is only read",
          otherwise: "`/etc/bird/snippets` or `/etc/frr/snippets`",
        }),
      ),
      control_socket: v.optional(
        configKey(plainPath, {
          meaning: "BIRD's control socket, or the folder of FRR's sockets",
          otherwise: "`/run/bird/bird.ctl` or `/run/frr`",
        }),
      ),
      check_command: v.optional(
        configKey(filled, {
          meaning: "What checks a configuration first: BIRD itself, or FRR's vtysh",
          otherwise: "`bird` or `vtysh`",
        }),
      ),
      reload_command: v.optional(
        configKey(filled, { meaning: "What makes FRR load a configuration" }),
        "frr-reload.py",
      ),
      log: v.optional(
        configKey(v.picklist(["syslog", "stderr"]), { meaning: "Where the daemon writes its log" }),
        "stderr",
      ),
    }),
    {},
  ),
  gateway: v.optional(
    v.object({
      url: v.optional(configKey(webAddress, { meaning: "The peering gateway", otherwise: "none" })),
      token_file: v.optional(
        configKey(filled, {
          meaning: "File with your token for it, of the identity provider; read again for each request",
          otherwise: "none",
        }),
      ),
      profile: v.optional(
        configKey(filled, {
          meaning:
            "Instead of the two: a login of `vantage login` by the same user, as `vantage profiles` names it",
          otherwise: "none",
        }),
      ),
    }),
    {},
  ),
  bootstrap: v.optional(
    v.object({
      address: v.optional(
        configKey(listenAddress("ADDRESS:PORT, as 127.0.0.1:8092"), { meaning: "Where the status page is" }),
        `127.0.0.1:${defaultPorts.statusPage}`,
      ),
      state_dir: v.optional(
        configKey(plainPath, { meaning: "Folder for orders, and for the socket that takes them" }),
        "/var/lib/vantage/bootstrap",
      ),
      interval_sec: numberKey([1, intervalSecMax], intervalSecDefault, {
        meaning: "Between two checks of VPN and daemon",
        unit: "s",
      }),
    }),
    {},
  ),
});

/** The shape of the client stack's configuration: keys, defaults, and what they mean. */
import * as v from "valibot";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { listenAddress } from "../../../lib/engines/config/addresses.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import { keyWithDefault, numberKey, optionalKey, section } from "../../../lib/engines/config/shape.ts";
import { checkedText, filled } from "../../../lib/engines/config/values.ts";
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
  platform: section({
    asn: optionalKey(wholeNumber(1, 4_294_967_294), {
      meaning: "AS of the platform, that of every exchange server",
      otherwise: "as the gateway states it; needed without one",
    }),
  }),
  vpn: section({
    socket: keyWithDefault(plainPath, "/var/run/tailscale/tailscaled.sock", {
      meaning: "tailscaled's socket",
    }),
    device: keyWithDefault(device, "tailscale0", { meaning: "Network device of the VPN" }),
    exchange_tag: keyWithDefault(tag, "tag:exchange", { meaning: "Tag of exchange servers" }),
    exchange_host_prefix: optionalKey(hostPrefix, {
      meaning:
        "Beginning of exchange servers' host names, where they have no tag; any user can take such a name",
      otherwise: "by the tag",
    }),
    status_port: keyWithDefault(port, defaultPorts.policyGenerator, {
      meaning: "Port of the session status at exchange servers",
    }),
    status_interval_sec: numberKey([1, intervalSecMax], exchangeEverySecDefault, {
      meaning: "Between two questions to each exchange server",
      unit: "s",
    }),
  }),
  daemon: section({
    kind: keyWithDefault(v.picklist(["bird", "frr"]), "bird", {
      meaning: "The routing daemon: BIRD 2 or FRR 8",
    }),
    feed: keyWithDefault(v.picklist(["full", "partial", "default"]), "full", {
      meaning:
        "Routes that exchange servers send: all; a default route and those of peers and users; the default route alone",
    }),
    config_file: optionalKey(plainPath, {
      meaning: "The daemon's configuration",
      otherwise: "`/etc/bird/bird.conf` or `/etc/frr/frr.conf`",
    }),
    snippets_dir: optionalKey(plainPath, {
      meaning: "Folder of your own `*.conf`, which is only read",
      otherwise: "`/etc/bird/snippets` or `/etc/frr/snippets`",
    }),
    control_socket: optionalKey(plainPath, {
      meaning: "BIRD's control socket, or the folder of FRR's sockets",
      otherwise: "`/run/bird/bird.ctl` or `/run/frr`",
    }),
    check_command: optionalKey(filled, {
      meaning: "What checks a configuration first: BIRD itself, or FRR's vtysh",
      otherwise: "`bird` or `vtysh`",
    }),
    reload_command: keyWithDefault(filled, "frr-reload.py", {
      meaning: "What makes FRR load a configuration",
    }),
    log: keyWithDefault(v.picklist(["syslog", "stderr"]), "stderr", {
      meaning: "Where the daemon writes its log",
    }),
  }),
  gateway: section({
    url: optionalKey(webAddress, { meaning: "The peering gateway", otherwise: "none" }),
    token_file: optionalKey(filled, {
      meaning: "File with your token for it, of the identity provider; read again for each request",
      otherwise: "none",
    }),
    login: optionalKey(webAddress, {
      meaning:
        "Instead of these: a probing gateway, at which the service itself logs in; its status page has the link",
      otherwise: "none",
    }),
    profile: optionalKey(filled, {
      meaning:
        "Instead of the two: a login of `vantage login` by the same user, as `vantage profiles` names it",
      otherwise: "none",
    }),
  }),
  bootstrap: section({
    address: keyWithDefault(
      listenAddress("ADDRESS:PORT, as 127.0.0.1:8092"),
      `127.0.0.1:${defaultPorts.statusPage}`,
      { meaning: "Where the status page is" },
    ),
    state_dir: keyWithDefault(plainPath, "/var/lib/vantage/bootstrap", {
      meaning: "Folder for orders, and for the socket that takes them",
    }),
    interval_sec: numberKey([1, intervalSecMax], intervalSecDefault, {
      meaning: "Between two checks of VPN and daemon",
      unit: "s",
    }),
  }),
});

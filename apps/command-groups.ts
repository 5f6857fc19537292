/** In which groups `vantage --help` shows the commands: fifty in one list are too many to read. Pure. */
export const commandGroups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ["Measure from this machine", ["trace", "ping"]],
  ["Log in at a gateway", ["login", "logout", "profiles", "whoami", "limits", "token"]],
  [
    "Measure by its agents",
    [
      ...["agents", "probes", "send", "follow", "show", "measurements", "label", "cancel"],
      ...[
        "replies",
        "sql",
        "catchment",
        "packets",
        "export",
        "share",
        "campaign",
        "alerts",
        "discover",
        "mcp",
      ],
    ],
  ],
  [
    "Announce a prefix",
    ["peering", "bootstrap", "announce", "withdraw", "announcements", "experiment", "routes", "context"],
  ],
  [
    "Run a platform",
    [
      ...[
        "setup",
        "stack",
        "agent",
        "probing-gateway",
        "peering-gateway",
        "collector",
        "exchange",
        "policy-generator",
      ],
      ...["client", "import", "admin", "doctor", "health", "install-service", "backup", "restore", "upgrade"],
    ],
  ],
  ["This program", ["help", "completions", "version"]],
];

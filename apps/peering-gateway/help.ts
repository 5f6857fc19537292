/** What `vantage peering-gateway --help` prints. */
export const gatewayHelp = `vantage peering-gateway: give ASNs and lease /48s to users over HTTP

  vantage peering-gateway --config FILE            runs until SIGTERM
  vantage peering-gateway --check --config FILE    reads the configuration and the pool, and says what they mean
  vantage peering-gateway --make-key               prints a new key for subjects.keys

  -c, --config FILE           YAML (docs/peering-gateway-configuration.md)
      --check                 do not start
      --make-key              do not start
  -h, --help                  this text

  gateway:
    address: 0.0.0.0:8080
  database:
    address: postgres://vantage@192.0.2.10/peering     # or pglite:DIR, for one gateway
  oidc:
    issuer: https://login.example.net/
    audiences: [https://vantage.example.net]
  leases:
    pool_file: /etc/vantage/prefixes.txt               # a block up to /48 per line, # comments
  subjects:
    keys_file: /etc/vantage/subject-keys               # the first line encrypts, all decrypt
  service:
    keys: [{ name: exchange-1, key_sha256: … }]        # or: POST /admin/service-keys

Each key is also a variable: VANTAGE_GATEWAY__ADDRESS=127.0.0.1:8080. /docs of the running gateway describes the API.

Exit codes: 0 stopped by a signal, 1 failure, 2 wrong usage or configuration.
`;

/** What `vantage probing-gateway --help` prints. */
export const gatewayHelp = `vantage probing-gateway: take measurements from users over HTTP, and look after agents

  vantage probing-gateway [--config FILE]          runs until SIGTERM
  vantage probing-gateway --check [--config FILE]  reads the configuration, and says what it means

  -c, --config FILE           YAML; without one, and for what it leaves out, everything is embedded in one folder,
                              /var/lib/vantage/probing-gateway (docs/probing-gateway-configuration.md)
      --check                 do not start
  -h, --help                  this text

  gateway:
    address: 0.0.0.0:8080
  database:
    address: postgres://vantage@192.0.2.10/probing     # or pglite:DIR, for one gateway
  kafka:
    brokers: 192.0.2.11:9092                           # or embedded:DIR
  store:
    address: http://192.0.2.12:8123                    # or chdb:DIR of "vantage stack"
  oidc:
    issuer: https://login.example.net/
    audiences: [https://vantage.example.net]

Each key is also a variable: VANTAGE_GATEWAY__ADDRESS=127.0.0.1:8080. SIGHUP reads the lists of destinations again.
/docs of the running gateway describes the API.

Exit codes: 0 stopped by a signal, 1 failure, 2 wrong usage or configuration.
`;

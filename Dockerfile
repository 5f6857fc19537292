# Every image of ours, a stage each: vantage, bird, exchange, grafana, keycloak; vpn.
# Versions of images are named in full, and nothing is installed when a container starts.

# On the machine that builds, also for another kind: Bun makes executables for either.
FROM --platform=$BUILDPLATFORM docker.io/oven/bun:1.4.5-slim AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
COPY lib/engines/store/postgres/postgres@3.4.9.patch lib/engines/store/postgres/
# The column store as a library is for one machine; here a server has its place.
RUN bun install --frozen-lockfile --omit=optional --ignore-scripts
COPY tsconfig.json compose.yaml ./
COPY apps apps
COPY deploy deploy
COPY ffi ffi
COPY lib lib
COPY sql sql
COPY templates templates
COPY tests/build.ts tests/build.ts
COPY tests/reference/man-page.ts tests/reference/man-page.ts
ARG VANTAGE_COMMIT=unknown
ARG TARGETARCH
RUN bun ffi/hotpath/build.ts && VANTAGE_COMMIT="$VANTAGE_COMMIT" bun tests/build.ts /build/dist $TARGETARCH

# Both gateways, the ingester, the agent.
FROM docker.io/library/debian:bookworm-20260812-slim AS vantage
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libpcap0.8 \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 vantage \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/vantage --shell /usr/sbin/nologin vantage \
  && install --directory --owner=10001 --group=10001 --mode=0750 /var/lib/vantage /etc/vantage
COPY --from=build /build/dist/vantage /usr/local/bin/vantage
ARG VANTAGE_COMMIT=unknown
LABEL org.opencontainers.image.title="vantage" \
  org.opencontainers.image.description="Internet measurement and BGP experiments: gateways, ingester, agent" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="$VANTAGE_COMMIT"
USER 10001:10001
VOLUME /var/lib/vantage
# Where services listen by default here; compose.yaml names the others.
HEALTHCHECK --start-period=300s CMD ["vantage", "health", "http://127.0.0.1:8080"]
ENTRYPOINT ["vantage"]
CMD ["--help"]

# A routing daemon, and what configures it: both as the same user, who owns the folders that they share.
FROM vantage AS bird
LABEL org.opencontainers.image.title="vantage-bird" \
  org.opencontainers.image.description="A user's BIRD 2, and what configures it" \
  org.opencontainers.image.licenses="Apache-2.0 AND GPL-2.0-or-later"
HEALTHCHECK --start-period=300s CMD ["birdc", "-r", "-s", "/run/bird/bird.ctl", "show", "status"]
USER 0:0
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bird2 \
  && rm -rf /var/lib/apt/lists/* \
  && rm -rf /etc/bird && install --directory --owner=10001 --group=10001 --mode=0750 /etc/bird /run/bird
COPY deploy/client/while-connected /usr/local/bin/
USER 10001:10001

# An exchange server's: RPKI comes to BIRD through StayRTR, whose package would take the whole of systemd to make a user.
FROM bird AS exchange
LABEL org.opencontainers.image.title="vantage-exchange" \
  org.opencontainers.image.description="An exchange server's BIRD 2, policy generator and RPKI cache" \
  org.opencontainers.image.licenses="Apache-2.0 AND GPL-2.0-or-later AND BSD-3-Clause"
USER 0:0
RUN apt-get update \
  && apt-get install --yes --no-install-recommends stayrtr systemd-standalone-sysusers \
  && rm -rf /var/lib/apt/lists/*
USER 10001:10001

# Grafana's own image, with the data source for the results. Its folder of data is a volume, so this is beside it.
FROM docker.io/grafana/grafana:12.1.10 AS grafana
USER root
RUN grafana cli --pluginsDir /usr/share/grafana-plugins plugins install grafana-clickhouse-datasource 4.3.2
USER grafana

# Keycloak with its options that are decided when it is built, so that a start need not build it again.
FROM quay.io/keycloak/keycloak:26.4.7 AS keycloak
ENV KC_CACHE=local KC_DB=postgres KC_HEALTH_ENABLED=true
RUN /opt/keycloak/bin/kc.sh build

# Tailscale's programs, which need no library, with nft and with `vantage` as a user who may change which routes a device
# offers.
FROM docker.io/tailscale/tailscale:v1.94.2 AS tailscale

FROM docker.io/library/debian:bookworm-20260812-slim AS vpn
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates iproute2 iptables nftables \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin vantage
COPY --from=tailscale /usr/local/bin/tailscaled /usr/local/bin/tailscale /usr/local/bin/
COPY deploy/client/while-connected deploy/client/vpn-device /usr/local/bin/
COPY deploy/client/clamp.nft /etc/vantage/
ARG VANTAGE_COMMIT=unknown
LABEL org.opencontainers.image.title="vantage-vpn" \
  org.opencontainers.image.description="A device in the VPN: Tailscale, which waits for the login" \
  org.opencontainers.image.licenses="Apache-2.0 AND BSD-3-Clause AND GPL-2.0-or-later" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="$VANTAGE_COMMIT"
# Starts as root: the engine gives it the tunnel and no other right.
HEALTHCHECK --start-period=300s CMD ["vpn-device", "health"]
ENTRYPOINT ["while-connected", "vpn-device"]
CMD []

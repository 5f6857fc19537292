/**
 * The files of `deploy` for a machine without containers. They name each other by the services of compose.yaml; here
 * these names become addresses of this machine, and what is for services that it does not have is left out. Pure.
 */
import alertmanagerFile from "../../../deploy/alertmanager/alertmanager.yaml" with { type: "text" };
import caddyfile from "../../../deploy/caddy/Caddyfile" with { type: "text" };
import grafanaDashboardsFile from "../../../deploy/grafana/provisioning/dashboards/vantage.yaml" with {
  type: "text",
};
import grafanaPrometheusFile from "../../../deploy/grafana/provisioning/datasources/prometheus.yaml" with {
  type: "text",
};
import alertsFile from "../../../deploy/prometheus/alerts.yaml" with { type: "text" };
import prometheusFile from "../../../deploy/prometheus/compose.yaml" with { type: "text" };
import agentTargetsFile from "../../../deploy/prometheus/targets/agents.yaml" with { type: "text" };
import exchangeTargetsFile from "../../../deploy/prometheus/targets/exchanges.yaml" with { type: "text" };
import type { PlatformAnswers } from "./answers.ts";
import { peeringGatewayPlace, probingGatewayPlace } from "./places.ts";

/** The compiler knows YAML as data, not as text. */
const alertmanager: string = alertmanagerFile;
const grafanaDashboards: string = grafanaDashboardsFile;
const grafanaPrometheus: string = grafanaPrometheusFile;
const alerts: string = alertsFile;
const prometheus: string = prometheusFile;
const agentTargets: string = agentTargetsFile;
const exchangeTargets: string = exchangeTargetsFile;

/** HOST:PORT of compose.yaml, to the one of this machine. */
type Places = Readonly<Record<string, string>>;

function placesOf({ issuer, pool }: PlatformAnswers): Places {
  return {
    "probing-gateway:8080": probingGatewayPlace,
    ...(pool.length === 0 ? {} : { "peering-gateway:8080": peeringGatewayPlace }),
    "ingester:8080": "127.0.0.1:8090",
    ...(issuer === "keycloak" ? { "keycloak:8080": "127.0.0.1:8081" } : {}),
    "grafana:3000": "127.0.0.1:3000",
    "prometheus:9090": "127.0.0.1:9090",
    "alertmanager:9093": "127.0.0.1:9093",
  };
}

const composePlace = /\b[a-z][a-z-]*:\d{4}\b/g;

/** Null when it is for a service that this machine does not have. */
function moved(text: string, places: Places): string | null {
  const names = text.match(composePlace) ?? [];
  return names.every((name) => name in places)
    ? text.replace(composePlace, (name) => places[name] ?? name)
    : null;
}

/** Where an authority made here is, for Caddy, which signs with it. */
export const authorityFiles = {
  certificate: "/etc/vantage/authority/authority.pem",
  key: "/etc/vantage/authority/authority.key",
} as const;

const localAuthority = `local_certs
	skip_install_trust
	pki {
		ca local {
			root {
				cert ${authorityFiles.certificate}
				key ${authorityFiles.key}
			}
		}
	}`;

export function caddyText(answers: PlatformAnswers): string {
  const places = placesOf(answers);
  const [head = "", ...sites] = caddyfile.split(/^(?=[a-z]+\.\{\$PLATFORM_DOMAIN\})/m);
  const kept = sites.map((site) => moved(site, places) ?? afterSite(site));
  return [head.replace(/^#.*\n/, heading("for the names below")), ...kept]
    .join("")
    .replaceAll("{$PLATFORM_DOMAIN}", answers.domain)
    .replaceAll("{$PLATFORM_CONTACT}", contactOf(answers))
    .replace("{$EDGE_OPTIONS}", answers.certificates === "local" ? localAuthority : "");
}

/** What follows a site's closing brace. */
function afterSite(site: string): string {
  return site.replace(/^[\s\S]*?\n}\n\n?/, "");
}

/** As `# …` lines, for files that have such comments. */
export function heading(what: string): string {
  return `# Made by vantage setup, ${what}. What you change here is kept, and no longer updated.\n`;
}

export function contactOf({ contact, domain }: PlatformAnswers): string {
  return contact ?? `noc@${domain}`;
}

export function prometheusTexts(answers: PlatformAnswers): Readonly<Record<string, string>> {
  const places = placesOf(answers);
  const [head = "", ...jobs] = prometheus.split(/^(?= {2}- job_name:)/m);
  const kept = jobs.map((job) => moved(job, places) ?? afterJob(job));
  return {
    "prometheus.yaml": heading("from deploy/prometheus") + [moved(head, places) ?? head, ...kept].join(""),
    "alerts.yaml": alerts,
    "targets/agents.yaml": agentTargets,
    "targets/exchanges.yaml": exchangeTargets,
  };
}

/** The comment of the next job, which stands at the end of the one before. */
function afterJob(job: string): string {
  const comments = job.split("\n").filter((line) => line.startsWith("  #"));
  return comments.map((line) => `${line}\n`).join("");
}

/** The webhook stands in the file itself: Alertmanager of Debian 12 (0.25) knows no url_file. */
export function alertmanagerText({ alerts: webhook }: PlatformAnswers): string {
  const url = JSON.stringify(webhook ?? "http://alerts.invalid/");
  return alertmanager.replace(/url_file: .*/, `url: ${url}`);
}

/** As compose.yaml mounts them, by their paths below `deploy`. */
export function composeDeployTexts(): Readonly<Record<string, string>> {
  return {
    "caddy/Caddyfile": caddyfile,
    "prometheus/compose.yaml": prometheus,
    "prometheus/alerts.yaml": alerts,
    "prometheus/targets/agents.yaml": agentTargets,
    "prometheus/targets/exchanges.yaml": exchangeTargets,
    "alertmanager/alertmanager.yaml": alertmanager,
    "grafana/provisioning/datasources/prometheus.yaml": grafanaPrometheus,
    "grafana/provisioning/dashboards/vantage.yaml": grafanaDashboards,
  };
}

export function grafanaTexts(answers: PlatformAnswers): Readonly<Record<string, string>> {
  return {
    "provisioning/datasources/prometheus.yaml": moved(grafanaPrometheus, placesOf(answers)) ?? "",
    "provisioning/dashboards/vantage.yaml": grafanaDashboards.replace(
      "/etc/grafana/dashboards",
      "/etc/vantage/grafana/dashboards",
    ),
  };
}

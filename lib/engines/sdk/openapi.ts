/** Made by `npm run generate`; do not edit. */

export interface paths {
    readonly "/api/agent/{id}": {
        /** Show an agent */
        readonly get: operations["getApiAgentById"];
    };
    readonly "/api/agent/{id}/config": {
        /** Show an agent's instances */
        readonly get: operations["getApiAgentByIdConfig"];
    };
    readonly "/api/agent/{id}/health": {
        /** Show an agent's health */
        readonly get: operations["getApiAgentByIdHealth"];
    };
    readonly "/api/agents": {
        /** List all agents */
        readonly get: operations["getApiAgents"];
    };
    readonly "/api/alerts": {
        /**
         * Alerts of the caller's campaigns
         * @description The newest first. `active=true`: raised alerts of campaigns that have not ended.
         */
        readonly get: operations["getApiAlerts"];
    };
    readonly "/api/campaigns": {
        /**
         * The caller's campaigns
         * @description The newest first.
         */
        readonly get: operations["getApiCampaigns"];
        /**
         * Make a campaign
         * @description Run k is planned at start + k x every, or at the k-th time of a cron pattern. Each run is submitted as a measurement of yours, and charged then. `forever` is for operators.
         */
        readonly post: operations["postApiCampaigns"];
    };
    readonly "/api/campaigns/{id}": {
        /** Show a campaign */
        readonly get: operations["getApiCampaignsById"];
        /**
         * Edit a campaign
         * @description The whole definition anew. It makes a revision, which counts from the next run on. A webhook as it is shown, without its path and secret, stays as it is.
         */
        readonly put: operations["putApiCampaignsById"];
        /**
         * Remove a campaign that has ended
         * @description With its runs, lists and alerts, which then count no more as stored; what it measured stays.
         */
        readonly delete: operations["deleteApiCampaignsById"];
    };
    readonly "/api/campaigns/{id}/alerts": {
        /**
         * Alerts of a campaign
         * @description The newest first. `active=true`: those that are raised.
         */
        readonly get: operations["getApiCampaignsByIdAlerts"];
    };
    readonly "/api/campaigns/{id}/alerts/preview": {
        /**
         * The alerts that rules would have raised
         * @description The detectors run over the campaign's newest runs, from no baseline. Nothing is changed, kept or sent; `deliveries` are checked alone. A run counts once its replies are stored.
         */
        readonly post: operations["postApiCampaignsByIdAlertsPreview"];
    };
    readonly "/api/campaigns/{id}/changes": {
        /**
         * In a campaign: next hops whose share of flows changed since the previous run
         * @description By destination and agent, then by run. A router counts that both runs have met; a hop is who answered a flow and TTL first. Of a campaign, replies that carry their measurement; of one measurement there is nothing. The newest 1000 measurements of it, between since and until. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiCampaignsByIdChanges"];
    };
    readonly "/api/campaigns/{id}/deliveries": {
        /**
         * What was sent of a campaign's alerts
         * @description The newest first, each with its attempts and what came of them.
         */
        readonly get: operations["getApiCampaignsByIdDeliveries"];
    };
    readonly "/api/campaigns/{id}/events": {
        /**
         * Start a run of a campaign that waits for webhooks
         * @description The same event starts one run. A token of scope campaigns:trigger, narrowed to it, does.
         */
        readonly post: operations["postApiCampaignsByIdEvents"];
    };
    readonly "/api/campaigns/{id}/graph": {
        /**
         * In a campaign: the links and nodes as one graph
         * @description One row; of more than 10000 nodes or 10000 links those of most flows. As CSV a row for each link. As `dot`, `graphml` and `svg` for the programs that read those. The newest 1000 measurements of it, between since and until. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiCampaignsByIdGraph"];
    };
    readonly "/api/campaigns/{id}/heatmap": {
        /**
         * In a campaign: round-trip times over time: how many answers in each bin of time and bucket of times
         * @description At most 300 bins of time, those without an answer left out, over all answers whose round-trip time is known; buckets are 20 for each factor of ten, cut to 1 µs. Choose by agent and destination. The newest 1000 measurements of it, between since and until. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiCampaignsByIdHeatmap"];
    };
    readonly "/api/campaigns/{id}/links": {
        /**
         * In a campaign: the links between routers: the routers that replied at consecutive TTLs of a flow
         * @description By TTL and address. Of several routers that answered one flow and TTL the most frequent counts; what a flow sent beyond its end does not. A silent hop between two answers is an end without an address, known by its TTL and the router before it, where the submission is in the store. `against`, another measurement, adds which links appeared since then, are gone, or are in both; agents and time are then of both. The newest 1000 measurements of it, between since and until. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiCampaignsByIdLinks"];
    };
    readonly "/api/campaigns/{id}/nodes": {
        /**
         * In a campaign: the responding routers, with round-trip times and labels, and the silent hops between them
         * @description By TTL and address. A silent hop has no address: it is known by its TTL and the router before it. The newest 1000 measurements of it, between since and until. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiCampaignsByIdNodes"];
    };
    readonly "/api/campaigns/{id}/pause": {
        /**
         * Pause a campaign
         * @description A current run continues.
         */
        readonly post: operations["postApiCampaignsByIdPause"];
    };
    readonly "/api/campaigns/{id}/resume": {
        /**
         * Resume a paused campaign
         * @description Runs that were due meanwhile are skipped.
         */
        readonly post: operations["postApiCampaignsByIdResume"];
    };
    readonly "/api/campaigns/{id}/runs": {
        /**
         * Runs of a campaign
         * @description The newest first; `after` is the number of the last one seen.
         */
        readonly get: operations["getApiCampaignsByIdRuns"];
    };
    readonly "/api/campaigns/{id}/series": {
        /**
         * In a campaign: loss, round-trip times and paths by agent and destination, run by run
         * @description By destination and agent, then by run. Only what was submitted counts. Round-trip times are those of the destination's answers. Of a campaign, replies that carry their measurement. Of measurements whose raw rows have expired, the history has the same rows; since and until then choose whole measurements. The newest 1000 measurements of it, between since and until. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiCampaignsByIdSeries"];
    };
    readonly "/api/campaigns/{id}/sharing": {
        /** Who may see a campaign */
        readonly get: operations["getApiCampaignsByIdSharing"];
        /**
         * Share a campaign
         * @description `link`: anyone who has the link, until it is revoked; a repeated request replaces the link. `public`: everyone, from `public_at` on; this cannot be undone. What others can see: docs/measure/tokens.md.
         */
        readonly post: operations["postApiCampaignsByIdSharing"];
        /**
         * Stop sharing a campaign
         * @description Revokes the link and ends an embargo; published results stay public.
         */
        readonly delete: operations["deleteApiCampaignsByIdSharing"];
    };
    readonly "/api/campaigns/{id}/status-check": {
        /**
         * Whether a campaign's last figures are within bounds
         * @description In the shape of RIPE Atlas status checks. `probes` are agents, with the target where there are several. An agent that sent nothing is `unknown`, and no alert. A campaign without `alerts` has no figures here.
         */
        readonly get: operations["getApiCampaignsByIdStatusCheck"];
    };
    readonly "/api/campaigns/{id}/stop": {
        /**
         * End a campaign
         * @description The current run's unsent probes are cancelled, and refunded.
         */
        readonly post: operations["postApiCampaignsByIdStop"];
    };
    readonly "/api/campaigns/{id}/trend": {
        /**
         * In a campaign: loss, round-trip times and path changes by hour or day, beside the week before
         * @description By time, then by destination and agent. Rows are hours when since is at most three days before the last run, else days. Counts are exact, quantiles within 1 %. Since and until choose runs by their planned time; beyond the raw rows the history is read. The newest 20000 measurements of it, between since and until. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiCampaignsByIdTrend"];
    };
    readonly "/api/campaigns/estimate": {
        /**
         * What a campaign would cost
         * @description Nothing is made. Agents are counted as they could take part now.
         */
        readonly post: operations["postApiCampaignsEstimate"];
    };
    readonly "/api/discoveries": {
        /**
         * The caller's discoveries
         * @description The newest first.
         */
        readonly get: operations["getApiDiscoveries"];
        /**
         * Begin a discovery
         * @description Rounds of probes, each computed from the answers to those before, until no prefix wants more: then it is `complete`. It ends before, with a `reason`, when probes_max are sent (default: the quota of a day), or there were rounds_max. It is a campaign of one run; one that comes again is a campaign with it. A list of up to 64 MiB of targets goes as text, with all else as JSON in the query, `order`.
         */
        readonly post: operations["postApiDiscoveries"];
    };
    readonly "/api/discoveries/{id}": {
        /** Show a discovery */
        readonly get: operations["getApiDiscoveriesById"];
    };
    readonly "/api/discoveries/{id}/pause": {
        /**
         * Pause a discovery
         * @description Unsent probes are cancelled, and planned again when it continues.
         */
        readonly post: operations["postApiDiscoveriesByIdPause"];
    };
    readonly "/api/discoveries/{id}/resume": {
        /**
         * Resume a paused discovery
         * @description No probe that was sent is sent again.
         */
        readonly post: operations["postApiDiscoveriesByIdResume"];
    };
    readonly "/api/discoveries/{id}/stop": {
        /**
         * End a discovery
         * @description It cannot be resumed; what it found stays. Probes that were not sent go back to the quota.
         */
        readonly post: operations["postApiDiscoveriesByIdStop"];
    };
    readonly "/api/discoveries/estimate": {
        /**
         * What a discovery would do
         * @description Nothing is made. Agents are counted as they could take part now. A list of up to 64 MiB of targets goes as text, with all else as JSON in the query, `order`.
         */
        readonly post: operations["postApiDiscoveriesEstimate"];
    };
    readonly "/api/experiments": {
        /**
         * The caller's experiments
         * @description The latest first.
         */
        readonly get: operations["getApiExperiments"];
        /**
         * Start an experiment
         * @description The gateway announces with the grant, and probes, until the plan is over or it is stopped; then the prefix is withdrawn, and the grant forgotten. It is a campaign of one run, with the same id.
         */
        readonly post: operations["postApiExperiments"];
    };
    readonly "/api/experiments/{id}": {
        /**
         * Show an experiment
         * @description Its rounds, what each site catches, and how soon each change was seen where.
         */
        readonly get: operations["getApiExperimentsById"];
        /**
         * Remove an experiment
         * @description One that has ended. Its measurements stay.
         */
        readonly delete: operations["deleteApiExperimentsById"];
    };
    readonly "/api/experiments/{id}/journal": {
        /**
         * The journal of an experiment
         * @description Requests, results and observations, as they were written.
         */
        readonly get: operations["getApiExperimentsByIdJournal"];
    };
    readonly "/api/experiments/{id}/pause": {
        /**
         * Pause an experiment
         * @description Nothing more is announced or probed until it is resumed; what is announced is renewed.
         */
        readonly post: operations["postApiExperimentsByIdPause"];
    };
    readonly "/api/experiments/{id}/resume": {
        /**
         * Resume a paused experiment
         * @description The rest follows in the planned order, with the planned distances between changes.
         */
        readonly post: operations["postApiExperimentsByIdResume"];
    };
    readonly "/api/experiments/{id}/stop": {
        /**
         * End an experiment
         * @description The prefix is withdrawn everywhere within seconds, and the grant forgotten.
         */
        readonly post: operations["postApiExperimentsByIdStop"];
    };
    readonly "/api/experiments/{id}/timeline": {
        /**
         * Both planes of an experiment, in the order of their times
         * @description Times are by the controller's clock, with how sure that is. As CSV it is whole.
         */
        readonly get: operations["getApiExperimentsByIdTimeline"];
    };
    readonly "/api/experiments/check": {
        /**
         * What an experiment would do
         * @description Nothing is announced, and nothing sent. 422 `plan_refused` has all objections as `problems`.
         */
        readonly post: operations["postApiExperimentsCheck"];
    };
    readonly "/api/experiments/import": {
        /**
         * Import the journal of an experiment that ran elsewhere
         * @description `vantage experiment import` sends it. The same first line is the same experiment, anew.
         */
        readonly post: operations["postApiExperimentsImport"];
    };
    readonly "/api/limits": {
        /** The caller's limits, and the gateway's */
        readonly get: operations["getApiLimits"];
    };
    readonly "/api/login": {
        /**
         * How users log in
         * @description The issuer whose tokens are accepted, and the public client that may log users in by device code (RFC 8628).
         */
        readonly get: operations["getApiLogin"];
    };
    readonly "/api/lookup": {
        /**
         * An address of a name
         * @description One that the gateway allows as a destination, IPv6 first. The operator turns it on by context.names.
         */
        readonly get: operations["getApiLookup"];
    };
    readonly "/api/measurement/{id}/cancel": {
        /**
         * Cancel the rest of a measurement
         * @description Agents stop within 2 s. Probes that they then report as not sent are refunded to the quota of their day.
         */
        readonly post: operations["postApiMeasurementByIdCancel"];
    };
    readonly "/api/measurement/{id}/status": {
        /** The progress of a measurement */
        readonly get: operations["getApiMeasurementByIdStatus"];
    };
    readonly "/api/measurements": {
        /**
         * The caller's measurements
         * @description Newest first. When there are more, Link has the next page as rel=next.
         */
        readonly get: operations["getApiMeasurements"];
    };
    readonly "/api/measurements/{id}": {
        /**
         * Name a measurement, tag it, write a note
         * @description What is left out stays as it is; null or an empty text removes it. They count as stored bytes.
         */
        readonly patch: operations["patchApiMeasurementsById"];
    };
    readonly "/api/measurements/{id}/cancel": {
        /**
         * Cancel the rest of a measurement
         * @description Agents stop within 2 s. Probes that they then report as not sent are refunded to the quota of their day.
         */
        readonly post: operations["postApiMeasurementsByIdCancel"];
    };
    readonly "/api/measurements/{id}/catchment": {
        /**
         * Which agent received the replies to which agent's probes
         * @description By sending and receiving agent. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdCatchment"];
    };
    readonly "/api/measurements/{id}/changes": {
        /**
         * Next hops whose share of flows changed since the previous run
         * @description By destination and agent, then by run. A router counts that both runs have met; a hop is who answered a flow and TTL first. Of a campaign, replies that carry their measurement; of one measurement there is nothing. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdChanges"];
    };
    readonly "/api/measurements/{id}/events": {
        /**
         * The progress and the replies of a measurement, live
         * @description Server-sent events. `progress`: the measurement as its status has it, first and when it changes. `reply`: a reply as /replies has it, all from the first on, in the order in which they are stored. `end`: the measurement as its status has it, with the number of its `replies`, of `ambiguous_replies` and of `early_replies`, which are in none of its views, when no more can arrive. With Last-Event-ID a stream continues after that event: nothing is lost or repeated. A comment every 15 s shows that the stream is alive.
         */
        readonly get: operations["getApiMeasurementsByIdEvents"];
    };
    readonly "/api/measurements/{id}/graph": {
        /**
         * The links and nodes as one graph
         * @description One row; of more than 10000 nodes or 10000 links those of most flows. As CSV a row for each link. As `dot`, `graphml` and `svg` for the programs that read those. `with=asn,ixp,geo,rpki,name` adds what was known of each answering address on the day of the answer: docs/measure/context.md. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdGraph"];
    };
    readonly "/api/measurements/{id}/heatmap": {
        /**
         * Round-trip times over time: how many answers in each bin of time and bucket of times
         * @description At most 300 bins of time, those without an answer left out, over all answers whose round-trip time is known; buckets are 20 for each factor of ten, cut to 1 µs. Choose by agent and destination. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdHeatmap"];
    };
    readonly "/api/measurements/{id}/links": {
        /**
         * The links between routers: the routers that replied at consecutive TTLs of a flow
         * @description By TTL and address. Of several routers that answered one flow and TTL the most frequent counts; what a flow sent beyond its end does not. A silent hop between two answers is an end without an address, known by its TTL and the router before it, where the submission is in the store. `against`, another measurement, adds which links appeared since then, are gone, or are in both; agents and time are then of both. `with=asn,ixp,geo,rpki,name` adds what was known of each answering address on the day of the answer: docs/measure/context.md. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdLinks"];
    };
    readonly "/api/measurements/{id}/loss": {
        /**
         * How many of the submitted probes were answered, by agent and destination
         * @description By destination and agent. Only what was submitted counts: an answer to a probe that is not in the store is in none of the figures. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdLoss"];
    };
    readonly "/api/measurements/{id}/mtu": {
        /**
         * How large packets may be to reach each hop, and who limits them
         * @description By agent, destination, protocol and TTL, of probes with a size that no router may divide: IPv6, or IPv4 with df. Hops of several flows count together. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdMtu"];
    };
    readonly "/api/measurements/{id}/multipaths": {
        /**
         * All flows of an agent to a destination as one graph: nodes and links
         * @description By destination, agent, protocol and port; as CSV a row for each link. What a flow sent beyond its end is not in the graph; a link without `to` ends in silence. As `warts` (tracelb) for the programs that read those. At most 100 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdMultipaths"];
    };
    readonly "/api/measurements/{id}/nodes": {
        /**
         * The responding routers, with round-trip times and labels, and the silent hops between them
         * @description By TTL and address. A silent hop has no address: it is known by its TTL and the router before it. `with=asn,ixp,geo,rpki,name` adds what was known of each answering address on the day of the answer: docs/measure/context.md. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdNodes"];
    };
    readonly "/api/measurements/{id}/packets": {
        /**
         * The packets of a measurement, by agent and interface
         * @description What its agents sent and received for it, as pcap files, for a week: for measurements submitted with record_packets. An agent uploads them some seconds after its last probe.
         */
        readonly get: operations["getApiMeasurementsByIdPackets"];
    };
    readonly "/api/measurements/{id}/packets/{agent}/{interface}": {
        /** One file of packets */
        readonly get: operations["getApiMeasurementsByIdPacketsByAgentByInterface"];
    };
    readonly "/api/measurements/{id}/paths": {
        /**
         * The paths from each agent to each destination, hop by hop
         * @description By destination, agent and protocol; as CSV a row for each router of each hop. Quantiles are exact, between the two nearest values; jitter is the mean step between consecutive answers of one router to one flow and TTL; of more than 100 round-trip times rtt_samples_ms has 100 that were drawn by lot. `with=asn,ixp,geo,rpki,name,path` adds what was known of each answering address on the day of the answer: docs/measure/context.md. At most 100 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdPaths"];
    };
    readonly "/api/measurements/{id}/pings": {
        /**
         * The pings: probes of one TTL to a destination, answer by answer
         * @description By destination, agent, protocol and port: where all probes had one TTL, and the destination answered or nothing reported that the TTL was too small. As CSV without what follows `answers`; as `warts` or `atlas` for the programs that read those. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdPings"];
    };
    readonly "/api/measurements/{id}/probes": {
        /**
         * The submitted probes of a measurement, one for each agent and source
         * @description In the order of the submission. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdProbes"];
        /**
         * Add probes to an open measurement
         * @description The agents of the measurement send them after those before, to the networks of the first ones. They are charged to the quota of the measurement's day, and look as they do. Cancel with reason=finished when you have what you want.
         */
        readonly post: operations["postApiMeasurementsByIdProbes"];
    };
    readonly "/api/measurements/{id}/replies": {
        /**
         * The replies of a measurement
         * @description By time of capture; those received so far. `with=asn,ixp,geo,rpki,name` adds what was known of each answering address on the day of the answer: docs/measure/context.md. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdReplies"];
    };
    readonly "/api/measurements/{id}/series": {
        /**
         * Loss, round-trip times and paths by agent and destination, run by run
         * @description By destination and agent, then by run. Only what was submitted counts. Round-trip times are those of the destination's answers. Of a campaign, replies that carry their measurement. Of measurements whose raw rows have expired, the history has the same rows; since and until then choose whole measurements. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdSeries"];
    };
    readonly "/api/measurements/{id}/sharing": {
        /** Who may see a measurement */
        readonly get: operations["getApiMeasurementsByIdSharing"];
        /**
         * Share a measurement
         * @description `link`: anyone who has the link, until it is revoked; a repeated request replaces the link. `public`: everyone, from `public_at` on; this cannot be undone. What others can see: docs/measure/tokens.md.
         */
        readonly post: operations["postApiMeasurementsByIdSharing"];
        /**
         * Stop sharing a measurement
         * @description Revokes the link and ends an embargo; published results stay public.
         */
        readonly delete: operations["deleteApiMeasurementsByIdSharing"];
    };
    readonly "/api/measurements/{id}/sites": {
        /**
         * Which sites of a name server each agent reaches
         * @description By agent, name server and site, of answers to DNS probes. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdSites"];
    };
    readonly "/api/measurements/{id}/status": {
        /** The progress of a measurement */
        readonly get: operations["getApiMeasurementsByIdStatus"];
    };
    readonly "/api/measurements/{id}/traces": {
        /**
         * The traces: by agent, flow and destination, answer by answer
         * @description By destination, agent, protocol and ports; as CSV without what follows `answers`. As `warts`, `atlas`, `iris` or `mtr` for the programs that read those. `with=asn,ixp,geo,rpki,name,path` adds what was known of each answering address on the day of the answer: docs/measure/context.md. At most 100 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdTraces"];
    };
    readonly "/api/measurements/{id}/trend": {
        /**
         * Loss, round-trip times and path changes by hour or day, beside the week before
         * @description By time, then by destination and agent. Rows are hours when since is at most three days before the last run, else days. Counts are exact, quantiles within 1 %. Since and until choose runs by their planned time; beyond the raw rows the history is read. At most 10000 without a limit. An answer that cannot be finished ends with a closed connection, never as if it were complete.
         */
        readonly get: operations["getApiMeasurementsByIdTrend"];
    };
    readonly "/api/probes": {
        /**
         * Submit a measurement
         * @description All or nothing: of a refused submission only the reason is kept, for the operator. Bodies may be gzip and of any length; docs/operate/probing-gateway.md describes their forms, and how agents are chosen by tag, place, AS and number.
         */
        readonly post: operations["postApiProbes"];
    };
    readonly "/api/public": {
        /**
         * What is public
         * @description Measurements and campaigns, the latest first.
         */
        readonly get: operations["getApiPublic"];
    };
    readonly "/api/public/campaigns/{id}": {
        /** A campaign that is public */
        readonly get: operations["getApiPublicCampaignsById"];
    };
    readonly "/api/public/campaigns/{id}/runs": {
        /** Runs of a campaign that is public */
        readonly get: operations["getApiPublicCampaignsByIdRuns"];
    };
    readonly "/api/public/measurements/{id}": {
        /** A measurement that is public */
        readonly get: operations["getApiPublicMeasurementsById"];
    };
    readonly "/api/public/measurements/{id}/{view}": {
        /**
         * Results of a measurement that is public
         * @description Views, parameters and formats are those of /api/measurements/ID, without with=name. When it has ended, ETag names what was sent: If-None-Match is answered 304 while nothing has come.
         */
        readonly get: operations["getApiPublicMeasurementsByIdByView"];
    };
    readonly "/api/shared/{link}": {
        /** What a link is for */
        readonly get: operations["getApiSharedByLink"];
    };
    readonly "/api/shared/{link}/campaigns/{id}": {
        /** A campaign behind a link */
        readonly get: operations["getApiSharedByLinkCampaignsById"];
    };
    readonly "/api/shared/{link}/campaigns/{id}/runs": {
        /** Runs of a campaign behind a link */
        readonly get: operations["getApiSharedByLinkCampaignsByIdRuns"];
    };
    readonly "/api/shared/{link}/measurements/{id}": {
        /** A measurement behind a link */
        readonly get: operations["getApiSharedByLinkMeasurementsById"];
    };
    readonly "/api/shared/{link}/measurements/{id}/{view}": {
        /**
         * Results of a measurement behind a link
         * @description Views, parameters and formats are those of /api/measurements/ID, without with=name. When it has ended, ETag names what was sent: If-None-Match is answered 304 while nothing has come.
         */
        readonly get: operations["getApiSharedByLinkMeasurementsByIdByView"];
    };
    readonly "/api/sql": {
        /**
         * Query results in SQL
         * @description As ClickHouse's HTTP interface: the statement is the body or `query`; `param_x`, `database`, `default_format`. The token is also accepted as the password of Basic authorization, of X-ClickHouse-User and -Key, or of `user` and `password`. Failures are ClickHouse's text, with X-ClickHouse-Exception-Code.
         */
        readonly get: operations["getApiSql"];
        /**
         * Query results in SQL
         * @description As ClickHouse's HTTP interface: the statement is the body or `query`; `param_x`, `database`, `default_format`. The token is also accepted as the password of Basic authorization, of X-ClickHouse-User and -Key, or of `user` and `password`. Failures are ClickHouse's text, with X-ClickHouse-Exception-Code.
         */
        readonly post: operations["postApiSql"];
    };
    readonly "/api/sql/ping": {
        /** Whether /api/sql is served */
        readonly get: operations["getApiSqlPing"];
    };
    readonly "/api/tokens": {
        /**
         * The caller's API tokens
         * @description The newest first; those that ended stay for a month.
         */
        readonly get: operations["getApiTokens"];
        /**
         * Make an API token
         * @description For programs: it goes where a login's token goes, and gives no more than its scopes, which are never more than its user may. It is shown once. docs/measure/tokens.md.
         */
        readonly post: operations["postApiTokens"];
    };
    readonly "/api/tokens/{token}": {
        /**
         * Revoke an API token
         * @description At once, at all gateways of the database; also the tokens that it has made.
         */
        readonly delete: operations["deleteApiTokensByToken"];
    };
    readonly "/api/tokens/{token}/uses": {
        /**
         * What an API token was used for
         * @description Requests by UTC day and tool, for 90 days; some seconds late.
         */
        readonly get: operations["getApiTokensByTokenUses"];
    };
    readonly "/api/user/me": {
        /**
         * The caller's use of the UTC day
         * @description Probes x agents; unsent probes have been refunded.
         */
        readonly get: operations["getApiUserMe"];
    };
    readonly "/api/user/prefixes": {
        /**
         * The caller's own IPv6 prefix at each agent
         * @description An IPv6 source of a submission lies in one of these.
         */
        readonly get: operations["getApiUserPrefixes"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly Agent: {
            readonly asn: number | null;
            readonly config: readonly components["schemas"]["AgentConfig"][] | null;
            readonly country: string | null;
            readonly health: components["schemas"]["AgentHealth"] | null;
            /** @description Why the host of the agent does not let it send, as "paused by its host"; null = it does */
            readonly held_by_host: string | null;
            readonly id: string;
            readonly last_seen: string;
            readonly location: string | null;
            readonly online: boolean;
            readonly paused: boolean;
            readonly tags: readonly string[];
        };
        readonly AgentConfig: {
            /** @default 1000 */
            readonly batch_size?: number;
            /** @default null */
            readonly config_version?: number | null;
            /** @default false */
            readonly dry_run?: boolean;
            /** @default 0 */
            readonly instance_id?: number;
            /** @default false */
            readonly integrity_check?: boolean;
            /** @default eth0 */
            readonly interface?: string;
            /** @default null */
            readonly max_ttl?: number | null;
            /** @default null */
            readonly min_ttl?: number | null;
            /** @default null */
            readonly name?: string | null;
            /** @default 10000 */
            readonly packets?: number;
            /** @default false */
            readonly paused?: boolean;
            /** @default 1000 */
            readonly probing_rate?: number;
            /** @default None */
            readonly rate_limiting_method?: string;
            /** @default null */
            readonly src_ipv4_prefix?: ("" | string) | null;
            /** @default null */
            readonly src_ipv6_prefix?: ("" | string) | null;
        };
        readonly AgentHealth: {
            readonly details?: components["schemas"]["AgentHealthDetails"] | null;
            readonly healthy: boolean;
            readonly last_check: string | null;
            readonly message: string | null;
            readonly received_at: string | null;
        };
        readonly AgentHealthDetails: {
            readonly allows_dns?: boolean;
            readonly blocklist_version?: string | null;
            readonly broker?: components["schemas"]["AgentHealthDetailsBroker"];
            readonly capture?: components["schemas"]["AgentHealthDetailsCapture"];
            readonly clock?: components["schemas"]["AgentHealthDetailsClock"];
            readonly config_version?: number;
            readonly drops?: {
                readonly [key: string]: number;
            };
            readonly held_by_host?: string | null;
            readonly killed?: boolean;
            readonly paused?: boolean;
            readonly queues?: readonly components["schemas"]["AgentHealthDetailsQueues"][];
            readonly refused?: readonly components["schemas"]["AgentHealthDetailsRefused"][];
            readonly report_interval_ms?: number;
            readonly sends_shapes?: boolean;
            /** Format: date-time */
            readonly started_at?: string;
            readonly version?: string;
        };
        readonly AgentHealthDetailsBroker: {
            readonly lag_records: number | null;
            readonly readable: boolean;
            readonly spool_bytes: number;
            readonly writable: boolean;
        };
        readonly AgentHealthDetailsCapture: {
            readonly dropped: number;
            readonly received: number;
            /** @enum {string} */
            readonly state: "running" | "degraded" | "down";
        };
        readonly AgentHealthDetailsClock: {
            readonly offset_ms: number | null;
            readonly steps: number;
            /** @default null */
            readonly within_ms?: number | null;
        };
        readonly AgentHealthDetailsQueues: {
            readonly depth: number;
            readonly depth_max: number;
            readonly name: string;
        };
        readonly AgentHealthDetailsRefused: {
            readonly instance: string;
            readonly key: string;
            readonly reason: string;
        };
        readonly Alert: {
            /** @description Empty: the alert is about the route to the destination */
            readonly agent: string;
            readonly campaign: string;
            /** Format: uuid */
            readonly campaign_id: string;
            readonly cleared_at: string | null;
            readonly cleared_reason: string | null;
            readonly cleared_run: number | null;
            /** @description Empty: the alert is about the agent itself */
            readonly destination: string;
            readonly detector: string;
            /** @description What it starts; null = nothing */
            readonly follow_up: ("trace" | "ping" | "discover") | null;
            /** @description Of the measurement or, with `discover`, the discovery */
            readonly follow_up_id: string | null;
            /** @description Why it was refused */
            readonly follow_up_reason: string | null;
            readonly follow_up_state: ("due" | "started" | "refused") | null;
            /** Format: uuid */
            readonly id: string;
            /** Format: date-time */
            readonly raised_at: string;
            readonly raised_run: number;
            readonly reason: string;
            readonly threshold: number | null;
            /** @description The value that triggered it: docs/measure/campaigns.md */
            readonly value: number | null;
        };
        readonly Campaign: {
            /** Format: date-time */
            readonly created_at: string;
            readonly current_run: number | null;
            /** @description Runs that were measured */
            readonly done: number;
            readonly ended_at: string | null;
            readonly ended_reason: string | null;
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly next_at: string | null;
            readonly next_run: number;
            /** @description Runs that were missed, refused, or skipped */
            readonly not_done: number;
            /** @enum {string} */
            readonly phase: "active" | "paused" | "ended";
            readonly probes_per_day: number;
            readonly revision: number;
            readonly stopped_because: string | null;
        };
        readonly CampaignDetail: {
            /** Format: date-time */
            readonly created_at: string;
            readonly current_run: number | null;
            readonly definition: {
                readonly [key: string]: unknown;
            };
            /** @description Runs that were measured */
            readonly done: number;
            readonly ended_at: string | null;
            readonly ended_reason: string | null;
            readonly events?: components["schemas"]["CampaignDetailEvents"];
            readonly follow_ups: components["schemas"]["CampaignDetailFollowUps"];
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly next_at: string | null;
            readonly next_run: number;
            /** @description Runs that were missed, refused, or skipped */
            readonly not_done: number;
            /** @enum {string} */
            readonly phase: "active" | "paused" | "ended";
            readonly probes: string;
            readonly probes_per_day: number;
            readonly revision: number;
            readonly stopped_because: string | null;
        };
        /** @description What started runs by `on`; cut: beyond on.per_hour */
        readonly CampaignDetailEvents: {
            readonly cut: number;
            readonly last_cut_at: string | null;
            readonly taken: number;
            readonly waiting: number;
        };
        /** @description Of the alerts of the last 90 days: docs/measure/campaigns.md */
        readonly CampaignDetailFollowUps: {
            readonly refused: number;
            readonly started: number;
        };
        readonly CampaignEstimate: {
            /** @description Those that would take part now */
            readonly agents: number;
            readonly first_at: string | null;
            readonly last_at: string | null;
            /**
             * @description The first runs, at most five
             * @default []
             */
            readonly next_runs?: readonly string[];
            readonly probes: number | null;
            readonly probes_per_day: number;
            readonly probes_per_run: number;
            /**
             * @description The first run that exceeds its day's quota; null: all fit, as of now
             * @default null
             */
            readonly quota_ends_at?: string | null;
            readonly quota_per_day: number;
            readonly quota_share: number;
            /** @description Null: endless, or more than an estimate covers */
            readonly runs: number | null;
            /** @description On the busiest UTC day */
            readonly runs_per_day: number;
        };
        readonly CampaignMade: {
            readonly campaign: components["schemas"]["Campaign"];
            readonly estimate: components["schemas"]["CampaignEstimate"];
        };
        readonly CampaignOrder: {
            readonly agents: string | readonly string[];
            readonly alerts?: components["schemas"]["CampaignOrderAlerts"];
            readonly cron?: string;
            readonly df?: boolean;
            readonly discover?: components["schemas"]["CampaignOrderDiscover"];
            /** @enum {string} */
            readonly dns?: "hostname.bind" | "id.server" | "nsid";
            readonly dscp?: string | number;
            readonly dst_port?: number;
            /** @enum {string} */
            readonly ecn?: "not-ect" | "ect1" | "ect0" | "ce";
            readonly every?: number | string;
            readonly flow_label?: number;
            readonly flows?: number;
            readonly follow_up?: components["schemas"]["CampaignOrderFollowUp"];
            /** @default false */
            readonly forever?: boolean;
            readonly max_runs?: number;
            readonly name: string;
            readonly on?: components["schemas"]["CampaignOrderOn"];
            /**
             * @default skip
             * @enum {string}
             */
            readonly on_missed?: "skip" | "once";
            /**
             * @default skip
             * @enum {string}
             */
            readonly overlap?: "skip" | "queue";
            readonly packets?: number;
            readonly per_prefix?: number;
            readonly probes?: string | readonly string[];
            /** @enum {string} */
            readonly protocol?: "udp" | "icmp" | "icmpv6" | "tcp";
            readonly seed?: number;
            readonly size?: number;
            readonly slip?: number | string;
            readonly spread?: number | string;
            readonly src_port?: number;
            readonly start?: string;
            readonly stop?: string;
            readonly targets?: string | readonly string[];
            readonly ttl?: number | string;
            readonly zone?: string;
        };
        readonly CampaignOrderAlerts: {
            /** @default [] */
            readonly deliveries?: readonly (components["schemas"]["CampaignOrderAlertsDeliveries"] | components["schemas"]["CampaignOrderAlertsDeliveries2"])[];
            readonly detectors?: components["schemas"]["CampaignOrderAlertsDetectors"];
            readonly follow_up?: components["schemas"]["CampaignOrderAlertsFollowUp"];
            /** @default false */
            readonly routes?: boolean;
        };
        readonly CampaignOrderAlertsDeliveries: {
            /** @enum {string} */
            readonly format?: "slack" | "mattermost" | "matrix" | "discord" | "pagerduty" | "alertmanager";
            readonly secret?: string;
            readonly template?: string;
            readonly webhook: string;
        };
        readonly CampaignOrderAlertsDeliveries2: {
            readonly email: string;
        };
        readonly CampaignOrderAlertsDetectors: {
            readonly loop?: components["schemas"]["CampaignOrderAlertsDetectorsTruncation"];
            readonly loss?: components["schemas"]["CampaignOrderAlertsDetectorsLoss"];
            readonly new_as?: components["schemas"]["CampaignOrderAlertsDetectorsNewLink"];
            readonly new_link?: components["schemas"]["CampaignOrderAlertsDetectorsNewLink"];
            readonly next_hops?: components["schemas"]["CampaignOrderAlertsDetectorsNextHops"];
            readonly rtt?: components["schemas"]["CampaignOrderAlertsDetectorsRtt"];
            readonly silence?: components["schemas"]["CampaignOrderAlertsDetectorsTruncation"];
            readonly truncation?: components["schemas"]["CampaignOrderAlertsDetectorsTruncation"];
        };
        readonly CampaignOrderAlertsDetectorsLoss: {
            /** @default 3 */
            readonly runs?: number;
            /** @default 10 */
            readonly threshold_percent?: number;
        };
        readonly CampaignOrderAlertsDetectorsNewLink: {
            /** @default 3 */
            readonly of?: number;
            /** @default 2 */
            readonly raise?: number;
            /** @default 12 */
            readonly settle?: number | null;
        };
        readonly CampaignOrderAlertsDetectorsNextHops: {
            /** @default -0.25 */
            readonly correlation?: number;
            /** @default 3 */
            readonly of?: number;
            /** @default 2 */
            readonly raise?: number;
            /** @default 12 */
            readonly settle?: number | null;
        };
        readonly CampaignOrderAlertsDetectorsRtt: {
            /** @default 1 */
            readonly gap_ms?: number;
            /** @default 10 */
            readonly gap_percent?: number;
            /** @default 3 */
            readonly of?: number;
            /** @default 2 */
            readonly raise?: number;
            /** @default 12 */
            readonly settle?: number | null;
        };
        readonly CampaignOrderAlertsDetectorsTruncation: {
            /** @default 3 */
            readonly of?: number;
            /** @default 2 */
            readonly raise?: number;
            /** @default null */
            readonly settle?: number | null;
        };
        readonly CampaignOrderAlertsFollowUp: {
            readonly agents?: readonly string[];
            /** @enum {string} */
            readonly measure: "trace" | "ping" | "discover";
            /** @default 2000 */
            readonly probes_per_day?: number;
        };
        readonly CampaignOrderDiscover: {
            readonly budget_prefixes?: number;
            /** @default 95 */
            readonly confidence?: number;
            /** @default 1024 */
            readonly flows_max?: number;
            /** @default 5 */
            readonly gap_limit?: number;
            /** @default 8 */
            readonly near_ttl?: number;
            /** @default 100000 */
            readonly part_probes?: number;
            readonly probes_max?: number;
            /** @default 1000 */
            readonly rate?: number;
            /** @default 100 */
            readonly rounds_max?: number;
            /** @default 10 */
            readonly router_rate?: number;
            /** @default 10 */
            readonly settle?: number;
            /** @default 16 */
            readonly split_ttl?: number;
            /**
             * @default shared
             * @enum {string}
             */
            readonly strategy?: "shared" | "diamond-miner" | "mda" | "paris";
            /** @default 24 */
            readonly subnet_ipv4?: number;
            /** @default 64 */
            readonly subnet_ipv6?: number;
        };
        readonly CampaignOrderFollowUp: {
            /** @default 1000 */
            readonly at_most?: number;
            /** @default 3 */
            readonly packets?: number;
            /** @enum {string} */
            readonly ping: "responders";
        };
        readonly CampaignOrderOn: {
            readonly alert?: string;
            readonly detectors?: readonly string[];
            readonly ended?: string;
            /** @default 6 */
            readonly per_hour?: number;
            /** @constant */
            readonly webhook?: true;
        };
        readonly Cancelled: {
            readonly agents_cancelled: number;
            readonly cancelled: boolean;
            readonly measurement_cancelled: boolean;
            /** Format: uuid */
            readonly measurement_id: string;
            readonly message: string;
        };
        readonly ChangesRow: {
            readonly agent: string;
            readonly destination: string;
            /** @description from the router to this next hop */
            readonly flows: number;
            /** @description in the previous run */
            readonly flows_before: number;
            readonly measurement_id: string;
            readonly next_hop: string;
            readonly planned_at: string | null;
            readonly router: string;
            /** @description of the campaign; null = of none */
            readonly run: number | null;
            readonly share_before_percent: number;
            /** @description of all the router's flows with a responding next hop */
            readonly share_percent: number;
        };
        readonly GetApiDiscoveries: {
            /** @description Whether no prefix needed more probes at the end; null: it has not ended */
            readonly complete: boolean | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly ended_at: string | null;
            /**
             * Format: uuid
             * @description The same as its campaign's
             */
            readonly id: string;
            /** @description Between two routers; links to destinations, which the view `links` has too, are not counted */
            readonly links: number | null;
            readonly name: string;
            /** @description Routers; destinations are not counted */
            readonly nodes: number | null;
            readonly probes_max: number;
            readonly probes_planned: number;
            /** @description Expected, if rounds continue to shrink as the last two did; null: unknown */
            readonly probes_rest: number | null;
            readonly probes_sent: number;
            /** @description Why the run failed, or ended before all was found: `budget used up`, `rounds used up`, … */
            readonly reason: string | null;
            /** @description The newest that was computed; null: none yet */
            readonly round: number | null;
            /** @description The newest run, to which the figures apply */
            readonly run: number | null;
            readonly run_state: string | null;
            /** @enum {string} */
            readonly state: "running" | "paused" | "ended";
            readonly strategy: string;
            /** @description Prefixes x agents that wanted probes in that round */
            readonly units: number | null;
        };
        readonly GetApiDiscoveriesById: {
            /** @description Whether no prefix needed more probes at the end; null: it has not ended */
            readonly complete: boolean | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly definition: {
                readonly [key: string]: unknown;
            };
            readonly ended_at: string | null;
            /**
             * Format: uuid
             * @description The same as its campaign's
             */
            readonly id: string;
            /** @description Between two routers; links to destinations, which the view `links` has too, are not counted */
            readonly links: number | null;
            /** @description Parts, at most 1000, the first ones first */
            readonly measurement_ids: readonly string[];
            readonly name: string;
            /** @description Routers; destinations are not counted */
            readonly nodes: number | null;
            readonly probes_max: number;
            readonly probes_planned: number;
            /** @description Expected, if rounds continue to shrink as the last two did; null: unknown */
            readonly probes_rest: number | null;
            readonly probes_sent: number;
            /** @description Why the run failed, or ended before all was found: `budget used up`, `rounds used up`, … */
            readonly reason: string | null;
            /** @description The newest that was computed; null: none yet */
            readonly round: number | null;
            readonly rounds: readonly components["schemas"]["GetApiDiscoveriesByIdRounds"][];
            /** @description The newest run, to which the figures apply */
            readonly run: number | null;
            readonly run_state: string | null;
            /** @description Prefixes of each agent, where each has a budget; else none */
            readonly shares: readonly {
                readonly agent: string;
                readonly prefixes: number;
            }[];
            /** @enum {string} */
            readonly state: "running" | "paused" | "ended";
            readonly strategy: string;
            /** @description Prefixes x agents that wanted probes in that round */
            readonly units: number | null;
        };
        readonly GetApiDiscoveriesByIdRounds: {
            /** Format: date-time */
            readonly computed_at: string;
            /** @description Between two routers, found before it; above 16,384 estimated, to 1 % or so */
            readonly links: number;
            /** @description Routers, likewise */
            readonly nodes: number;
            /** @description The planned number */
            readonly probes: number;
            readonly round: number;
            readonly sent: number;
            /** @description Prefixes x agents that needed probes */
            readonly units: number;
        };
        readonly GetApiExperiments: {
            /** @description Actions in its plan */
            readonly actions: number;
            /** Format: date-time */
            readonly begun_at: string;
            readonly bytes: number;
            readonly ended_at: string | null;
            readonly entries: number;
            /** @description The grant that it announces with; null = it ran elsewhere, or has ended */
            readonly grant_id: string | null;
            /**
             * Format: date-time
             * @description Last update
             */
            readonly heard_at: string;
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly prefix: string;
            /** @description Why it has ended: finished, stopped, interrupted, … */
            readonly reason: string | null;
            /**
             * @description silent: no gateway has run it for two minutes, and its announcements have ended
             * @enum {string}
             */
            readonly state: "running" | "paused" | "silent" | "ended";
        };
        readonly GetApiLimitsProbesPerDay: {
            readonly limit: number;
            readonly remaining: number;
            readonly resets_in_seconds: number;
            readonly used: number;
        };
        readonly GetApiMeasurementsByIdPathsAsPaths: {
            readonly bgp: readonly number[] | null;
            readonly difference: ("equal" | "extra" | "missing" | "different") | null;
            readonly extra_asns: readonly number[];
            readonly flows: readonly number[];
            readonly missing_asns: readonly number[];
            readonly traced: string;
        };
        readonly GetApiMeasurementsByIdPingsReplies: {
            /** @description agent that captured the answer */
            readonly agent_id: string;
            /** @description IPv4 total length, IPv6 payload length */
            readonly probe_size: number;
            /** @description source of the probe */
            readonly probe_src_addr: string;
            /** @description TTL that the probe was sent with */
            readonly probe_ttl: number;
            /** @description ICMP code; of TCP its flags, of DNS its response code */
            readonly reply_icmp_code: number;
            /** @description ICMP type of the answer */
            readonly reply_icmp_type: number;
            /** @description IPv4 identification of the answer; IPv6: 0 */
            readonly reply_id: number;
            /** @description MPLS label stack, top first */
            readonly reply_mpls_labels: readonly components["schemas"]["GetApiMeasurementsByIdRepliesReplyMplsLabels"][];
            /** @description MTU that the router reports of its next hop; 0 without one */
            readonly reply_next_hop_mtu?: number;
            /** @description protocol of the answer */
            readonly reply_protocol: number;
            /** @description DSCP (upper 6 bits) and ECN in the packet that is quoted */
            readonly reply_quoted_traffic_class?: number;
            /** @description TTL in the packet that is quoted */
            readonly reply_quoted_ttl: number;
            /** @description IPv4 total length, IPv6 payload length */
            readonly reply_size: number;
            /** @description source of the answer */
            readonly reply_src_addr: string;
            /** @description TTL (hop limit) of the answer */
            readonly reply_ttl: number;
            /** @description round-trip time; null when it is not known */
            readonly rtt_ms: number | null;
            /** @description round-trip time; null when it is known to 0.1 ms only, or not at all */
            readonly rtt_us?: number | null;
            /** @description capture time, UTC */
            readonly time_received: string;
        };
        readonly GetApiMeasurementsByIdRepliesGeo: {
            readonly city: string | null;
            readonly country: string | null;
            readonly lat: number | null;
            readonly lon: number | null;
            readonly radius_km: number | null;
        };
        readonly GetApiMeasurementsByIdRepliesReplyMplsLabels: {
            readonly bottom_of_stack: boolean;
            readonly exp: number;
            readonly label: number;
            readonly ttl: number;
        };
        readonly GetApiMeasurementsByIdRepliesSource: {
            readonly bgp: string | null;
            readonly geo: string | null;
            readonly set: string;
        };
        readonly GetApiMeasurementsByIdSharing: {
            readonly citation: string | null;
            readonly contact: string | null;
            readonly has_link: boolean;
            /** @description When an operator hid it from everyone but its user */
            readonly hidden_at: string | null;
            readonly hidden_because: string | null;
            /** @description As an SPDX identifier, or in words */
            readonly licence: string | null;
            /** @description Path of the link, shown once; the previous link no longer works */
            readonly link?: string;
            /** @description Path of its console page, also shown once */
            readonly page?: string;
            readonly public_at: string | null;
            /**
             * @description embargoed: public from public_at on
             * @enum {string}
             */
            readonly visibility: "private" | "link" | "embargoed" | "public";
        };
        readonly GetApiMeasurementsByIdTracesProbes: {
            readonly sent: number;
            readonly ttl: number;
        };
        readonly GetApiPublic: {
            readonly citation: string | null;
            readonly contact: string | null;
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly kind: "measurement" | "campaign";
            /** @description As an SPDX identifier, or in words */
            readonly licence: string | null;
            /** @description The user's name for it */
            readonly name: string | null;
            readonly public_at: string | null;
            /** Format: date-time */
            readonly started_at: string;
            /** @description Of a measurement */
            readonly tags: readonly string[];
            /** @description The name; for a measurement without one, a summary */
            readonly title: string;
        };
        readonly GetApiPublicCampaignsById: {
            readonly citation: string | null;
            readonly contact: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly done: number;
            readonly ended_at: string | null;
            /** Format: uuid */
            readonly id: string;
            /** @description As an SPDX identifier, or in words */
            readonly licence: string | null;
            readonly name: string;
            readonly next_at: string | null;
            readonly not_done: number;
            /** @enum {string} */
            readonly phase: "active" | "paused" | "ended";
            readonly public_at: string | null;
        };
        readonly GetApiPublicCampaignsByIdRuns: {
            readonly ended_at: string | null;
            /** @description Each has this campaign's visibility */
            readonly measurements: readonly string[];
            /** Format: date-time */
            readonly planned_at: string;
            readonly run: number;
            readonly state: string;
        };
        readonly GetApiPublicMeasurementsById: {
            readonly agents: readonly components["schemas"]["MeasurementStatusAgents"][];
            readonly citation: string | null;
            readonly completed_agents: number;
            readonly contact: string | null;
            /** @description Distinct ones; null = more than could be counted, or from an earlier version */
            readonly destinations: number | null;
            readonly ended_at: string | null;
            /** @description Complete because the results were sufficient: the rest was cancelled */
            readonly finished_early: boolean;
            /** @description trace = probes with several TTLs, ping = with one; null = from an earlier version */
            readonly kind: ("trace" | "ping") | null;
            /** Format: date-time */
            readonly last_updated: string;
            /** @description As an SPDX identifier, or in words */
            readonly licence: string | null;
            readonly measurement_cancelled: boolean;
            readonly measurement_complete: boolean;
            /** Format: uuid */
            readonly measurement_id: string;
            readonly name: string | null;
            /** Format: date-time */
            readonly not_after: string;
            readonly probes: number;
            readonly public_at: string | null;
            readonly published_probes: number;
            /** Format: date-time */
            readonly started_at: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "complete" | "cancelled" | "failed" | "expired";
            readonly tags: readonly string[];
            /** @description Its name; without one what it is about: UDP traces to 203.0.113.10 from west, 8 flows */
            readonly title: string;
            readonly total_agents: number;
            readonly total_expected_probes: number;
            readonly total_failed_probes: number;
            readonly total_held_probes: number;
            readonly total_received_replies: number;
            readonly total_sent_probes: number;
        };
        readonly GraphRow: {
            /** @description common properties of the replies: docs/measure/results.md */
            readonly alias_hints: readonly components["schemas"]["GraphRowAliasHints"][];
            /** @description there are more than 10000 nodes or 10000 links; only those with most flows are included */
            readonly is_cut: boolean;
            readonly link_count: number;
            readonly links: readonly components["schemas"]["GraphRowLinks"][];
            readonly node_count: number;
            readonly nodes: readonly components["schemas"]["GraphRowNodes"][];
            /** @description between two responding routers, as a discovery counts its links */
            readonly router_link_count: number;
            readonly silent_count: number;
        };
        readonly GraphRowAliasHints: {
            /** @description that may belong to one router: a hint, not proof */
            readonly addresses: readonly string[];
            readonly rests_on: readonly ("ip_id" | "labels" | "reply_ttl")[];
        };
        readonly GraphRowLinks: {
            /** @description that sent them */
            readonly agents: number;
            /** @description of these flows */
            readonly destinations: number;
            /** @description when both ends had replied */
            readonly first_seen: string | null;
            /** @description over this link */
            readonly flows: number;
            /** @description id of a node */
            readonly from: string;
            /** @description of the near end, the lowest */
            readonly near_ttl: number;
            /** @description the highest */
            readonly near_ttl_max: number;
            readonly to: string;
        };
        readonly GraphRowNodes: {
            /** @description null: a silent hop */
            readonly address: (string) | null;
            /** @description that sent them */
            readonly agents: number;
            /** @description of this router */
            readonly answers: number;
            /** @description of asn */
            readonly as_name?: string | null;
            /** @description the member at an exchange, else the origin in BGP, else of a database */
            readonly asn?: number | null;
            /** @description where asn is from; private: an address of no public network */
            readonly asn_source?: ("exchange" | "bgp" | "database" | "private") | null;
            /** @description of these flows */
            readonly destinations: number;
            /** @description its first reply */
            readonly first_seen: string | null;
            /** @description over this link */
            readonly flows: number;
            /** @description a database's guess */
            readonly geo?: components["schemas"]["GetApiMeasurementsByIdRepliesGeo"] | null;
            /** @description the address; of a silent hop its TTL, and the router before it */
            readonly id: string;
            /** @description a probe's destination */
            readonly is_destination: boolean;
            /** @description exchange on whose LAN the address is */
            readonly ixp?: {
                readonly id: number;
                readonly name: string;
            } | null;
            /** @description its last reply */
            readonly last_seen: string | null;
            /** @description the last stack, top first */
            readonly mpls_labels: readonly components["schemas"]["GetApiMeasurementsByIdRepliesReplyMplsLabels"][];
            /** @description by reverse DNS */
            readonly name?: string | null;
            /** @description AS of the router with this address, by its path; it need not be the origin of the address */
            readonly owner_asn?: number | null;
            readonly reply_ttl_max: number;
            /** @description of its answers */
            readonly reply_ttl_min: number;
            /** @description state of the announced prefix and its origin */
            readonly rpki?: ("valid" | "invalid" | "unknown") | null;
            readonly rtt_max_ms: number | null;
            readonly rtt_median_ms: number | null;
            readonly rtt_min_ms: number | null;
            /** @description of a silent hop: the last router before it */
            readonly silent_after: (string) | null;
            /** @description days of the set, and of its files */
            readonly source?: components["schemas"]["GetApiMeasurementsByIdRepliesSource"] | null;
            /** @description the lowest at which it replied */
            readonly ttl: number;
            /** @description the highest */
            readonly ttl_max: number;
        };
        readonly HeatmapRow: {
            /** @description those with replies, ascending; in CSV `rtt_from_ms:replies`, `|` between them */
            readonly buckets: readonly components["schemas"]["HeatmapRowBuckets"][];
            /** @description with a known time */
            readonly replies: number;
            /** @description the lowest time that at least half of them do not exceed */
            readonly rtt_median_ms: number;
            /** @description the lowest time that at least 5 % of them do not exceed */
            readonly rtt_p5_ms: number;
            /** @description the lowest time that at least 95 % of them do not exceed */
            readonly rtt_p95_ms: number;
            /** @description where the bin begins */
            readonly time: string;
            /** @description the same for all bins */
            readonly width_ms: number;
        };
        readonly HeatmapRowBuckets: {
            readonly replies: number;
            readonly rtt_from_ms: number;
            readonly rtt_to_ms: number;
        };
        readonly LinkRow: {
            /** @description that sent them */
            readonly agents: number;
            /** @description of these flows */
            readonly destinations: number;
            /** @description of these */
            readonly destinations_before?: number;
            /** @description router that replied at the next TTL; null: none */
            readonly far_addr: (string) | null;
            readonly far_context?: components["schemas"]["LinkRowNearContext"];
            /** @description when both ends had replied */
            readonly first_seen: string | null;
            /** @description over this link */
            readonly flows: number;
            /** @description in the other measurement */
            readonly flows_before?: number;
            /** @description null: a silent hop */
            readonly near_addr: (string) | null;
            readonly near_context?: components["schemas"]["LinkRowNearContext"];
            /** @description of the near end, the lowest */
            readonly near_ttl: number;
            /** @description the highest */
            readonly near_ttl_max: number;
            /** @description the last router before a silent end; null if both ends replied */
            readonly silent_after: (string) | null;
            /**
             * @description appeared, gone, or in both measurements
             * @enum {string}
             */
            readonly state?: "appeared" | "gone" | "both";
        };
        readonly LinkRowNearContext: {
            /** @description of asn */
            readonly as_name?: string | null;
            /** @description the member at an exchange, else the origin in BGP, else of a database */
            readonly asn?: number | null;
            /** @description where asn is from; private: an address of no public network */
            readonly asn_source?: ("exchange" | "bgp" | "database" | "private") | null;
            /** @description a database's guess */
            readonly geo?: components["schemas"]["GetApiMeasurementsByIdRepliesGeo"] | null;
            /** @description exchange on whose LAN the address is */
            readonly ixp?: {
                readonly id: number;
                readonly name: string;
            } | null;
            /** @description by reverse DNS */
            readonly name?: string | null;
            /** @description AS of the router with this address, by its path; it need not be the origin of the address */
            readonly owner_asn?: number | null;
            /** @description state of the announced prefix and its origin */
            readonly rpki?: ("valid" | "invalid" | "unknown") | null;
            /** @description days of the set, and of its files */
            readonly source?: components["schemas"]["GetApiMeasurementsByIdRepliesSource"] | null;
        };
        readonly Measurement: {
            readonly completed_agents: number;
            /** @description Distinct ones; null = more than could be counted, or from an earlier version */
            readonly destinations: number | null;
            readonly ended_at: string | null;
            /** @description Complete because the results were sufficient: the rest was cancelled */
            readonly finished_early: boolean;
            /** @description With fold=true: measurements of its campaign that it stands for, itself among them */
            readonly folded_runs?: number;
            /** @description trace = probes with several TTLs, ping = with one; null = from an earlier version */
            readonly kind: ("trace" | "ping") | null;
            /** Format: date-time */
            readonly last_updated: string;
            readonly measurement_cancelled: boolean;
            readonly measurement_complete: boolean;
            /** Format: uuid */
            readonly measurement_id: string;
            readonly name: string | null;
            /** Format: date-time */
            readonly not_after: string;
            readonly note: string | null;
            readonly origin: components["schemas"]["MeasurementOrigin"];
            readonly probes: number;
            readonly published_probes: number;
            /** Format: date-time */
            readonly started_at: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "complete" | "cancelled" | "failed" | "expired";
            readonly tags: readonly string[];
            /** @description Its name; without one what it is about: UDP traces to 203.0.113.10 from west, 8 flows */
            readonly title: string;
            readonly total_agents: number;
            readonly total_expected_probes: number;
            readonly total_failed_probes: number;
            readonly total_held_probes: number;
            readonly total_received_replies: number;
            readonly total_sent_probes: number;
        };
        readonly MeasurementOrigin: {
            /** @description The campaign or discovery, also after it was removed */
            readonly campaign_id: string | null;
            /** @enum {string} */
            readonly kind: "command" | "console" | "program" | "token" | "campaign" | "discovery";
            /** @description Of a discovery */
            readonly round: number | null;
            readonly run: number | null;
            /** @description In words: vantage trace, campaign nightly run 12 */
            readonly text: string;
            /** @description The API token that submitted it */
            readonly token_id: string | null;
        };
        readonly MeasurementStatus: {
            readonly agents: readonly components["schemas"]["MeasurementStatusAgents"][];
            readonly completed_agents: number;
            /** @description Distinct ones; null = more than could be counted, or from an earlier version */
            readonly destinations: number | null;
            readonly ended_at: string | null;
            /** @description Complete because the results were sufficient: the rest was cancelled */
            readonly finished_early: boolean;
            /** @description With fold=true: measurements of its campaign that it stands for, itself among them */
            readonly folded_runs?: number;
            /** @description trace = probes with several TTLs, ping = with one; null = from an earlier version */
            readonly kind: ("trace" | "ping") | null;
            /** Format: date-time */
            readonly last_updated: string;
            readonly measurement_cancelled: boolean;
            readonly measurement_complete: boolean;
            /** Format: uuid */
            readonly measurement_id: string;
            readonly name: string | null;
            /** Format: date-time */
            readonly not_after: string;
            readonly note: string | null;
            readonly origin: components["schemas"]["MeasurementOrigin"];
            readonly probes: number;
            readonly published_probes: number;
            /** Format: date-time */
            readonly started_at: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "complete" | "cancelled" | "failed" | "expired";
            readonly tags: readonly string[];
            /** @description Its name; without one what it is about: UDP traces to 203.0.113.10 from west, 8 flows */
            readonly title: string;
            readonly total_agents: number;
            readonly total_expected_probes: number;
            readonly total_failed_probes: number;
            readonly total_held_probes: number;
            readonly total_received_replies: number;
            readonly total_sent_probes: number;
        };
        readonly MeasurementStatusAgents: {
            readonly agent_id: string;
            readonly cancelled: boolean;
            readonly credited_probes: number | null;
            readonly error: string | null;
            readonly expected_probes: number;
            readonly failed_probes: number;
            /** @description Why it waits: what the host of the agent does not allow, as "paused by its host" */
            readonly held_by_host: string | null;
            readonly held_probes: number;
            readonly is_complete: boolean;
            readonly received_replies: number;
            readonly sent_probes: number;
            /** @enum {string} */
            readonly status: "queued" | "running" | "complete" | "cancelled" | "failed" | "expired";
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly NodeRow: {
            /** @description null: a silent hop */
            readonly address: (string) | null;
            /** @description that sent them */
            readonly agents: number;
            /** @description of this router */
            readonly answers: number;
            /** @description of asn */
            readonly as_name?: string | null;
            /** @description the member at an exchange, else the origin in BGP, else of a database */
            readonly asn?: number | null;
            /** @description where asn is from; private: an address of no public network */
            readonly asn_source?: ("exchange" | "bgp" | "database" | "private") | null;
            /** @description of these flows */
            readonly destinations: number;
            /** @description its first reply */
            readonly first_seen: string | null;
            /** @description over this link */
            readonly flows: number;
            /** @description a database's guess */
            readonly geo?: components["schemas"]["GetApiMeasurementsByIdRepliesGeo"] | null;
            /** @description a probe's destination */
            readonly is_destination: boolean;
            /** @description exchange on whose LAN the address is */
            readonly ixp?: {
                readonly id: number;
                readonly name: string;
            } | null;
            /** @description its last reply */
            readonly last_seen: string | null;
            /** @description the last stack, top first */
            readonly mpls_labels: readonly components["schemas"]["GetApiMeasurementsByIdRepliesReplyMplsLabels"][];
            /** @description by reverse DNS */
            readonly name?: string | null;
            /** @description AS of the router with this address, by its path; it need not be the origin of the address */
            readonly owner_asn?: number | null;
            readonly reply_ttl_max: number;
            /** @description of its answers */
            readonly reply_ttl_min: number;
            /** @description state of the announced prefix and its origin */
            readonly rpki?: ("valid" | "invalid" | "unknown") | null;
            readonly rtt_max_ms: number | null;
            readonly rtt_median_ms: number | null;
            readonly rtt_min_ms: number | null;
            /** @description of a silent hop: the last router before it */
            readonly silent_after: (string) | null;
            /** @description days of the set, and of its files */
            readonly source?: components["schemas"]["GetApiMeasurementsByIdRepliesSource"] | null;
            /** @description the lowest at which it replied */
            readonly ttl: number;
            /** @description the highest */
            readonly ttl_max: number;
        };
        readonly PostApiDiscoveriesEstimate: {
            readonly agents: string | readonly string[];
            readonly discover?: components["schemas"]["PostApiDiscoveriesEstimateDiscover"];
            readonly dst_port?: number;
            readonly name?: string;
            /** @enum {string} */
            readonly protocol?: "udp" | "icmp" | "icmpv6" | "tcp";
            readonly seed?: number;
            readonly src_port?: number;
            readonly targets: unknown;
            readonly ttl?: number | string;
        };
        readonly PostApiDiscoveriesEstimate2: {
            /** @description Those that would take part now */
            readonly agents: number;
            /** @description Nested targets, covered by the ones around them */
            readonly contained: number;
            /** @description At these rates, including the wait for replies */
            readonly first_round_sec: number;
            /** @description The first ten of them */
            readonly left_out: readonly {
                readonly reason: string;
                readonly subnet: string;
            }[];
            /** @description Not probed, because some of their addresses must not be, by lists of the platform */
            readonly left_out_subnets: number;
            /** @description For probes_max in rounds_max rounds, at that rate; known routers may hold it up further */
            readonly longest_sec: number;
            /** @description Units that are discovered separately */
            readonly prefixes: number;
            /** @description Prefixes that each agent probes: its budget, or all */
            readonly prefixes_each: number;
            /** @description Prefixes beyond all agents' budgets, at least */
            readonly prefixes_left: number;
            /** @description For the whole run, estimated from simulated networks; real routes may need many more */
            readonly probes_expected: number;
            /** @description Of all agents */
            readonly probes_first_round: number;
            /** @description Hard limit; if it is below probes_expected, the run likely ends before everything is found */
            readonly probes_max: number;
            readonly quota_per_day: number;
            /** @description probes_max / quota_per_day */
            readonly quota_share: number;
            /** @description Packets a second, of each agent */
            readonly rate: number;
            readonly rounds_max: number;
            /** @description Packets a second to a router, of each agent */
            readonly router_rate: number;
            readonly strategy: string;
            readonly subnets: number;
        };
        /** @default {} */
        readonly PostApiDiscoveriesEstimateDiscover: {
            readonly budget_prefixes?: number;
            /** @default 95 */
            readonly confidence?: number;
            /** @default 1024 */
            readonly flows_max?: number;
            /** @default 5 */
            readonly gap_limit?: number;
            /** @default 8 */
            readonly near_ttl?: number;
            /** @default 100000 */
            readonly part_probes?: number;
            readonly probes_max?: number;
            /** @default 1000 */
            readonly rate?: number;
            /** @default 100 */
            readonly rounds_max?: number;
            /** @default 10 */
            readonly router_rate?: number;
            /** @default 10 */
            readonly settle?: number;
            /** @default 16 */
            readonly split_ttl?: number;
            /**
             * @default shared
             * @enum {string}
             */
            readonly strategy?: "shared" | "diamond-miner" | "mda" | "paris";
            /** @default 24 */
            readonly subnet_ipv4?: number;
            /** @default 64 */
            readonly subnet_ipv6?: number;
        };
        readonly PostApiExperimentsCheck: {
            /** @description Changes of BGP */
            readonly changes: number;
            readonly lasts_sec: number;
            /** @description The lease, and what exchange servers take afterwards */
            readonly notes: readonly string[];
            readonly probes: number;
        };
        readonly PostApiExperimentsCheck2: {
            /** @description One of the gateway's collectors; default: the first, `none` = none */
            readonly collector?: string;
            /** @description Its file: docs/measure/experiments.md */
            readonly experiment: unknown;
            /** @description Secret of a grant of the peering gateway, which names the prefix; kept encrypted until the end */
            readonly grant: string;
            /**
             * @description How often announcements are renewed
             * @default 30
             */
            readonly interval_sec?: number;
            /**
             * @description Wait for replies after the last probe
             * @default 10
             */
            readonly settle_sec?: number;
            /** @description Exchange servers that `all` means; default: those that it names */
            readonly sites?: readonly string[];
        };
        readonly PostApiMeasurementsByIdSharing: {
            readonly citation?: string;
            readonly contact?: string;
            /** @description As an SPDX identifier, CC-BY-4.0, or in words */
            readonly licence: string;
            /**
             * Format: date-time
             * @description Private until then
             */
            readonly public_at?: string;
            /** @constant */
            readonly visibility: "public";
        };
        readonly PostApiProbesMetadata: {
            readonly id: string;
            /** @default null */
            readonly ip_address?: string | null;
        };
        readonly Problem: {
            /** @description Stable word for the reason */
            readonly code: string;
            readonly detail: string;
            /** @description Status; the message where a token was refused */
            readonly error: number | string;
            readonly fields?: readonly {
                readonly path: string;
                readonly reason: string;
            }[];
            /** @description Path of the request */
            readonly instance: string;
            /** @description As detail */
            readonly message: string;
            readonly request_id?: string;
            readonly status: number;
            readonly title: string;
            readonly type: string;
        };
        readonly SeriesRow: {
            readonly agent: string;
            /** @description of them, those with an answer from anywhere */
            readonly answered: number;
            readonly destination: string;
            /** @description further replies to a probe that was already answered */
            readonly duplicates: number;
            /** @description that were answered */
            readonly flows: number;
            /** @description highest loss that is likely */
            readonly loss_high_percent: number;
            /** @description lowest loss that is likely: Wilson's interval, 95 % */
            readonly loss_low_percent: number;
            readonly loss_percent: number;
            readonly measurement_id: string;
            /** @description that they took, by their replies */
            readonly paths: number;
            readonly planned_at: string | null;
            readonly rtt_median_ms: number | null;
            readonly rtt_p10_ms: number | null;
            readonly rtt_p90_ms: number | null;
            /** @description replies of the destination with a known time */
            readonly rtt_replies: number;
            /** @description of the campaign; null = of none */
            readonly run: number | null;
            /** @description probes */
            readonly submitted: number;
            /** @description flows on the most common path */
            readonly top_path_percent: number | null;
        };
        readonly Submitted: {
            readonly agents: readonly components["schemas"]["PostApiProbesMetadata"][];
            /**
             * Format: uuid
             * @description The same, as existing clients read it
             */
            readonly id: string;
            /** Format: uuid */
            readonly measurement_id: string;
            readonly probes: number;
            readonly rejected: readonly components["schemas"]["SubmittedRejected"][];
            /** @description The accepted request, for the operator: vantage admin trace */
            readonly request_id?: string;
            readonly selections?: readonly components["schemas"]["SubmittedSelections"][];
            readonly shape?: components["schemas"]["SubmittedShape"];
        };
        readonly SubmittedRejected: {
            readonly id: string;
            readonly ip_address: string | null;
            readonly reason: string;
        };
        readonly SubmittedSelections: {
            /** @description Chosen, besides those that are named */
            readonly agents: readonly string[];
            /** @description Agents that match, whether they can take part now or not */
            readonly matching: number;
            readonly selector: string;
        };
        /** @description What the probes look like, where something was given */
        readonly SubmittedShape: {
            /** @enum {string} */
            readonly dns?: "hostname.bind" | "id.server" | "nsid";
            readonly dont_fragment?: boolean;
            readonly flow_label?: number;
            readonly size_bytes?: number;
            readonly traffic_class?: number;
        };
        readonly Token: {
            /** @description The one campaign that it is for; null = any */
            readonly campaign_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            /** Format: uuid */
            readonly id: string;
            /** @description Some seconds late */
            readonly last_used_at: string | null;
            /** @description An address */
            readonly last_used_from: string | null;
            /** @description The token that made it; null = a login did */
            readonly made_by: string | null;
            /** @description The one measurement that it is for; null = any */
            readonly measurement_id: string | null;
            readonly name: string;
            /** @description Null = as the user's quota */
            readonly probes_per_day: number | null;
            /** @description Probes x agents that it submitted since 00:00 UTC */
            readonly probes_today: number;
            readonly revoked_at: string | null;
            readonly scopes: readonly ("measurements:read" | "measurements:create" | "campaigns:read" | "campaigns:write" | "campaigns:trigger" | "results:public" | "sql:read" | "tokens:write" | "admin:read" | "admin:write")[];
            /** @enum {string} */
            readonly state: "live" | "expired" | "revoked";
        };
        readonly TrendRow: {
            readonly agent: string;
            /** @description of them */
            readonly answered: number;
            readonly destination: string;
            /** @description 1 or 24 */
            readonly hours: number;
            readonly loss_percent: number;
            /** @description null = nothing was submitted then */
            readonly loss_week_before_percent: number | null;
            readonly measurements: number;
            /** @description measurements whose paths differ from those of the previous one with replies */
            readonly path_changes: number;
            readonly rtt_median_ms: number | null;
            readonly rtt_median_week_before_ms: number | null;
            readonly rtt_p10_ms: number | null;
            readonly rtt_p90_ms: number | null;
            /** @description replies of the destination with a known time */
            readonly rtt_replies: number;
            /** @description probes */
            readonly submitted: number;
            /** @description where the hour or day begins, UTC; measurements count by their planned time */
            readonly time: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getApiAgentById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    readonly getApiAgentByIdConfig: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["AgentConfig"][];
                };
            };
        };
    };
    readonly getApiAgentByIdHealth: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly details?: components["schemas"]["AgentHealthDetails"] | null;
                        readonly healthy: boolean;
                        readonly last_check: string | null;
                        readonly message: string | null;
                        readonly received_at: string | null;
                        /** @description The gateway's clock now */
                        readonly time_ms: number;
                    };
                };
            };
        };
    };
    readonly getApiAgents: {
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Agent"][];
                };
            };
        };
    };
    readonly getApiAlerts: {
        readonly parameters: {
            readonly query?: {
                readonly active?: "true" | "false" | "1" | "0";
                readonly after?: string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Alert"][];
                };
            };
        };
    };
    readonly getApiCampaigns: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Campaign"][];
                };
            };
        };
    };
    readonly postApiCampaigns: {
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CampaignOrder"];
            };
        };
        readonly responses: {
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["CampaignMade"];
                };
            };
        };
    };
    readonly getApiCampaignsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CampaignDetail"];
                };
            };
        };
    };
    readonly putApiCampaignsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CampaignOrder"];
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CampaignMade"];
                };
            };
        };
    };
    readonly deleteApiCampaignsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 204: {
                content?: never;
            };
        };
    };
    readonly getApiCampaignsByIdAlerts: {
        readonly parameters: {
            readonly query?: {
                readonly active?: "true" | "false" | "1" | "0";
                readonly after?: string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Alert"][];
                };
            };
        };
    };
    readonly postApiCampaignsByIdAlertsPreview: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly alerts: components["schemas"]["CampaignOrderAlerts"];
                    /** @default 100 */
                    readonly runs?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        /** @description Raised and not cleared after the last run */
                        readonly active: number;
                        readonly cleared: number;
                        /** @description In the order of the runs; at most 200 */
                        readonly events: readonly {
                            readonly agent: string;
                            readonly destination: string;
                            readonly detector: string;
                            /** @enum {string} */
                            readonly kind: "raised" | "cleared";
                            /** Format: date-time */
                            readonly planned_at: string;
                            readonly reason: string;
                            readonly run: number;
                            readonly threshold: number | null;
                            readonly value: number | null;
                        }[];
                        /** @description Baselines are learned from this run on */
                        readonly first_run: number | null;
                        readonly last_run: number | null;
                        /** @description What was left out; null = nothing */
                        readonly note: string | null;
                        readonly raised: number;
                        /** @description Runs that were evaluated, the newest */
                        readonly runs: number;
                    };
                };
            };
        };
    };
    readonly getApiCampaignsByIdChanges: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["ChangesRow"][];
                };
            };
        };
    };
    readonly getApiCampaignsByIdDeliveries: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly attempts: readonly {
                            readonly at: string;
                            readonly outcome: string;
                        }[];
                        /** Format: date-time */
                        readonly created_at: string;
                        readonly events: number;
                        /**
                         * Format: uuid
                         * @description The same in each delivery attempt, to recognise duplicates
                         */
                        readonly id: string;
                        readonly is_digest: boolean;
                        /** @enum {string} */
                        readonly kind: "webhook" | "email";
                        readonly next_at: string | null;
                        readonly place: string;
                        readonly run: number;
                        /** @enum {string} */
                        readonly state: "due" | "delivered" | "failed";
                    }[];
                };
            };
        };
    };
    readonly postApiCampaignsByIdEvents: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Its id: the same one starts one run */
                    readonly event: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly is_new: boolean;
                    };
                };
            };
        };
    };
    readonly getApiCampaignsByIdGraph: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "dot" | "graphml" | "svg";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["GraphRow"][];
                };
            };
        };
    };
    readonly getApiCampaignsByIdHeatmap: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow" | "svg";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["HeatmapRow"][];
                };
            };
        };
    };
    readonly getApiCampaignsByIdLinks: {
        readonly parameters: {
            readonly query?: {
                readonly against?: string;
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LinkRow"][];
                };
            };
        };
    };
    readonly getApiCampaignsByIdNodes: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["NodeRow"][];
                };
            };
        };
    };
    readonly postApiCampaignsByIdPause: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CampaignDetail"];
                };
            };
        };
    };
    readonly postApiCampaignsByIdResume: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CampaignDetail"];
                };
            };
        };
    };
    readonly getApiCampaignsByIdRuns: {
        readonly parameters: {
            readonly query?: {
                readonly after?: number;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly ended_at: string | null;
                        /** @description Runs in this range were skipped for the same reason */
                        readonly last_run: number;
                        readonly measurements: readonly {
                            readonly agents: string;
                            readonly measurement_id: string | null;
                            readonly state: string;
                            readonly taken_at: string | null;
                        }[];
                        /** Format: date-time */
                        readonly planned_at: string;
                        /** @description Why it did not begin, or which agents are missing, and why */
                        readonly reason: string | null;
                        readonly revision: number;
                        readonly run: number;
                        /** @enum {string} */
                        readonly state: "open" | "done" | "missed" | "refused" | "passed" | "cancelling" | "cancelled";
                    }[];
                };
            };
        };
    };
    readonly getApiCampaignsByIdSeries: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["SeriesRow"][];
                };
            };
        };
    };
    readonly getApiCampaignsByIdSharing: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiMeasurementsByIdSharing"];
                };
            };
        };
    };
    readonly postApiCampaignsByIdSharing: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @constant */
                    readonly visibility: "link";
                } | components["schemas"]["PostApiMeasurementsByIdSharing"];
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiMeasurementsByIdSharing"];
                };
            };
        };
    };
    readonly deleteApiCampaignsByIdSharing: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiMeasurementsByIdSharing"];
                };
            };
        };
    };
    readonly getApiCampaignsByIdStatusCheck: {
        readonly parameters: {
            readonly query?: {
                readonly lookback?: number;
                readonly max_packet_loss?: number;
                readonly median_rtt_threshold?: string;
                readonly permitted_total_alerts?: number;
                readonly show_all?: "true" | "false" | "1" | "0";
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly global_alert: boolean;
                        readonly probes: {
                            readonly [key: string]: {
                                readonly alert: boolean;
                                readonly alert_reasons: readonly string[];
                                /** @description Median round-trip times, the newest first; ms */
                                readonly all: readonly (number | null)[];
                                readonly last: number | null;
                                readonly last_packet_loss: number | null;
                            };
                        };
                        readonly total_alerts: number;
                    };
                };
            };
        };
    };
    readonly postApiCampaignsByIdStop: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CampaignDetail"];
                };
            };
        };
    };
    readonly getApiCampaignsByIdTrend: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["TrendRow"][];
                };
            };
        };
    };
    readonly postApiCampaignsEstimate: {
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CampaignOrder"];
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CampaignEstimate"];
                };
            };
        };
    };
    readonly getApiDiscoveries: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["GetApiDiscoveries"][];
                };
            };
        };
    };
    readonly postApiDiscoveries: {
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PostApiDiscoveriesEstimate"];
                /**
                 * @example 198.51.100.0/24
                 *     2001:db8::/48
                 */
                readonly "text/plain": string;
            };
        };
        readonly responses: {
            readonly 201: {
                content: {
                    readonly "application/json": {
                        readonly discovery: components["schemas"]["GetApiDiscoveries"];
                        readonly forecast: components["schemas"]["PostApiDiscoveriesEstimate2"];
                    };
                };
            };
        };
    };
    readonly getApiDiscoveriesById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiDiscoveriesById"];
                };
            };
        };
    };
    readonly postApiDiscoveriesByIdPause: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiDiscoveriesById"];
                };
            };
        };
    };
    readonly postApiDiscoveriesByIdResume: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiDiscoveriesById"];
                };
            };
        };
    };
    readonly postApiDiscoveriesByIdStop: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiDiscoveriesById"];
                };
            };
        };
    };
    readonly postApiDiscoveriesEstimate: {
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PostApiDiscoveriesEstimate"];
                /**
                 * @example 198.51.100.0/24
                 *     2001:db8::/48
                 */
                readonly "text/plain": string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["PostApiDiscoveriesEstimate2"];
                };
            };
        };
    };
    readonly getApiExperiments: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["GetApiExperiments"][];
                };
            };
        };
    };
    readonly postApiExperiments: {
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PostApiExperimentsCheck2"];
            };
        };
        readonly responses: {
            readonly 201: {
                content: {
                    readonly "application/json": {
                        readonly experiment: components["schemas"]["GetApiExperiments"];
                        readonly plan: components["schemas"]["PostApiExperimentsCheck"];
                    };
                };
            };
        };
    };
    readonly getApiExperimentsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        /** @description Actions in its plan */
                        readonly actions: number;
                        /** Format: date-time */
                        readonly begun_at: string;
                        readonly bytes: number;
                        /** @description Everything requested at one moment is one change */
                        readonly changes: readonly {
                            /** Format: date-time */
                            readonly at: string;
                            readonly number: number;
                            readonly text: string;
                        }[];
                        /** @description How long after a change each peer of a router and each agent saw something new, first and last */
                        readonly convergence: readonly {
                            /** @description Number of the change */
                            readonly change: number;
                            /** @description Seconds */
                            readonly first_s: number;
                            /** @description Seconds */
                            readonly last_s: number;
                            /** @enum {string} */
                            readonly plane: "control" | "data";
                            readonly signs: number;
                            readonly who: string;
                            /** @description Milliseconds; null = the clock was never compared */
                            readonly within_ms: number | null;
                        }[];
                        /** @description Its file, without the targets */
                        readonly definition: {
                            readonly [key: string]: unknown;
                        };
                        /** @description Actions */
                        readonly done: number;
                        readonly ended_at: string | null;
                        readonly entries: number;
                        /** @description On the time line */
                        readonly events: number;
                        /** @description The grant that it announces with; null = it ran elsewhere, or has ended */
                        readonly grant_id: string | null;
                        /**
                         * Format: date-time
                         * @description Last update
                         */
                        readonly heard_at: string;
                        /** Format: uuid */
                        readonly id: string;
                        readonly moves: readonly {
                            readonly from: string;
                            readonly round: number;
                            readonly targets: number;
                            readonly to: string;
                        }[];
                        readonly name: string;
                        readonly prefix: string;
                        /** @description Why it has ended: finished, stopped, interrupted, … */
                        readonly reason: string | null;
                        readonly rounds: readonly {
                            readonly announced: string;
                            readonly moved_here: number | null;
                            readonly round: number;
                            /** @description (several): targets that answered at more than one; (silent): at none */
                            readonly site: string;
                            readonly targets: number;
                        }[];
                        /** @description Of a sweep: each site's catchment by its prepends, with none elsewhere */
                        readonly sites: readonly {
                            readonly alone: {
                                readonly of: number;
                                readonly targets: number;
                            } | null;
                            readonly by_prepend: readonly {
                                readonly of: number;
                                readonly prepends: number;
                                readonly targets: number;
                            }[];
                            readonly site: string;
                        }[];
                        /**
                         * @description silent: no gateway has run it for two minutes, and its announcements have ended
                         * @enum {string}
                         */
                        readonly state: "running" | "paused" | "silent" | "ended";
                        readonly targets: number;
                    };
                };
            };
        };
    };
    readonly deleteApiExperimentsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 204: {
                content?: never;
            };
        };
    };
    readonly getApiExperimentsByIdJournal: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content?: never;
            };
        };
    };
    readonly postApiExperimentsByIdPause: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiExperiments"];
                };
            };
        };
    };
    readonly postApiExperimentsByIdResume: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiExperiments"];
                };
            };
        };
    };
    readonly postApiExperimentsByIdStop: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiExperiments"];
                };
            };
        };
    };
    readonly getApiExperimentsByIdTimeline: {
        readonly parameters: {
            readonly query?: {
                readonly after?: number;
                /** @description Only what came behind this change, until the next */
                readonly change?: number;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly format?: "json" | "csv";
                readonly limit?: number;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        /** @description By the controller's clock, which orders the events */
                        readonly at_ns: string;
                        readonly detail: string;
                        readonly event: string;
                        /** @enum {string} */
                        readonly plane: "control" | "data";
                        readonly source: string;
                        readonly subject: string;
                        /**
                         * Format: date-time
                         * @description The same, to the millisecond
                         */
                        readonly time: string;
                        /** @description By the source's own clock */
                        readonly time_ns: string;
                        /** @description Milliseconds; null = the clock was never compared */
                        readonly within_ms: number | null;
                    }[];
                };
            };
        };
    };
    readonly postApiExperimentsCheck: {
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PostApiExperimentsCheck2"];
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["PostApiExperimentsCheck"];
                };
            };
        };
    };
    readonly postApiExperimentsImport: {
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly lines: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiExperiments"];
                };
            };
        };
    };
    readonly getApiLimits: {
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly agents_per_submission: number;
                        readonly destination_packets_per_second: {
                            readonly address: number;
                            readonly address_by_user: number;
                            readonly network: number;
                        };
                        readonly idempotency_key_characters: number;
                        readonly json_body_bytes: number;
                        readonly page_rows: number;
                        readonly prefix_probes_per_day: number;
                        readonly probes_per_day: components["schemas"]["GetApiLimitsProbesPerDay"];
                        readonly probes_per_submission: number;
                        readonly retention_days: number;
                        readonly sql_seconds_per_day: components["schemas"]["GetApiLimitsProbesPerDay"];
                        readonly stored_bytes: {
                            readonly limit: number;
                            readonly remaining: number;
                            readonly used: number;
                        };
                        readonly stream_body_bytes: number;
                        readonly submission_bytes_per_day: components["schemas"]["GetApiLimitsProbesPerDay"];
                        readonly submissions_at_once: number;
                        readonly submissions_per_minute: number;
                    };
                };
            };
        };
    };
    readonly getApiLogin: {
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly audience: string | null;
                        readonly client_id: string;
                        /** Format: uri */
                        readonly issuer: string;
                        /** @default null */
                        readonly peering_gateway?: string | null;
                        readonly scopes: readonly string[];
                    };
                };
            };
        };
    };
    readonly getApiLookup: {
        readonly parameters: {
            readonly query: {
                readonly name: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly address: string;
                        readonly name: string;
                    };
                };
            };
        };
    };
    readonly postApiMeasurementByIdCancel: {
        readonly parameters: {
            readonly query?: {
                /** @description finished: all that was wanted is known, so that the measurement is complete */
                readonly reason?: "finished";
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Cancelled"];
                };
            };
        };
    };
    readonly getApiMeasurementByIdStatus: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["MeasurementStatus"];
                };
            };
        };
    };
    readonly getApiMeasurements: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                /** @description An AS number: only measurements with probes to its addresses, by the gateway's newest set of context. Of each network that is kept, 16 addresses across it are looked up */
                readonly asn?: string;
                /** @description true: without those of campaigns, experiments and other tokens than the one in use: what a person made */
                readonly by_hand?: string;
                /** @description Only what this campaign or discovery measured */
                readonly campaign?: "" | string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly cursor?: string;
                /** @description true: the newest measurement of a campaign stands for all, if no status is asked for */
                readonly fold?: string;
                /** @description Only those whose id begins so */
                readonly id?: string;
                readonly kind?: "" | "trace" | "ping";
                readonly limit?: string;
                /** @description Only those whose name or note holds this text */
                readonly name?: string;
                readonly reverse?: string;
                readonly since?: string;
                readonly sort?: string;
                readonly status?: string;
                /** @description Only those with all of these tags, with commas */
                readonly tag?: string;
                /** @description An address or a prefix: only measurements with probes to it. Those of more than 1,024 destinations are kept as networks, and may be found though they leave the address out */
                readonly target?: string;
                readonly until?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Measurement"][];
                };
            };
        };
    };
    readonly patchApiMeasurementsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string | null;
                    readonly note?: string | null;
                    readonly tags?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Measurement"];
                };
            };
        };
    };
    readonly postApiMeasurementsByIdCancel: {
        readonly parameters: {
            readonly query?: {
                /** @description finished: all that was wanted is known, so that the measurement is complete */
                readonly reason?: "finished";
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Cancelled"];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdCatchment: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow" | "svg";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        /** @description that answered */
                        readonly destinations: number;
                        /** @description site that received the replies */
                        readonly heard_by: string;
                        /** @description site that sent; empty if unknown */
                        readonly probe_agent: string;
                        readonly probe_instance: number;
                        readonly replies: number;
                        /** @description routers and hosts that replied */
                        readonly responders: number;
                        /** @description of all replies to this site's and instance's probes */
                        readonly share_percent: number;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdChanges: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["ChangesRow"][];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdEvents: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content?: never;
            };
        };
    };
    readonly getApiMeasurementsByIdGraph: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "dot" | "graphml" | "svg";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["GraphRow"][];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdHeatmap: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow" | "svg";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["HeatmapRow"][];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdLinks: {
        readonly parameters: {
            readonly query?: {
                readonly against?: string;
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LinkRow"][];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdLoss: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow" | "svg";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly agent: string;
                        /** @description of them, those with an answer from anywhere */
                        readonly answered: number;
                        readonly destination: string;
                        /** @description of them, further answers to a probe that was answered before */
                        readonly duplicates: number;
                        readonly loss_percent: number;
                        /** @description submitted − answered */
                        readonly lost: number;
                        /** @description all answers */
                        readonly replies: number;
                        /** @description probes; one that was submitted twice counts twice */
                        readonly submitted: number;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdMtu: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly agent: string;
                        readonly destination: string;
                        /** @description of them, those without any answer */
                        readonly larger_lost: number;
                        /** @description larger probes, up to what the hops before take */
                        readonly larger_submitted: number;
                        /** @description why it is smaller than at the hops before: reported by a router; silent, as larger probes are lost and smaller ones are not; unclear, where that may be chance; null = it is not smaller */
                        readonly limit: ("reported" | "silent" | "unclear") | null;
                        /** @description IP length of the largest probe that was answered */
                        readonly mtu_bytes: number | null;
                        readonly protocol: string;
                        readonly reported_by: (string) | null;
                        /** @description what that router's next hop takes */
                        readonly reported_mtu_bytes: number | null;
                        /** @description that answered at this TTL; null = none */
                        readonly router: (string) | null;
                        /** @description of them */
                        readonly smaller_answered: number;
                        /** @description probes of this size, smaller ones and the shortest */
                        readonly smaller_submitted: number;
                        readonly ttl: number;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdMultipaths: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "warts";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly address: string;
                        readonly agent: string;
                        readonly answers: number;
                        readonly dst_port: number;
                        readonly flow_count: number;
                        readonly flows: readonly {
                            readonly probes: readonly components["schemas"]["GetApiMeasurementsByIdTracesProbes"][];
                            readonly replies: readonly components["schemas"]["GetApiMeasurementsByIdPingsReplies"][];
                            readonly round: number;
                            readonly src_port: number;
                        }[];
                        readonly links: readonly {
                            /** @description index of nodes */
                            readonly from: number;
                            /** @description 1 where no silent router is between */
                            readonly hops: number;
                            /** @description the flows over this link */
                            readonly src_ports: readonly number[];
                            readonly to: number | null;
                        }[];
                        readonly measurement_id: string;
                        /** @description addresses; the first is the probes' source */
                        readonly nodes: readonly string[];
                        /** @description as submitted; if that was left to the agent, the one of its answered probes in this family; null if nothing shows it */
                        readonly probe_src_addr: (string) | null;
                        readonly protocol: string;
                        readonly sent: number;
                        /** @description the first of its probes; null if their submission is unknown */
                        readonly time_submitted: string | null;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdNodes: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["NodeRow"][];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdPackets: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly agent_id: string;
                        /** Format: date-time */
                        readonly expires_at: string;
                        readonly heard_packets: number;
                        readonly interface: string;
                        /** @description Too many for the file */
                        readonly left_out_packets: number;
                        readonly sent_packets: number;
                        readonly size_bytes: number;
                        /** Format: date-time */
                        readonly stored_at: string;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdPacketsByAgentByInterface: {
        readonly parameters: {
            readonly path: {
                readonly agent: string;
                readonly id: string;
                readonly interface: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content?: never;
            };
        };
    };
    readonly getApiMeasurementsByIdPaths: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "svg";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly address: string;
                        readonly agent: string;
                        readonly as_paths?: readonly components["schemas"]["GetApiMeasurementsByIdPathsAsPaths"][];
                        readonly flows: readonly {
                            readonly dst_port: number;
                            readonly end_ttl: number | null;
                            readonly src_port: number;
                        }[];
                        readonly hops: readonly {
                            /** @description Further responding routers, left out by a limit */
                            readonly more_routers?: number;
                            readonly routers: readonly {
                                readonly address: (string) | null;
                                readonly answer: ({
                                    /** @enum {string} */
                                    readonly kind: "ttl_exceeded" | "echo_reply" | "syn_ack" | "reset" | "too_big";
                                } | {
                                    readonly code: number;
                                    /** @enum {number} */
                                    readonly family: 4 | 6;
                                    /** @constant */
                                    readonly kind: "unreachable";
                                } | {
                                    readonly code: number;
                                    /** @constant */
                                    readonly kind: "dns_answer";
                                    readonly truncated: boolean;
                                } | {
                                    readonly code: number;
                                    /** @constant */
                                    readonly kind: "other_error";
                                    readonly type: number;
                                }) | null;
                                readonly answered: number;
                                /** @description of asn */
                                readonly as_name?: string | null;
                                /** @description the member at an exchange, else the origin in BGP, else of a database */
                                readonly asn?: number | null;
                                /** @description where asn is from; private: an address of no public network */
                                readonly asn_source?: ("exchange" | "bgp" | "database" | "private") | null;
                                /** @description Indexes of the flows of the path */
                                readonly flows: readonly number[];
                                /** @description a database's guess */
                                readonly geo?: components["schemas"]["GetApiMeasurementsByIdRepliesGeo"] | null;
                                /** @description exchange on whose LAN the address is */
                                readonly ixp?: {
                                    readonly id: number;
                                    readonly name: string;
                                } | null;
                                readonly loss_percent: number;
                                readonly mpls_labels: readonly components["schemas"]["GetApiMeasurementsByIdRepliesReplyMplsLabels"][];
                                readonly name: string | null;
                                /** @description Bytes that its next hop takes, by errors for probes too big */
                                readonly next_hop_mtus?: readonly number[];
                                /** @description AS of the router with this address, by its path; it need not be the origin of the address */
                                readonly owner_asn?: number | null;
                                readonly probes: number;
                                /** @description Sources that are quoted in place of the probes' own: a NAT's */
                                readonly quoted_sources?: readonly string[];
                                /** @description DSCP and ECN of the probes as the router received them */
                                readonly quoted_traffic_classes?: readonly number[];
                                /** @description What its quotes have otherwise than it was sent: source, checksum … */
                                readonly rewritten?: readonly string[];
                                /** @description state of the announced prefix and its origin */
                                readonly rpki?: ("valid" | "invalid" | "unknown") | null;
                                readonly rtt_jitter_ms: number | null;
                                readonly rtt_max_ms: number | null;
                                readonly rtt_mean_ms: number | null;
                                readonly rtt_median_ms: number | null;
                                readonly rtt_min_ms: number | null;
                                readonly rtt_p10_ms: number | null;
                                readonly rtt_p90_ms: number | null;
                                readonly rtt_samples_ms: readonly number[];
                                readonly rtt_standard_deviation_ms: number | null;
                                readonly says: string;
                                /** @description What the name server's sites call themselves, by DNS probes */
                                readonly sites?: readonly string[];
                                /** @description days of the set, and of its files */
                                readonly source?: components["schemas"]["GetApiMeasurementsByIdRepliesSource"] | null;
                            }[];
                            readonly ttl: number;
                        }[];
                        /**
                         * @description The first hop whose quotes show a NAT; null: none does
                         * @default null
                         */
                        readonly nat_ttl?: number | null;
                        readonly probes: {
                            readonly answered: number;
                            /** @description further replies to probes that were already answered */
                            readonly duplicates: number;
                            readonly lost: number;
                            readonly submitted: number;
                        };
                        /** @enum {string} */
                        readonly protocol: "udp" | "icmp" | "icmpv6" | "tcp";
                        readonly reached: boolean;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdPings: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow" | "warts" | "atlas";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly address: string;
                        readonly agent: string;
                        /** @description of them, those that the destination itself answered, from any of its addresses */
                        readonly answered: number;
                        /** @description all, those of others too */
                        readonly answers: number;
                        readonly dst_port: number;
                        /** @description its further replies to a probe that it had already answered */
                        readonly duplicates: number;
                        readonly measurement_id: string;
                        /** @description as submitted; if that was left to the agent, the one of its answered probes in this family; null if nothing shows it */
                        readonly probe_src_addr: (string) | null;
                        readonly protocol: string;
                        readonly replies: readonly components["schemas"]["GetApiMeasurementsByIdPingsReplies"][];
                        /** @description from 0: a round has at most 1000 probes, further ones are in the next */
                        readonly round: number;
                        readonly sent: number;
                        /** @description the lowest: a ping by TCP has one for each probe */
                        readonly src_port: number;
                        /** @description the first of its probes; null if their submission is unknown */
                        readonly time_submitted: string | null;
                        readonly ttl: number;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdProbes: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly replies?: string;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        /** @description agent that is to send it */
                        readonly agent_id: string;
                        readonly probe_dst_addr: string;
                        readonly probe_dst_port: number;
                        /** @description place in the measurement, from 0 */
                        readonly probe_index: number;
                        readonly probe_protocol: string;
                        /** @description null = the agent chooses */
                        readonly probe_src_addr: (string) | null;
                        readonly probe_src_port: number;
                        readonly probe_ttl: number;
                        readonly time_submitted: string;
                    }[];
                };
            };
        };
    };
    readonly postApiMeasurementsByIdProbes: {
        readonly parameters: {
            readonly query?: {
                /** @description IP length of these probes; default: as of the first */
                readonly size?: number;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                /** @example ["192.0.2.1",24000,33434,8,"udp"] */
                readonly "application/x-ndjson": string;
                /** @example 192.0.2.1,24000,33434,7,udp */
                readonly "text/csv": string;
                /** @example 192.0.2.1,24000,33434,7,udp */
                readonly "text/plain": string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Submitted"];
                };
            };
            readonly 202: {
                content: {
                    readonly "application/json": components["schemas"]["Submitted"];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdReplies: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        /** @description agent that captured the answer */
                        readonly agent_id: string;
                        /** @description of asn */
                        readonly as_name?: string | null;
                        /** @description the member at an exchange, else the origin in BGP, else of a database */
                        readonly asn?: number | null;
                        /** @description where asn is from; private: an address of no public network */
                        readonly asn_source?: ("exchange" | "bgp" | "database" | "private") | null;
                        /**
                         * @description exact: it carries the measurement; by_time: it fits its probe alone
                         * @enum {string}
                         */
                        readonly attribution?: "exact" | "by_time" | "none";
                        /** @description a database's guess */
                        readonly geo?: components["schemas"]["GetApiMeasurementsByIdRepliesGeo"] | null;
                        /** @description exchange on whose LAN the address is */
                        readonly ixp?: {
                            readonly id: number;
                            readonly name: string;
                        } | null;
                        /** @description empty if unknown */
                        readonly measurement_id: string;
                        /** @description by reverse DNS */
                        readonly name?: string | null;
                        /** @description AS of the router with this address, by its path; it need not be the origin of the address */
                        readonly owner_asn?: number | null;
                        /** @description agent that sent the probe; empty if unknown */
                        readonly probe_agent: string;
                        /** @description destination of the probe */
                        readonly probe_dst_addr: string;
                        /** @description destination port; of ICMP 0 */
                        readonly probe_dst_port: number;
                        /** @description IPv4 identification of the probe; IPv6: 0 */
                        readonly probe_id: number;
                        /** @description instance of probe_agent; also 0 if unknown */
                        readonly probe_instance: number;
                        /** @description UDP, ICMP, ICMPv6 or TCP */
                        readonly probe_protocol: string;
                        /** @description IPv4 total length, IPv6 payload length */
                        readonly probe_size: number;
                        /** @description source of the probe */
                        readonly probe_src_addr: string;
                        /** @description source port; of ICMP the identifier */
                        readonly probe_src_port: number;
                        /** @description TTL that the probe was sent with */
                        readonly probe_ttl: number;
                        /** @description quoted checksum minus the one that was sent, modulo 65535 */
                        readonly reply_checksum_delta?: number;
                        /** @description destination of the answer */
                        readonly reply_dst_addr: string;
                        /** @description ICMP code; of TCP its flags, of DNS its response code */
                        readonly reply_icmp_code: number;
                        /** @description ICMP type of the answer */
                        readonly reply_icmp_type: number;
                        /** @description IPv4 identification of the answer; IPv6: 0 */
                        readonly reply_id: number;
                        /** @description MPLS label stack, top first */
                        readonly reply_mpls_labels: readonly components["schemas"]["GetApiMeasurementsByIdRepliesReplyMplsLabels"][];
                        /** @description MTU that the router reports of its next hop; 0 without one */
                        readonly reply_next_hop_mtu?: number;
                        /** @description protocol of the answer */
                        readonly reply_protocol: number;
                        /** @description IPv6 flow label in the packet that is quoted; IPv4: 0 */
                        readonly reply_quoted_flow_label?: number;
                        /** @description source that is quoted; :: as sent */
                        readonly reply_quoted_src_addr?: string;
                        /** @description source port or ICMP identifier that is quoted; 0 as sent */
                        readonly reply_quoted_src_port?: number;
                        /** @description DSCP (upper 6 bits) and ECN in the packet that is quoted */
                        readonly reply_quoted_traffic_class?: number;
                        /** @description TTL in the packet that is quoted */
                        readonly reply_quoted_ttl: number;
                        /** @description what is quoted otherwise than it was sent: 1 source, 2 source port, 4 destination, 8 checksum, 16 identification */
                        readonly reply_rewritten?: number;
                        /** @description what a name server's site calls itself; empty without a DNS probe */
                        readonly reply_site?: string;
                        /** @description IPv4 total length, IPv6 payload length */
                        readonly reply_size: number;
                        /** @description source of the answer */
                        readonly reply_src_addr: string;
                        /** @description TTL (hop limit) of the answer */
                        readonly reply_ttl: number;
                        /** @description state of the announced prefix and its origin */
                        readonly rpki?: ("valid" | "invalid" | "unknown") | null;
                        /** @description round-trip time; null when it is not known */
                        readonly rtt_ms: number | null;
                        /** @description round-trip time; null when it is known to 0.1 ms only, or not at all */
                        readonly rtt_us?: number | null;
                        /** @description the kind of reply, in words; empty for time exceeded */
                        readonly says: string;
                        /** @description days of the set, and of its files */
                        readonly source?: components["schemas"]["GetApiMeasurementsByIdRepliesSource"] | null;
                        /** @description capture time, UTC */
                        readonly time_received: string;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdSeries: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["SeriesRow"][];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdSharing: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiMeasurementsByIdSharing"];
                };
            };
        };
    };
    readonly postApiMeasurementsByIdSharing: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @constant */
                    readonly visibility: "link";
                } | components["schemas"]["PostApiMeasurementsByIdSharing"];
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiMeasurementsByIdSharing"];
                };
            };
        };
    };
    readonly deleteApiMeasurementsByIdSharing: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiMeasurementsByIdSharing"];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdSites: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        /** @description the name server's */
                        readonly address: string;
                        /** @description that sent the probes; if that is unknown, that received the answers */
                        readonly agent: string;
                        readonly answers: number;
                        /** @description answers with an error code */
                        readonly errors: number;
                        readonly rtt_median_ms: number | null;
                        /** @description null when no time is known */
                        readonly rtt_min_ms: number | null;
                        /** @description of all answers of this name server to this agent */
                        readonly share_percent: number;
                        /** @description what the site calls itself, by TXT or NSID; empty where its answers have no name */
                        readonly site: string;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdStatus: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["MeasurementStatus"];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdTraces: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow" | "warts" | "atlas" | "iris" | "mtr";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
                readonly with?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        readonly address: string;
                        readonly agent: string;
                        readonly answers: number;
                        readonly as_paths?: readonly components["schemas"]["GetApiMeasurementsByIdPathsAsPaths"][];
                        readonly dst_port: number;
                        /** @description TTL at which the flow ends, by the replies of all its rounds; null if none ends it */
                        readonly end_ttl: number | null;
                        readonly measurement_id: string;
                        /** @description as submitted; if that was left to the agent, the one of its answered probes in this family; null if nothing shows it */
                        readonly probe_src_addr: (string) | null;
                        readonly probes: readonly components["schemas"]["GetApiMeasurementsByIdTracesProbes"][];
                        readonly protocol: string;
                        readonly replies: readonly {
                            /** @description agent that captured the answer */
                            readonly agent_id: string;
                            /** @description of asn */
                            readonly as_name?: string | null;
                            /** @description the member at an exchange, else the origin in BGP, else of a database */
                            readonly asn?: number | null;
                            /** @description where asn is from; private: an address of no public network */
                            readonly asn_source?: ("exchange" | "bgp" | "database" | "private") | null;
                            /** @description a database's guess */
                            readonly geo?: components["schemas"]["GetApiMeasurementsByIdRepliesGeo"] | null;
                            /** @description exchange on whose LAN the address is */
                            readonly ixp?: {
                                readonly id: number;
                                readonly name: string;
                            } | null;
                            /** @description by reverse DNS */
                            readonly name?: string | null;
                            /** @description AS of the router with this address, by its path; it need not be the origin of the address */
                            readonly owner_asn?: number | null;
                            /** @description IPv4 total length, IPv6 payload length */
                            readonly probe_size: number;
                            /** @description source of the probe */
                            readonly probe_src_addr: string;
                            /** @description TTL that the probe was sent with */
                            readonly probe_ttl: number;
                            /** @description ICMP code; of TCP its flags, of DNS its response code */
                            readonly reply_icmp_code: number;
                            /** @description ICMP type of the answer */
                            readonly reply_icmp_type: number;
                            /** @description IPv4 identification of the answer; IPv6: 0 */
                            readonly reply_id: number;
                            /** @description MPLS label stack, top first */
                            readonly reply_mpls_labels: readonly components["schemas"]["GetApiMeasurementsByIdRepliesReplyMplsLabels"][];
                            /** @description MTU that the router reports of its next hop; 0 without one */
                            readonly reply_next_hop_mtu?: number;
                            /** @description protocol of the answer */
                            readonly reply_protocol: number;
                            /** @description DSCP (upper 6 bits) and ECN in the packet that is quoted */
                            readonly reply_quoted_traffic_class?: number;
                            /** @description TTL in the packet that is quoted */
                            readonly reply_quoted_ttl: number;
                            /** @description IPv4 total length, IPv6 payload length */
                            readonly reply_size: number;
                            /** @description source of the answer */
                            readonly reply_src_addr: string;
                            /** @description TTL (hop limit) of the answer */
                            readonly reply_ttl: number;
                            /** @description state of the announced prefix and its origin */
                            readonly rpki?: ("valid" | "invalid" | "unknown") | null;
                            /** @description round-trip time; null when it is not known */
                            readonly rtt_ms: number | null;
                            /** @description round-trip time; null when it is known to 0.1 ms only, or not at all */
                            readonly rtt_us?: number | null;
                            /** @description days of the set, and of its files */
                            readonly source?: components["schemas"]["GetApiMeasurementsByIdRepliesSource"] | null;
                            /** @description capture time, UTC */
                            readonly time_received: string;
                        }[];
                        /** @description from 0: a round has at most 100 probes of one TTL, further ones are in the next */
                        readonly round: number;
                        readonly sent: number;
                        readonly src_port: number;
                        /** @description the first of its probes; null if their submission is unknown */
                        readonly time_submitted: string | null;
                    }[];
                };
            };
        };
    };
    readonly getApiMeasurementsByIdTrend: {
        readonly parameters: {
            readonly query?: {
                readonly agent?: string;
                readonly destination?: string;
                readonly format?: "json" | "ndjson" | "csv" | "brief" | "parquet" | "arrow";
                readonly limit?: number;
                readonly since?: string;
                readonly until?: string;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["TrendRow"][];
                };
            };
        };
    };
    readonly postApiProbes: {
        readonly parameters: {
            readonly query?: {
                readonly agents?: string;
                /** @description true: no router may divide IPv4 probes */
                readonly df?: string;
                /** @description What UDP probes to port 53 ask name servers, whose sites then name themselves */
                readonly dns?: "hostname.bind" | "id.server" | "nsid";
                /** @description DSCP of the probes; default 0 */
                readonly dscp?: string;
                /** @description ECN of the probes; default not-ect */
                readonly ecn?: "not-ect" | "ect1" | "ect0" | "ce";
                /** @description IPv6 flow label of all flows; default: one for each, from its ports */
                readonly flow_label?: number;
                /** @description Probes leave so far apart, in rounds, instead of at the agents' rates */
                readonly interval_ms?: number;
                /** @description What its user calls the measurement */
                readonly name?: string;
                readonly note?: string;
                /** @description true: more probes may be added while it runs, until it is finished or cancelled */
                readonly open?: string;
                /** @description true: agents keep the packets that they send and receive for it, and the gateway keeps them for a week: /api/measurements/ID/packets. For users to whom an operator grants it */
                readonly record_packets?: string;
                /** @description Probes that leave together when interval_ms is given; default 1 */
                readonly round?: number;
                /** @description IP length of each probe in bytes; UDP and ICMP. Default: as short as its TTL allows */
                readonly size?: number;
                /** @description With commas, to find it again */
                readonly tags?: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly metadata: readonly components["schemas"]["PostApiProbesMetadata"][];
                    readonly probes: readonly (readonly [
                        string,
                        number,
                        number,
                        number,
                        string
                    ])[];
                };
                /**
                 * @example {"metadata":[{"id":"west"}]}
                 *     ["192.0.2.1",24000,33434,7,"udp"]
                 */
                readonly "application/x-ndjson": string;
                /** @example 192.0.2.1,24000,33434,7,udp */
                readonly "text/csv": string;
                /** @example 192.0.2.1,24000,33434,7,udp */
                readonly "text/plain": string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Submitted"];
                };
            };
            readonly 202: {
                content: {
                    readonly "application/json": components["schemas"]["Submitted"];
                };
            };
        };
    };
    readonly getApiPublic: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                readonly agent?: string;
                /** @description An AS number: only measurements with probes to its addresses, by the gateway's newest set of context. Of each network that is kept, 16 addresses across it are looked up */
                readonly asn?: string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly kind?: "" | "trace" | "ping";
                readonly limit?: number;
                /** @description Only those whose name or note holds this text */
                readonly name?: string;
                readonly since?: string;
                /** @description Only those with all of these tags, with commas */
                readonly tag?: string;
                /** @description An address or a prefix: only measurements with probes to it. Those of more than 1,024 destinations are kept as networks, and may be found though they leave the address out */
                readonly target?: string;
                readonly until?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["GetApiPublic"][];
                };
            };
        };
    };
    readonly getApiPublicCampaignsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiPublicCampaignsById"];
                };
            };
        };
    };
    readonly getApiPublicCampaignsByIdRuns: {
        readonly parameters: {
            readonly query?: {
                readonly after?: number;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["GetApiPublicCampaignsByIdRuns"][];
                };
            };
        };
    };
    readonly getApiPublicMeasurementsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiPublicMeasurementsById"];
                };
            };
        };
    };
    readonly getApiPublicMeasurementsByIdByView: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
                readonly view: "replies" | "paths" | "loss" | "catchment" | "sites" | "mtu" | "probes" | "traces" | "pings" | "multipaths" | "heatmap" | "series" | "trend" | "changes" | "links" | "nodes" | "graph";
            };
        };
        readonly responses: {
            readonly 200: {
                content?: never;
            };
        };
    };
    readonly getApiSharedByLink: {
        readonly parameters: {
            readonly path: {
                readonly link: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiPublic"];
                };
            };
        };
    };
    readonly getApiSharedByLinkCampaignsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
                readonly link: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiPublicCampaignsById"];
                };
            };
        };
    };
    readonly getApiSharedByLinkCampaignsByIdRuns: {
        readonly parameters: {
            readonly query?: {
                readonly after?: number;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
            readonly path: {
                readonly id: string;
                readonly link: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["GetApiPublicCampaignsByIdRuns"][];
                };
            };
        };
    };
    readonly getApiSharedByLinkMeasurementsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
                readonly link: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GetApiPublicMeasurementsById"];
                };
            };
        };
    };
    readonly getApiSharedByLinkMeasurementsByIdByView: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
                readonly link: string;
                readonly view: "replies" | "paths" | "loss" | "catchment" | "sites" | "mtu" | "probes" | "traces" | "pings" | "multipaths" | "heatmap" | "series" | "trend" | "changes" | "links" | "nodes" | "graph";
            };
        };
        readonly responses: {
            readonly 200: {
                content?: never;
            };
        };
    };
    readonly getApiSql: {
        readonly responses: {
            readonly 200: {
                content?: never;
            };
        };
    };
    readonly postApiSql: {
        readonly requestBody: {
            readonly content: {
                readonly "text/plain": string;
            };
        };
        readonly responses: {
            readonly 200: {
                content?: never;
            };
        };
    };
    readonly getApiSqlPing: {
        readonly responses: {
            readonly 200: {
                content?: never;
            };
        };
    };
    readonly getApiTokens: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                /** @description true: X-Total-Count has the number of all rows; 10001 = more than 10,000 */
                readonly count?: "true" | "false";
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Token"][];
                };
            };
        };
    };
    readonly postApiTokens: {
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * Format: uuid
                     * @description It is for this campaign, and what it measures, alone
                     */
                    readonly campaign_id?: string;
                    /** @default 90 */
                    readonly expires_in_days?: number;
                    /**
                     * Format: uuid
                     * @description It is for this measurement alone
                     */
                    readonly measurement_id?: string;
                    readonly name: string;
                    /** @description Probes x agents that it may submit in a UTC day */
                    readonly probes_per_day?: number;
                    readonly scopes: readonly ("measurements:read" | "measurements:create" | "campaigns:read" | "campaigns:write" | "campaigns:trigger" | "results:public" | "sql:read" | "tokens:write" | "admin:read" | "admin:write")[];
                };
            };
        };
        readonly responses: {
            readonly 201: {
                content: {
                    readonly "application/json": {
                        /** @description The one campaign that it is for; null = any */
                        readonly campaign_id: string | null;
                        /** Format: date-time */
                        readonly created_at: string;
                        /** Format: date-time */
                        readonly expires_at: string;
                        /** Format: uuid */
                        readonly id: string;
                        /** @description Some seconds late */
                        readonly last_used_at: string | null;
                        /** @description An address */
                        readonly last_used_from: string | null;
                        /** @description The token that made it; null = a login did */
                        readonly made_by: string | null;
                        /** @description The one measurement that it is for; null = any */
                        readonly measurement_id: string | null;
                        readonly name: string;
                        /** @description Null = as the user's quota */
                        readonly probes_per_day: number | null;
                        /** @description Probes x agents that it submitted since 00:00 UTC */
                        readonly probes_today: number;
                        readonly revoked_at: string | null;
                        readonly scopes: readonly ("measurements:read" | "measurements:create" | "campaigns:read" | "campaigns:write" | "campaigns:trigger" | "results:public" | "sql:read" | "tokens:write" | "admin:read" | "admin:write")[];
                        /** @enum {string} */
                        readonly state: "live" | "expired" | "revoked";
                        /** @description Shown once: the gateway keeps a hash of it */
                        readonly token: string;
                    };
                };
            };
        };
    };
    readonly deleteApiTokensByToken: {
        readonly parameters: {
            readonly path: {
                readonly token: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Token"];
                };
            };
        };
    };
    readonly getApiTokensByTokenUses: {
        readonly parameters: {
            readonly path: {
                readonly token: string;
            };
        };
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": readonly {
                        /** Format: date */
                        readonly day: string;
                        readonly requests: number;
                        /** @description First product of the User-Agent; `none`; `other` beyond 20 a day */
                        readonly tool: string;
                    }[];
                };
            };
        };
    };
    readonly getApiUserMe: {
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly last_submitted: string | null;
                        readonly limit: number;
                        /** @description From the login; null = not in its token */
                        readonly name: string | null;
                        readonly submission_count: number;
                        readonly used: number;
                        /** @description As operators see it */
                        readonly user_hash: string;
                        readonly user_id: number;
                    };
                };
            };
        };
    };
    readonly getApiUserPrefixes: {
        readonly responses: {
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly agents: readonly {
                            readonly agent_id: string;
                            readonly prefixes: readonly {
                                readonly agent_prefix: string;
                                readonly user_prefix: string;
                            }[];
                        }[];
                        readonly user_id: number;
                    };
                };
            };
        };
    };
}

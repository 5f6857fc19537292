-- Gateways look for campaigns that watch routes each second: without it they would read every definition.
CREATE INDEX campaign_revisions_routes ON campaign_revisions (campaign_id, revision)
  WHERE definition->'alerts'->'routes' = 'true';

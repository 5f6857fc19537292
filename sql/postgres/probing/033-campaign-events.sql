-- What starts runs of campaigns that have `on` in place of a schedule: each event once, within the campaign's limit.
CREATE TABLE campaign_events (
  campaign_id uuid NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  -- Of the event: the same one is not taken twice.
  event_key text NOT NULL,
  happened_at timestamptz NOT NULL DEFAULT now(),
  -- When its run began; null = it waits for the run before it.
  taken_at timestamptz,
  PRIMARY KEY (campaign_id, event_key)
);
CREATE INDEX campaign_events_waiting ON campaign_events (happened_at) WHERE taken_at IS NULL;
-- The campaign that one with `on` waits for.
ALTER TABLE campaign_revisions ADD COLUMN source_id uuid;
CREATE INDEX campaign_revisions_by_source ON campaign_revisions (source_id) WHERE source_id IS NOT NULL;
-- Events beyond the limit of an hour: a storm.
ALTER TABLE campaigns ADD COLUMN events_cut integer NOT NULL DEFAULT 0, ADD COLUMN events_cut_at timestamptz;

-- For one campaign: whether it is new, and fits; older ones are forgotten after a month.
CREATE FUNCTION add_campaign_event(target uuid, key text, per_hour integer) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM campaigns WHERE campaign_id = target FOR UPDATE;
  IF EXISTS (SELECT FROM campaign_events WHERE campaign_id = target AND event_key = key) THEN
    RETURN 'known';
  END IF;
  IF per_hour <= (SELECT count(*) FROM campaign_events
    WHERE campaign_id = target AND happened_at > now() - interval '1 hour') THEN
    UPDATE campaigns SET events_cut = events_cut + 1, events_cut_at = now() WHERE campaign_id = target;
    RETURN 'cut';
  END IF;
  DELETE FROM campaign_events WHERE campaign_id = target AND taken_at < now() - interval '31 days';
  INSERT INTO campaign_events (campaign_id, event_key) VALUES (target, key);
  RETURN 'added';
END $$;

-- For all campaigns that wait for this of a campaign: `ended`, or an alert of a detector.
CREATE FUNCTION raise_campaign_event(kind text, source uuid, key text, detector text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  target uuid;
  per_hour integer;
BEGIN
  FOR target, per_hour IN
    SELECT campaign_id, (definition->'on'->>'per_hour')::integer
    FROM campaigns JOIN campaign_revisions USING (campaign_id, revision)
    WHERE source_id = source AND definition->'on' ? kind AND phase <> 'ended'
      AND (detector IS NULL OR coalesce(definition->'on'->'detectors' ? detector, true))
    ORDER BY campaign_id
  LOOP
    PERFORM add_campaign_event(target, key, per_hour);
  END LOOP;
END $$;

CREATE FUNCTION alert_is_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_campaign_event('alert', NEW.campaign_id, 'alert ' || NEW.alert_id, NEW.detector);
  RETURN NULL;
END $$;
CREATE TRIGGER alerts_are_events AFTER INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION alert_is_event();

CREATE FUNCTION campaign_end_is_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_campaign_event('ended', NEW.campaign_id, 'end ' || NEW.campaign_id, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER campaign_ends_are_events AFTER UPDATE OF phase ON campaigns FOR EACH ROW
  WHEN (NEW.phase = 'ended' AND OLD.phase <> 'ended') EXECUTE FUNCTION campaign_end_is_event();

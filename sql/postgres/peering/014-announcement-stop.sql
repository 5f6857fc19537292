-- Whether operators have stopped the announcements of all users: one row.
CREATE TABLE announcement_stop (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Null = they go on.
  stopped_at timestamptz,
  stopped_reason text,
  CHECK ((stopped_at IS NULL) = (stopped_reason IS NULL))
);
INSERT INTO announcement_stop DEFAULT VALUES;

-- With a reason they stop, without they go on; the feed tells it.
CREATE FUNCTION switch_announcements(actor text, reason text) RETURNS announcement_stop LANGUAGE plpgsql AS $$
DECLARE
  state announcement_stop;
BEGIN
  UPDATE announcement_stop SET stopped_reason = reason,
    stopped_at = CASE WHEN reason IS NOT NULL THEN coalesce(stopped_at, vantage_now()) END
  RETURNING * INTO state;
  PERFORM record_change(actor, CASE WHEN reason IS NULL THEN 'announcements.resume' ELSE 'announcements.stop' END,
    NULL, NULL, jsonb_strip_nulls(jsonb_build_object('reason', reason)));
  RETURN state;
END $$;

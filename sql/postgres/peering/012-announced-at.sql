-- Ends of wishes for single exchange servers, which keep them themselves: docs/announcements.md.

-- By server, until when each may take a prefix, in milliseconds since the epoch; 0 = not at all; '*' = those that are
-- not named. Null where announced_until says it for all of them.
CREATE FUNCTION announced_at(caller text, target cidr, lease_end timestamptz) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN bool_or(server <> '*') THEN jsonb_object_agg(server, CASE WHEN is_announced
    THEN (extract(epoch FROM least(coalesce(until, lease_end), lease_end)) * 1000)::bigint ELSE 0 END) END
  FROM announcements WHERE user_hash = caller AND prefix = target
$$;

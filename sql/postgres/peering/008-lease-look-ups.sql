-- Whose leases are live, by one end of an index. With the user or the prefix alone, a plan that was made while the
-- table was small looks for them by their end instead, and reads every open lease for each new one.
CREATE INDEX leases_open_by_user_end ON leases (user_hash, end_time) WHERE closed_at IS NULL;
CREATE INDEX leases_open_by_prefix_end ON leases (prefix, end_time) WHERE closed_at IS NULL;
DROP INDEX leases_open_by_user;
DROP INDEX leases_open_by_prefix;

-- Whether the user may have traffic to single addresses discarded (announcements' `blackhole`); an operator grants it.
ALTER TABLE users ADD COLUMN may_blackhole boolean NOT NULL DEFAULT false;

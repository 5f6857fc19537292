-- When the user had all answers that were wanted, and called off what was left: its parts are `cancelled`, so that
-- agents stop, and the measurement is shown as complete. Null for one that was cancelled, or that nobody stopped.
ALTER TABLE measurements ADD COLUMN finished_at timestamptz;

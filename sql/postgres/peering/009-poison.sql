-- Whether the user may put others' ASNs into a path (announcements' `poison`); an operator grants it.
ALTER TABLE users ADD COLUMN may_poison boolean NOT NULL DEFAULT false;

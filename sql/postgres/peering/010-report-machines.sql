-- A user announces from several machines, each with a client stack: what each said last, by its address in the VPN.
ALTER TABLE announcement_reports ADD COLUMN machine text NOT NULL DEFAULT '';
ALTER TABLE announcement_reports DROP CONSTRAINT announcement_reports_pkey;
ALTER TABLE announcement_reports ADD PRIMARY KEY (user_hash, machine);

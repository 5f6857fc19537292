-- A measurement is found by the request that submitted it: its id is in the answer that is kept.
CREATE INDEX measurements_by_request ON measurements ((answer->>'request_id'));

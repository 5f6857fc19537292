-- It holds no rows, and the Kafka engine takes no further columns: the next file creates it again. Its views refer to
-- it by name, and stay.
DROP TABLE IF EXISTS measure.from_broker SETTINGS check_table_dependencies = 0

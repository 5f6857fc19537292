-- What collectors of routes hear: a database of its own, with the names that existing queries use.
CREATE DATABASE IF NOT EXISTS bmp

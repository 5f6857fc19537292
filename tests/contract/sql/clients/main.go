// The connection of Grafana's ClickHouse data source, by its client library: protocol HTTP, path, gzip, no settings.
// Arguments: port, statements. Prints a line of JSON for each: columns, types and rows, or the failure.
package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

type said struct {
	Names, Types []string
	Rows         [][]string
	Failure      string
	Code         int32
}

func main() {
	db := clickhouse.OpenDB(&clickhouse.Options{
		Addr:        []string{"127.0.0.1:" + os.Args[1]},
		Auth:        clickhouse.Auth{Database: "vantage", Username: "me", Password: "mallory"},
		Compression: &clickhouse.Compression{Method: clickhouse.CompressionGZIP},
		DialTimeout: 60 * time.Second,
		ReadTimeout: 60 * time.Second,
		HttpUrlPath: "/api/sql",
		Protocol:    clickhouse.HTTP,
	})
	if err := db.Ping(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for _, statement := range os.Args[2:] {
		line, _ := json.Marshal(ask(db, statement))
		fmt.Println(string(line))
	}
}

func ask(db *sql.DB, statement string) (all said) {
	rows, err := db.Query(statement)
	if err != nil {
		return failed(err)
	}
	defer rows.Close()
	columns, _ := rows.ColumnTypes()
	for _, column := range columns {
		all.Names = append(all.Names, column.Name())
		all.Types = append(all.Types, column.DatabaseTypeName())
	}
	for rows.Next() {
		values := make([]any, len(columns))
		places := make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			return failed(err)
		}
		row := make([]string, len(values))
		for i, value := range values {
			row[i] = fmt.Sprint(value)
		}
		all.Rows = append(all.Rows, row)
	}
	if err := rows.Err(); err != nil {
		return failed(err)
	}
	return all
}

func failed(err error) (all said) {
	all.Failure = err.Error()
	var exception *clickhouse.Exception
	if errors.As(err, &exception) {
		all.Code = exception.Code
	}
	return all
}

"""The official client of the Model Context Protocol against `vantage mcp`; prints what it saw as JSON."""

import asyncio
import json
import os
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client



def server(token, budget="7", *more):
    args = [*sys.argv[2:], "--budget", budget, *more]
    return StdioServerParameters(
        command=sys.argv[1], args=args, env={**os.environ, "VANTAGE_TOKEN": os.environ[token]}
    )


trace = {"kind": "trace", "agents": ["west"], "targets": ["203.0.113.9"], "last_ttl": 5}


async def call(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    return {"error": bool(result.is_error), "text": "\n".join(part.text for part in result.content)}


async def main():
    seen = {}
    async with Client(stdio_client(server("READING_TOKEN")), mode="legacy") as client:
        seen["legacy"] = sorted(tool.name for tool in (await client.list_tools()).tools)
        seen["forbidden"] = await call(client, "measure", **trace)
    async with Client(stdio_client(server("VANTAGE_TOKEN")), mode="auto") as client:
        tools = (await client.list_tools()).tools
        seen["tools"] = sorted(tool.name for tool in tools)
        seen["destructive"] = [tool.name for tool in tools if tool.annotations.destructive_hint]
        seen["unnamed"] = await call(client, "estimate", **{**trace, "targets": ["host.example"]})
        seen["agents"] = await call(client, "list_agents", words=["west"])
        seen["estimate"] = await call(client, "estimate", **trace)
        measured = await call(client, "measure", **trace)
        seen["measured"] = json.loads(measured["text"])
        id = seen["measured"]["id"]
        seen["over"] = await call(client, "measure", **trace)
        seen["bad"] = await call(client, "measure", kind="probes", agents=["west"], probes=["nonsense"])
        seen["refused"] = await call(client, "measure", kind="ping", agents=["nowhere"], targets=["192.0.2.1"], count=1)
        seen["left"] = await call(client, "estimate", **trace)
        seen["waited"] = json.loads((await call(client, "wait", id=id, timeout_s=50))["text"])
        seen["paths"] = await call(client, "read_results", id=id, view="paths")
        seen["replies"] = await call(client, "read_results", id=id, view="replies", rows=2)
        seen["stranger"] = await call(client, "read_results", id="6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55", view="loss")
        seen["cancelled"] = await call(client, "cancel", id=id)
    async with Client(stdio_client(server("VANTAGE_TOKEN", "0")), mode="auto") as client:
        seen["foreign"] = await call(client, "cancel", id=id)
        seen["named"] = await call(client, "estimate", **{**trace, "targets": ["secret.example"]})
        seen["free"] = await call(client, "estimate", **trace)
    async with Client(stdio_client(server("VANTAGE_TOKEN", "0", "--cancel-any"))) as client:
        seen["allowed"] = await call(client, "cancel", id=id)
    print(json.dumps(seen))


asyncio.run(main())

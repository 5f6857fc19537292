"""Internet measurements by the agents of a Vantage gateway: submit, wait, read results."""

from .aio import AsyncVantage
from .client import Vantage
from .errors import GatewayError
from .probes import Probe, ping_probes, trace_probes
from .waiting import Waited

__all__ = ["AsyncVantage", "GatewayError", "Probe", "Vantage", "Waited", "ping_probes", "trace_probes"]

"""Internet measurements and their results from a Vantage gateway.

>>> import vantage
>>> v = vantage.Client()
>>> for path in v.trace("example.org", from_=["west"]):
...     print(path["agent"], path["reached"], len(path["hops"]))

Types of rows and responses are in ``vantage.types``.
"""

from ._async.campaign import AsyncCampaign
from ._async.client import AsyncClient
from ._async.rows import AsyncRows
from ._errors import (
    GatewayError,
    LoginError,
    MissingPackage,
    NotAuthorized,
    PartialResult,
    QuotaExceeded,
    VantageError,
)
from ._probes import Probe, Shape, ping_probes, trace_probes
from ._sync.campaign import Campaign
from ._sync.client import Client
from ._sync.rows import Rows

__all__ = [
    "AsyncCampaign",
    "AsyncClient",
    "AsyncRows",
    "Campaign",
    "Client",
    "GatewayError",
    "LoginError",
    "MissingPackage",
    "NotAuthorized",
    "PartialResult",
    "Probe",
    "QuotaExceeded",
    "Rows",
    "Shape",
    "VantageError",
    "ping_probes",
    "trace_probes",
]

# Tracebacks and help name them as programs do.
for _name in __all__:
    globals()[_name].__module__ = __name__

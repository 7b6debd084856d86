"""The adapter kit: find due work, reconcile, report, send heartbeats, and finalize deletions.

An adapter is a function from a resource to a `Result`. `Adapter` runs it in threads, and
`AsyncAdapter` in asyncio. Both do the same:

- Leases of the server find the due resources, so processes with one adapter share its work. If the
  server rejects leases, a watch and a search find them, and every process does all the work.
- Resources that wait for a retry have a growing, random delay. One failure delays no others.
- A report has the generation that was reconciled and the time by the server's clock.
- A discarded report is not sent again. The log has the reason.

`Worker` and `AsyncWorker` take the same functions. They work only by leases, for any kinds, and
`stop()` waits for their calls.
"""

from __future__ import annotations

from ._async.adapter import AsyncAdapter
from ._async.worker import AsyncWorker
from ._core.adapter_result import Reported, Result
from ._sync.adapter import Adapter
from ._sync.worker import Worker

__all__ = ["Adapter", "AsyncAdapter", "AsyncWorker", "Reported", "Result", "Worker"]

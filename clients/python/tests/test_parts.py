from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

import pytest

import flotilla
from flotilla import Retry, Snapshot
from flotilla._core.json_lines import JsonLines
from flotilla._core.response_error import response_error
from flotilla._core.work_queue import WorkQueue
from flotilla.adapter import Result
from flotilla.snapshot import parse_time

STATUSES = [
    (400, flotilla.Invalid),
    (401, flotilla.Unauthorized),
    (403, flotilla.Forbidden),
    (404, flotilla.NotFound),
    (409, flotilla.Conflict),
    (410, flotilla.Expired),
    (412, flotilla.PreconditionFailed),
    (422, flotilla.Invalid),
    (429, flotilla.TooManyRequests),
    (500, flotilla.ApiError),
    (503, flotilla.Unavailable),
    (504, flotilla.Unavailable),
]


@pytest.mark.parametrize(("status", "class_"), STATUSES)
def test_a_problem_becomes_the_error_of_its_status(status: int, class_: type) -> None:
    problem = {"status": status, "code": "HYPERFLEET-X", "detail": "why", "errors": [{"a": 1}]}
    headers = {"x-request-id": "r1", "retry-after": "2"}
    error = response_error(status, headers, json.dumps(problem).encode())
    assert type(error) is class_
    assert (error.status, error.code, error.message) == (status, "HYPERFLEET-X", "why")
    assert (error.request_id, error.errors, error.retry_after) == ("r1", [{"a": 1}], 2.0)


def test_a_kubernetes_status_has_a_reason_and_causes() -> None:
    details = {"causes": [{"field": "spec.replicas"}], "retryAfterSeconds": 3}
    status = {"kind": "Status", "reason": "Invalid", "message": "why", "details": details}
    error = response_error(422, {}, json.dumps(status).encode())
    assert isinstance(error, flotilla.Invalid)
    assert (error.code, error.message, error.retry_after) == ("Invalid", "why", 3)
    assert error.errors == [{"field": "spec.replicas"}]


@pytest.mark.parametrize("body", [b"", b"<html>Bad Gateway</html>", b"[1]", b"\xff"])
def test_a_body_that_is_no_problem_is_an_error_too(body: bytes) -> None:
    error = response_error(502, {"retry-after": "soon"}, body)
    assert isinstance(error, flotilla.Unavailable)
    assert error.retry_after is None


def test_retries_wait_as_long_as_the_server_asks() -> None:
    retry = Retry(attempts=3, base=1.0, cap=4.0, longest_wait=10.0)
    assert 0.5 <= retry.delay(1) <= 1.0
    assert 2.0 <= retry.delay(50) <= 4.0
    assert retry.delay(1, retry_after=7.0) == 7.0
    busy = flotilla.TooManyRequests(429, "c", "m", retry_after=7.0)
    assert retry.permits(busy, 1, idempotent=False)
    assert not retry.permits(busy, 3, idempotent=True)
    assert not retry.permits(
        flotilla.TooManyRequests(429, "c", "m", retry_after=11.0), 1, idempotent=True
    )


def test_only_repeatable_requests_are_sent_again_after_an_unknown_outcome() -> None:
    retry = Retry()
    for code, expected in (("interrupted", False), ("unreachable", True)):
        error = flotilla.Unavailable(0, code, "m")
        assert retry.permits(error, 1, idempotent=False) is expected
        assert retry.permits(error, 1, idempotent=True)
    assert not retry.permits(flotilla.NotFound(404, "c", "m"), 1, idempotent=True)


def test_lines_are_split_at_line_feeds_only() -> None:
    lines = JsonLines()
    text = '{"a":"\u2028\u0085"}\n\n{"b":2}'.encode()
    found: list[Any] = []
    for index in range(len(text)):
        found.extend(lines.feed(text[index : index + 1]))
    assert found == [{"a": "\u2028\u0085"}]
    assert list(lines.end()) == [{"b": 2}]


@pytest.mark.parametrize(
    ("text", "microsecond"),
    [("2026-01-02T03:04:05Z", 0), ("2026-01-02T03:04:05.1234Z", 123400)],
)
def test_times_have_any_number_of_digits(text: str, microsecond: int) -> None:
    expected = datetime(2026, 1, 2, 3, 4, 5, microsecond, tzinfo=timezone.utc)
    assert parse_time(text) == expected


def test_a_snapshot_finds_parts_by_plural_and_group() -> None:
    def part(group: str) -> dict[str, Any]:
        return {"group": group, "resource": "tasks", "synced": True, "itemCount": 1, "items": [{}]}

    document = {
        "cluster": "a",
        "snapshotTime": "2026-01-02T03:04:05Z",
        "liveResources": 2,
        "resources": [part("a.example.org"), part("b.example.org")],
    }
    snapshot = Snapshot.parse(document)
    assert snapshot.by_resource("tasks") == snapshot.resources[0]
    assert snapshot.by_resource("tasks.b.example.org") == snapshot.resources[1]
    assert snapshot.by_resource("tasks", group="b.example.org") == snapshot.resources[1]
    assert snapshot.total_items() == 2


def test_a_result_becomes_conditions() -> None:
    done = Result(True, "Served", conditions={"Fast": "Unknown"})
    assert done.report_conditions(is_deleted=False) == [
        {"type": "Available", "status": "True", "reason": "Served"},
        {"type": "Applied", "status": "True"},
        {"type": "Health", "status": "True"},
        {"type": "Fast", "status": "Unknown"},
    ]
    types = [one["type"] for one in Result(False).report_conditions(is_deleted=True)]
    assert types == ["Available", "Applied", "Health", "Finalized"]
    waiting = Result(False, finalized=False).report_conditions(is_deleted=True)
    assert "Finalized" not in [one["type"] for one in waiting]


def test_a_queue_gives_a_key_to_one_worker_at_a_time() -> None:
    now = 0.0
    queue = WorkQueue(lambda: now)
    queue.add("a")
    queue.add("b", delay=5.0)
    assert (queue.take(), queue.take()) == ("a", None)
    queue.add("a")
    assert queue.take() is None
    assert (queue.failed("a"), queue.take(), queue.failed("a")) == (1, "a", 2)
    now = 5.0
    assert queue.take() == "b"
    queue.done("b")
    queue.forget("a")
    assert queue.take() is None


def test_a_removed_key_stays_with_its_worker() -> None:
    queue = WorkQueue()
    queue.add("a")
    assert queue.take() == "a"
    queue.forget("a")
    queue.add("a")
    assert queue.take() is None
    queue.done("a")
    assert queue.take() == "a"


def test_a_key_that_is_removed_while_a_worker_has_it_is_not_repeated() -> None:
    queue = WorkQueue()
    queue.add("a")
    assert queue.take() == "a"
    queue.forget("a")
    queue.repeat("a")
    assert (queue.failed("a"), queue.take()) == (None, None)
    queue.add("a")
    assert queue.take() == "a"
    queue.forget("a")
    queue.keep("a")
    queue.repeat("a")
    assert (queue.failed("a"), queue.take()) == (1, "a")

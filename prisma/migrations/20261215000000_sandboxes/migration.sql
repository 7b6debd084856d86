-- Older servers: may run beside this schema, because they do not use the new tables. If they remove
-- or reset a plane, rows of its sandboxes remain; the controller removes them.
--
-- What the controller has recorded about each Sandbox. Clients cannot change it, unlike the object.
create table sandbox_states (
  uid text collate "C" primary key,
  plane text collate "C" not null,
  namespace text collate "C" not null,
  name text collate "C" not null,
  -- Rises with each owner of an operation. Runtimes reject calls with a lower number.
  fence bigint not null,
  -- Row version, for optimistic updates between operations.
  version integer not null default 1,
  phase text collate "C" not null default 'Absent',
  runtime text collate "C",
  instance_id text collate "C",
  suspended_by text collate "C",
  -- The snapshot of the current suspension.
  snapshot_name text collate "C",
  snapshot_uid text collate "C",
  workload_digest text collate "C",
  boot text collate "C",
  details jsonb not null default '{}',
  last_activity_time timestamptz(3),
  created_time timestamptz(3) not null,
  constraint sandbox_states_phase check (phase in ('Absent', 'Running', 'Frozen', 'Exited')),
  constraint sandbox_states_suspended_by check (suspended_by in ('Stop', 'Freeze', 'Hibernate')),
  constraint sandbox_states_boot check (boot in ('CLEAN', 'RESUME', 'RESUME_FS', 'FORK')),
  constraint sandbox_states_snapshot check ((snapshot_name is null) = (snapshot_uid is null)),
  -- A stopped sandbox never restores an older snapshot.
  constraint sandbox_states_stop check (suspended_by <> 'Stop' or snapshot_uid is null)
) with (fillfactor = 80);

create index sandbox_states_by_plane on sandbox_states (plane);
create index sandbox_states_by_runtime on sandbox_states (runtime, uid);

create table sandbox_operations (
  id text collate "C" primary key,
  sandbox_uid text collate "C" not null,
  plane text collate "C" not null,
  namespace text collate "C" not null,
  name text collate "C" not null,
  kind text collate "C" not null,
  -- The last step that is complete.
  step text collate "C" not null,
  attempt integer not null default 1,
  -- The fencing number of the owner.
  fence bigint not null,
  holder text collate "C" not null,
  lease_expires_time timestamptz(3) not null,
  -- The generation of the sandbox that the operation was started for.
  generation bigint not null,
  data jsonb not null default '{}',
  reason text collate "C",
  message text collate "C",
  next_attempt_time timestamptz(3),
  created_time timestamptz(3) not null,
  result text collate "C",
  finished_time timestamptz(3),
  constraint sandbox_operations_kind
    check (kind in ('Start', 'Suspend', 'Resume', 'Snapshot', 'Delete', 'DeleteSnapshot')),
  constraint sandbox_operations_result check (result in ('Succeeded', 'Failed', 'Cancelled')),
  constraint sandbox_operations_finished check ((result is null) = (finished_time is null))
) with (fillfactor = 80);

-- One unfinished operation per sandbox.
create unique index sandbox_operations_unfinished on sandbox_operations (sandbox_uid)
  where finished_time is null;
create index sandbox_operations_by_sandbox on sandbox_operations (sandbox_uid, created_time, id);
create index sandbox_operations_by_plane on sandbox_operations (plane);
create index sandbox_operations_finished on sandbox_operations (finished_time);

-- Older servers: may run beside this schema. They do not read members. If they delete a resource,
-- its row is deleted with it.
--
-- The resources that groups manage, such as the clusters of a Fleet. A row holds what the resource
-- itself cannot: which group created it, from which template, and which client has claimed it.
create table members (
  resource_id text collate "C" not null,
  -- The uid of the group. A group that is deleted and created again has another one.
  group_uid text collate "C" not null,
  group_name text collate "C" not null,
  -- The hash of the content that the member was created from.
  template text collate "C" not null,
  state text collate "C" not null,
  holder text collate "C",
  claim_id text collate "C",
  -- The claim before, so that a release can be repeated.
  last_claim_id text collate "C",
  claimed_time timestamptz(3),
  expires_time timestamptz(3),
  -- The duration of the lease, for renewals without one.
  lease_seconds integer,
  -- The start of the first claim, for lifetimes that begin with it.
  first_claimed_time timestamptz(3),
  -- The last time at which the member became available or had to be reset.
  transition_time timestamptz(3) not null,
  created_time timestamptz(3) not null,
  constraint members_pkey primary key (resource_id),
  constraint members_resource_id_fkey foreign key (resource_id) references resources (id)
    on delete cascade on update no action,
  constraint members_state check (state in ('Available', 'Claimed', 'Recycling')),
  constraint members_claim check ((state = 'Claimed') = (claim_id is not null)
    and (claim_id is not null) = (holder is not null)
    and (claim_id is not null) = (claimed_time is not null)
    and (claim_id is not null or expires_time is null)
    and (expires_time is null) = (lease_seconds is null))
) with (fillfactor = 80);

create index members_by_group on members (group_uid, resource_id);
-- For claims: the member that has been available longest comes first.
create index members_available on members (group_uid, transition_time, resource_id)
  where state = 'Available';
-- For the claims whose lease ends next.
create index members_expiring on members (group_uid, expires_time) where expires_time is not null;

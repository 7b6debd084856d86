-- Older servers: may run beside this schema. The trigger translates the states that they write. They
-- neither claim nor remove members that newer servers have marked as unclean.
--
-- A claim makes a member unclean. Only the commit of its reset makes it clean again, whichever way it
-- returned. `Available` therefore means clean, unless the holder has released it with `then: Keep`.
alter table members
  -- An available member with the content of its last holder, who has handed it on.
  add column kept boolean not null default false,
  -- The group whose template has written the content, if it is not `group_uid`. An orphan has it: its
  -- `group_uid` is empty, so that no statement of a group finds its row.
  add column former_group_uid text collate "C" not null default '',
  drop constraint members_state,
  add constraint members_state check (state in ('Available', 'Claimed', 'Recycling', 'Unclean')),
  add constraint members_kept check (not kept or state = 'Available');

-- Members that must be reset before they can be claimed.
create index members_unclean on members (group_uid, resource_id) where state = 'Unclean';

-- The only place that decides whether a member may be available, so that no statement can forget it.
-- A statement that would make a member available without a reset makes it unclean instead.
create function guard_member_state() returns trigger language plpgsql as $$
begin
  if new.state <> 'Available' then
    new.kept := false;
  elsif new.template = '' then
    -- The content is unknown: older servers adopt orphans like this.
    new.kept := false;
    new.state := 'Unclean';
  elsif tg_op = 'INSERT' then
    return new;
  elsif old.state = 'Available' then
    new.kept := old.kept;
    -- Content that a holder has handed on stays within the group.
    if old.kept and new.group_uid <> old.group_uid then
      new.kept := false;
      new.state := 'Unclean';
    end if;
  elsif new.group_uid = old.group_uid and old.state = 'Recycling' then
    new.kept := false;
  elsif new.group_uid = old.group_uid and old.state = 'Claimed' and new.last_claim_id = old.claim_id then
    new.kept := true;
  else
    new.kept := false;
    new.state := 'Unclean';
  end if;
  return new;
end
$$;

-- Older servers have adopted these members without a record of their claims.
update members set state = 'Unclean' where state = 'Available' and template = '';
-- Reset members and those with `then: Keep` look alike: claims say that the content may be kept.
update members set kept = true where state = 'Available' and last_claim_id is not null;

create trigger guard_state before insert or update on members
  for each row execute function guard_member_state();

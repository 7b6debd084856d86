-- The only place that decides whether a member may be available, so that no statement can forget it.
-- A statement that would make a member available without a reset makes it unclean instead.
create or replace function guard_member_state() returns trigger language plpgsql as $$
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

-- The number of resources of these kinds below one parent and of one tenant, including resources
-- that are being deleted. A null parent or tenant matches any. Stable: it uses the snapshot of the
-- calling statement, so that a page and its total agree.
create or replace function resource_total(kinds text[], parent text, of_tenant text) returns bigint
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(total), 0)::bigint from resource_counts
    where kind = any(kinds) and owner_id = coalesce(parent, '')
      and (of_tenant is null or tenant = of_tenant)
  ) + (
    select coalesce(sum(case type when 'ADDED' then 1 else -1 end), 0)::bigint from outbox
    where kind = any(kinds) and kind is not null and type <> 'MODIFIED'
      and (parent is null or owner_id = parent) and (of_tenant is null or tenant = of_tenant)
  );
end
$$;

-- Whether the second origin is a later timeline of the same database.
create or replace function is_later_timeline(earlier text, later text) returns boolean
language sql immutable
return split_part(earlier, '/', 1) = split_part(later, '/', 1)
  and split_part(earlier, '/', 3) = split_part(later, '/', 3)
  and nullif(split_part(earlier, '/', 2), '')::integer < split_part(later, '/', 2)::integer;

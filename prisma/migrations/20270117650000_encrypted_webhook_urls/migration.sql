-- Older servers: may run beside this schema. While one runs, URLs are stored as before. One that starts
-- after URLs were encrypted fails to send to them and repeats its attempts until a newer server runs.

comment on column webhooks.url is
  'Encrypted if the servers have SECRETS_ENCRYPTION_KEY and none of them has an older version.';

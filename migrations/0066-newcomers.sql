-- Who came back from a provider and has no account yet: what the provider said of them, sealed, for an hour. Null once
-- they have one.
alter table auth.provider_flows add newcomer bytea;

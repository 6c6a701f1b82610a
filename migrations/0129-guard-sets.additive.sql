create index concurrently if not exists tenant_log_guards on public.tenant_log (guards, tenant_id);
-- Valid too where an earlier attempt was broken off.
reindex index concurrently public.tenant_log_guards;

/**
 * The 123 migrations that there were up to `commit`. Those up to `adopted` replaced them: they create what the former ones had
 * created in the end.
 */
export const FORMER = {
  first: '0001-event-store.sql',
  last: '0742-student-cpf.additive.sql',
  commit: '1c1e2609',
  adopted: '0012-notices.sql',
  /** Removes what was there only for versions before that, and defines anew what differs. */
  change: `
    drop trigger uses_keep_former_links on uses;
    drop function keep_former_links, auth.cpf_is_known, auth.find_signature_link, open_tenant(uuid),
      lock_log(uuid, uuid, text, text),
      record_command(uuid, bigint, bytea, jsonb, jsonb, uuid, text, text, text, json);
    drop table student_links, location_links, plan_links, snapshot_folds;
    create or replace function open_tenant(p_tenant uuid, p_guards text) returns void language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  insert into tenant_log (tenant_id, head_hash, guards) values (p_tenant, genesis_hash(p_tenant), p_guards);
  insert into projection_checkpoint (tenant_id, projection) values (p_tenant, 'live'), (p_tenant, 'summaries');
end $$;`,
};

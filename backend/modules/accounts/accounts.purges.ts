/**
 * How long rows are kept: devices 400 days, as long as their cookie; mail tokens a day until the mail is sent, then ten minutes;
 * codes and challenges five minutes; flows of providers ten minutes, and the sign-up page after them an hour; unfinished
 * enrolments of a second factor a day; copies of somebody's data a day; security events a year.
 */
export const accountsPurges = [
  `delete from auth.security_events where at < now() - interval '1 year'`,
  `delete from auth.known_devices where seen_at < now() - interval '400 days'`,
  `delete from auth.mail_tokens where created_at < now() - interval '25 hours'`,
  `delete from auth.pending_sign_ups where created_at < now() - interval '25 hours'`,
  `delete from auth.flow_states where created_at < now() - interval '1 hour'`,
  `delete from auth.provider_flows where created_at < now() - interval '70 minutes'`,
  `delete from auth.factor_challenges where created_at < now() - interval '1 hour'`,
  `delete from auth.factors where verified_at is null and created_at < now() - interval '1 day'`,
  `delete from auth.signing_keys k where exists (select from auth.signing_keys n
     where n.active_from > k.active_from and n.active_from < now() - interval '2 hours')`,
  `delete from auth.account_exports where coalesce(done_at, created_at) < now() - interval '1 day'`,
];

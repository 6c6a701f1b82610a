/**
 * A browser that nobody signed in from for 400 days has lost its cookie. A mail leaves within a day or not at all, and what it carries is over ten minutes later; codes and challenges live for
 * five minutes, and whoever comes from a provider has ten minutes for the way and an hour for the page after it. An
 * enrolment that nobody finishes within a day is none. A copy of somebody's data
 * waits for a day. What happened to the security of an account is kept for a year.
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

/** A mail leaves within a day or not at all, and what it carries is over ten minutes later; a code lives for five minutes. */
export const accountsPurges = [
  `delete from auth.mail_tokens where created_at < now() - interval '25 hours'`,
  `delete from auth.pending_sign_ups where created_at < now() - interval '25 hours'`,
  `delete from auth.flow_states where created_at < now() - interval '1 hour'`,
];

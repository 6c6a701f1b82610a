-- What mails, sign-ups and flows leave behind is swept away by the worker.
grant select, delete on auth.mail_tokens, auth.pending_sign_ups, auth.flow_states to rende_projector;

-- Requests counted by limit and caller where there is no Redis, for all processes together. Counts need not survive a
-- crash, so they are not logged. The columns are those of rate-limiter-flexible, in its order.
create unlogged table rate_limits (
  key text primary key,
  points integer not null,
  -- End of the window in milliseconds since 1970. An hour later the row goes.
  expire bigint not null
) with (fillfactor = 50);
grant select, insert, update, delete on rate_limits to rende_app;

-- A trainer says in which zone the business is.
grant update (timezone) on tenants to rende_app;

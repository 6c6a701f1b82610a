/** The hash chain as an SQL aggregate over a tenant's events, in order of position. */
export const HASHES = `
create or replace function pg_temp.next_hash(hash bytea, head bytea, bigint, text, integer, text, smallint, jsonb, jsonb,
  timestamptz) returns bytea language sql stable as $$
  select event_hash(coalesce($1, $2), $3, $4, $5, $6, $7, $8, $9, $10)
$$;
create or replace aggregate pg_temp.chain(bytea, bigint, text, integer, text, smallint, jsonb, jsonb, timestamptz)
  (sfunc = pg_temp.next_hash, stype = bytea);`;

/** $1 trainers who signed up and did nothing since. */
export const IDLE = `with person as (
  select gen_random_uuid() as user_id, gen_random_uuid() as tenant_id from generate_series(1, $1::int)
), account as (
  insert into auth.users (id, email, password_hash, user_metadata)
  select user_id, user_id || '@example.com', '', '{"nome": "Personal"}' from person
), business as (
  insert into tenants (tenant_id, slug, timezone) select tenant_id, tenant_id::text, 'America/Sao_Paulo' from person
), member as (
  insert into memberships (tenant_id, user_id, role) select tenant_id, user_id, 'personal' from person
), log as (
  insert into tenant_log (tenant_id, head_hash) select tenant_id, genesis_hash(tenant_id) from person
)
insert into projection_checkpoint (tenant_id, projection) select tenant_id, 'shared' from person`;

/** Gives trainers who only signed up the same guard set that commands built for the others. */
export const SAME_GUARDS = 'update tenant_log set guards = (select max(guards) from tenant_log)';

const iso = (instant) => `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const session = `'session_id', session_id, 'student_id', student_id, 'inicio', ${iso('inicio')}, 'fim', ${iso('fim')}`;
/** Sessions that ended since are still to be marked as done, which the simulation does. */
const settled = `now() - interval '14 days'`;

/**
 * The work of businesses ($1) in a number of weeks ($2) up to now, and two weeks of future sessions. Each student has two
 * hours of the week that no other student of the trainer has. Each event has a realistic `recorded_at`; events of different
 * trainers are interleaved, as in a log that grew over time.
 */
export const WORK = `with trainer as (
  select * from jsonb_to_recordset($1)
    as t(tenant_id uuid, user_id uuid, session_id uuid, plan_id uuid, location_id uuid, students uuid[])
), week as (
  select generate_series(-$2::int, 1) as week
), lesson as (
  select tenant_id, student_id, gen_random_uuid() as session_id, ((week + $2) * 2 + half) / 10 as lot, inicio,
    inicio + interval '1 hour' as fim
  from trainer cross join unnest(students) with ordinality as s(student_id, n) cross join week
  cross join generate_series(0, 1) as half
  cross join lateral (select ((n - 1) * 2 + half)::int as hour) as place
  cross join lateral (
    select date_trunc('week', now()) + make_interval(days => week * 7 + hour % 5, hours => 9 + hour / 5) as inicio
  ) as start
), lot as (
  select tenant_id, student_id, lot, gen_random_uuid() as lot_id, gen_random_uuid() as transaction_id,
    min(inicio) - interval '1 hour' as at
  from lesson group by tenant_id, student_id, lot having min(fim) < now()
), fact as (
  select tenant_id, 'transaction:' || transaction_id as stream_id, at, 1 as turn, 'TransactionRecorded' as type,
    jsonb_build_object('transaction_id', transaction_id, 'tipo', 'receita', 'descricao', null, 'valor', 90000,
      'metodo_pagamento', 'pix', 'data', at::date, 'alocacoes', '[{"tipo": "imposto", "valor": 9000},
        {"tipo": "reserva", "valor": 18000}, {"tipo": "operacional", "valor": 27000},
        {"tipo": "retirada", "valor": 36000}]'::jsonb) as data
  from lot
  union all
  select tenant_id, 'transaction:' || transaction_id, at, 1, 'TransactionRecorded',
    jsonb_build_object('transaction_id', transaction_id, 'tipo', 'despesa', 'descricao', null, 'valor', 12000,
      'metodo_pagamento', 'pix', 'data', at::date, 'alocacoes', '[]'::jsonb)
  from (
    select tenant_id, gen_random_uuid() as transaction_id, now() + make_interval(weeks => week) as at
    from trainer cross join week where week < 0
  ) as expense
  union all
  select tenant_id, 'credit-account:' || student_id, at, 2, 'CreditsGranted',
    jsonb_build_object('student_id', student_id, 'entry_id', lot_id, 'at', ${iso('at')}, 'lot_id', lot_id,
      'quantidade', 10, 'plano_id', plan_id, 'expira_em', null, 'expires_at', null, 'timezone', 'America/Sao_Paulo')
  from lot join trainer using (tenant_id)
  union all
  select tenant_id, 'session:' || l.session_id, inicio - interval '14 days', 3, 'SessionBooked',
    jsonb_build_object(${session.replace('session_id, ', 'l.session_id, ')}, 'location_id', location_id,
      'observacoes', null, 'permitir_conflito', false, 'confirmado', true, 'timezone', 'America/Sao_Paulo')
  from lesson l join trainer using (tenant_id)
  union all
  select tenant_id, 'session:' || session_id, fim, 4, 'SessionCompleted',
    jsonb_build_object(${session}, 'credito', 'usado', 'valor', 9000, 'permitir_conflito', false, 'de', 'agendada')
  from lesson where fim < ${settled}
  union all
  select tenant_id, 'credit-account:' || student_id, fim, 5, 'CreditConsumed',
    jsonb_build_object('student_id', student_id, 'entry_id', gen_random_uuid(), 'at', ${iso('fim')}, 'lot_id', lot_id,
      'causa', 'sessao', 'session_id', session_id, 'motivo', null)
  from lesson join lot using (tenant_id, student_id, lot) where fim < ${settled}
), placed as (
  select f.*, head_hash, l.position + row_number() over (partition by tenant_id order by at, turn, stream_id) as position,
    (row_number() over (partition by tenant_id, stream_id order by at, turn))::int as version,
    jsonb_build_object('actor', user_id, 'device', session_id, 'request', gen_random_uuid(), 'command', 'Work') as meta
  from fact f join trainer using (tenant_id) join tenant_log l using (tenant_id)
), hashed as (
  select *, pg_temp.chain(head_hash, position, stream_id, version, type, 1::smallint, data, meta, at)
    over (partition by tenant_id order by position) as hash
  from placed
), written as (
  insert into events (tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at, hash)
  select tenant_id, position, stream_id, version, type, 1, data, meta, at, hash from hashed order by at
  returning tenant_id, position, hash
), last as (
  select distinct on (tenant_id) tenant_id, position, hash from written order by tenant_id, position desc
), logged as (
  update tenant_log l set position = last.position, head_hash = last.hash from last where last.tenant_id = l.tenant_id
)
update projection_checkpoint c set position = last.position from last where last.tenant_id = c.tenant_id`;

/** Writes the guard rows that commands would have written with those events, for tenants $1. */
export const GUARDS = [
  `with booked as (
     select tenant_id, (data->>'session_id')::uuid as session_id,
       tstzrange((data->>'inicio')::timestamptz, (data->>'fim')::timestamptz) as during
     from events where tenant_id = any($1) and type = 'SessionBooked'
   ), member as (
     insert into session_slot_members (tenant_id, session_id, during) select tenant_id, session_id, during from booked
   )
   insert into session_slots (tenant_id, during) select tenant_id, during from booked`,
  `insert into credit_lots (tenant_id, lot_id, student_id, remaining)
   select tenant_id, (data->>'lot_id')::uuid, (data->>'student_id')::uuid,
     sum(case type when 'CreditsGranted' then (data->>'quantidade')::int else -1 end)
   from events where tenant_id = any($1) and type in ('CreditsGranted', 'CreditConsumed') group by 1, 2, 3`,
  `insert into uses (tenant_id, used, holder)
   select distinct tenant_id, kind || ':' || (data->>field), holder
   from events join (values ('SessionBooked', 'student', 'student_id', 'session'), ('SessionBooked', 'location', 'location_id', 'session'),
     ('CreditsGranted', 'student', 'student_id', 'credit-account'), ('CreditsGranted', 'plan', 'plano_id', 'credit-account'))
     as u(type, kind, field, holder) using (type)
   where tenant_id = any($1) and data->>field is not null on conflict do nothing`,
];

/** Writes snapshots of the credit accounts of tenants $1, with fold number $2. */
export const SNAPSHOTS = `with entry as (
    select tenant_id, stream_id, version, data->>'lot_id' as lot_id, data->>'session_id' as session_id,
      coalesce((data->>'quantidade')::int, -1) as quantidade,
      max(version) over (partition by tenant_id, stream_id) / 10 * 10 as kept
    from events where tenant_id = any($1) and type in ('CreditsGranted', 'CreditConsumed')
  ), lot as (
    select tenant_id, stream_id, kept, lot_id, min(version) as first, sum(quantidade) as remaining,
      coalesce(jsonb_agg(session_id order by version) filter (where session_id is not null), '[]') as sessions
    from entry where version <= kept group by 1, 2, 3, 4
  )
  insert into snapshots (tenant_id, stream_id, fold, version, state)
  select tenant_id, stream_id, $2, kept, jsonb_build_object('lots', jsonb_agg(jsonb_build_object('lot_id', lot_id,
    'remaining', remaining, 'expira_em', null, 'expires_at', null, 'sessions', sessions) order by first))
  from lot group by 1, 2, 4`;

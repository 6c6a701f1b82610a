import { backendModule } from '../../start/database.mjs';
import { interleave, line } from '../measure.mjs';

const TENANTS = 200;
const STUDENTS = 40;

/** A trainer's log, with alternating events of credits (a lot of ten credits, then ten uses of it) and of money. */
const EVENTS = `insert into events (tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at, hash)
select tenant_id, position, stream, version, type, 1, data,
  jsonb_build_object('actor', tenant_id, 'device', tenant_id, 'request', event_id, 'command', 'Bench'),
  timestamptz '2025-11-01' + position * interval '1 hour', '\\x00'
from generate_series(1, $1::int) as t(tenant)
cross join generate_series(1, $2::int) as p(position)
cross join lateral (
  select md5('tenant' || tenant)::uuid as tenant_id, md5(tenant || '/' || position)::uuid as event_id,
    (position / 2) % $3::int as student, position / 2 / $3::int as turn
) as who
cross join lateral (
  select md5('student' || tenant || '/' || student)::uuid as student_id,
    md5('lot' || tenant || '/' || student || '/' || turn / 11)::uuid as lot_id
) as ids
cross join lateral (
  select 'transaction:' || event_id, 1, 'TransactionRecorded',
    jsonb_build_object('transaction_id', event_id, 'tipo', case when position % 6 = 1 then 'despesa' else 'receita' end,
      'data', (date '2025-11-01' + position % 365)::text, 'metodo_pagamento', 'pix', 'descricao', null, 'valor', 32000,
      'alocacoes', case when position % 6 = 1 then '[]'::jsonb else '[{"tipo": "imposto", "valor": 3200},
        {"tipo": "reserva", "valor": 6400}, {"tipo": "operacional", "valor": 9600},
        {"tipo": "retirada", "valor": 12800}]'::jsonb end)
  where position % 2 = 1
  union all
  select 'credit-account:' || student_id, turn + 1, case turn % 11 when 0 then 'CreditsGranted' else 'CreditConsumed' end,
    jsonb_build_object('student_id', student_id, 'entry_id', case turn % 11 when 0 then lot_id else event_id end,
      'at', '2026-01-01T10:00:00.000Z', 'lot_id', lot_id)
    || case turn % 11
      when 0 then jsonb_build_object('quantidade', 10, 'plano_id', student_id, 'expira_em', null, 'expires_at', null,
        'timezone', 'America/Sao_Paulo')
      else jsonb_build_object('causa', 'sessao', 'session_id', event_id, 'motivo', null) end
  where position % 2 = 0
) as e(stream, version, type, data)
order by tenant_id, position`;

const READ = `select count(*), sum(length(data::text)) from events`;

/** Rebuilds credit balances and month summaries from the log, compared with only reading the log. */
export async function rebuild(stage, { quick }) {
  const environment = await stage.database();
  const { createPool } = await backendModule('platform/database/pools.js');
  const owner = createPool(environment.DATABASE_OWNER_URL, {
    max: 1,
    searchPath: 'public',
    applicationName: 'bench',
  });
  await owner.query('set statement_timeout = 0');
  if (!stage.events) await fill(owner, quick ? 200_000 : 1_000_000);
  const { rows } = await owner.query('select count(*) as events from events');
  const [{ events }] = rows;

  let peak = 0;
  const subjects = {
    rebuild: async () => {
      const { seconds, rss } = await stage.rebuild(environment, ['credits', 'finance-months']);
      peak = Math.max(peak, rss);
      return events / seconds;
    },
    read: async () => {
      const began = performance.now();
      await owner.query(READ);
      return (events * 1000) / (performance.now() - began);
    },
  };
  await subjects.read();
  const results = await interleave(subjects, quick || stage.events ? 3 : 5);
  await owner.end();
  return {
    title: `Reconstrução de ${events.toLocaleString('pt-BR')} eventos em saldos de crédito e resumos do mês`,
    lines: [line('saldos e meses', 'eventos/s', results.rebuild, 'só ler os eventos no banco', results.read)],
    remarks: [`Memória do processo no pico: ${Math.round(peak / 2 ** 20)} MiB`],
  };
}

async function fill(owner, events) {
  await owner.query(EVENTS, [TENANTS, events / TENANTS, STUDENTS]);
  await owner.query(
    `with log as (select tenant_id, max(position) as position from events group by tenant_id),
       opened as (insert into tenant_log (tenant_id, position, head_hash) select tenant_id, position, '\\x00' from log)
     insert into projection_checkpoint (tenant_id, projection, position) select tenant_id, 'shared', position from log`,
  );
  await owner.query('vacuum analyze events');
}

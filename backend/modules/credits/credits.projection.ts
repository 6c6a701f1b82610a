import { rowProjection, sqlProjection, stateProjection } from '../../platform/projections/projection.js';
import { creditSharing } from './credit-sharing.js';
import { creditTransfer } from './credit-transfer.js';
import { makeUpRulesOf } from './make-up.js';
import type { CreditEvent } from './credit-account.js';
import type { MakeUpRules } from './make-up.api.js';

const students = ({ student_id }: Record<string, unknown>) => [student_id as string];

/** A transfer, or its undoing. */
const TRANSFER = `case when b.data->>'desfaz' is null then 'transferencia'
  when b.data->>'desfaz' is not null then 'transferencia_desfeita' end`;

/** The entries that the events of a batch make; their student is whose the lot was. */
const ENTRIES = `select b.tenant_id, b.position, s.lot_id, (b.data->>'entry_id')::uuid as entry_id, (b.data->>'student_id')::uuid as student_id, s.quantidade,
    case b.type when 'CreditsGranted' then 'concessao' when 'CreditsOpened' then 'concessao'
      when 'CreditConsumed' then 'consumo'
      when 'CreditReturned' then 'devolucao' when 'CreditsAdjusted' then 'ajuste'
      when 'MakeUpGranted' then 'reposicao' when 'MakeUpTakenBack' then 'reposicao_desfeita'
      when 'CreditsSent' then ${TRANSFER} when 'CreditsReceived' then ${TRANSFER} end as tipo,
    case b.type when 'CreditsGranted' then 'plano' when 'CreditsOpened' then 'importacao'
      when 'CreditConsumed' then b.data->>'causa'
      when 'CreditReturned' then 'sessao' when 'CreditsAdjusted' then 'manual'
      when 'MakeUpGranted' then 'cancelamento' when 'MakeUpTakenBack' then 'sessao'
      when 'CreditsSent' then 'transferencia' when 'CreditsReceived' then 'transferencia' end as causa,
    (b.data->>'plano_id')::uuid as plano_id, (b.data->>'session_id')::uuid as session_id, b.meta->>'actor' as user_id,
    (b.data->>'at')::timestamptz as em
  from batch b cross join lateral (
    select (b.data->>'lot_id')::uuid as lot_id,
      case b.type when 'CreditConsumed' then -1 when 'CreditReturned' then 1
        when 'CreditsGranted' then (b.data->>'quantidade')::int
        when 'CreditsOpened' then (b.data->>'quantidade')::int end as quantidade
    where b.type in ('CreditsGranted', 'CreditsOpened', 'CreditConsumed', 'CreditReturned')
    union all
    select lot_id, quantidade from jsonb_to_recordset(b.data->'lotes') as share(lot_id uuid, quantidade int)
    where b.type in ('CreditsAdjusted', 'CreditsSent', 'CreditsReceived')
    union all
    select moved.lot_id, moved.quantidade * case b.type when 'MakeUpGranted' then 1 when 'MakeUpTakenBack' then -1 end
    from (values ((b.data->>'lot_id')::uuid, 1), ((b.data->>'origem')::uuid, -1)) as moved(lot_id, quantidade)
    where b.type in ('MakeUpGranted', 'MakeUpTakenBack')
  ) s`;

/** The first event of each lot that is opened, with its data. */
const GRANTED = `select tenant_id, (data->>'entry_id')::uuid as lot_id, position, data from batch
  where type in ('CreditsGranted', 'CreditsOpened', 'MakeUpGranted') or type = 'CreditsAdjusted' and (data->>'quantidade')::int > 0
  union all
  select b.tenant_id, (share->>'lot_id')::uuid, b.position, b.data || share
  from batch b cross join jsonb_array_elements(b.data->'lotes') as share
  where b.type = 'CreditsReceived' and b.data->>'desfaz' is null`;

/** The last days that lots were given instead of their first. */
const MOVED = `select distinct on (b.tenant_id, s.lot_id) b.tenant_id, s.lot_id, s.expira_em, s.expires_at
  from batch b
  cross join jsonb_to_recordset(b.data->'lotes') as s(lot_id uuid, expira_em date, expires_at timestamptz)
  where b.type = 'CreditsExtended' or b.type = 'CreditsReceived' and b.data->>'desfaz' is not null order by b.tenant_id, s.lot_id, b.position desc`;

/** Lots that passed to another student with the whole account, and that student. */
const TAKEN_OVER = `select b.tenant_id, lot.id::uuid as lot_id, array_agg((b.data->>'de')::uuid) as givers,
    (array_agg((b.data->>'student_id')::uuid order by b.position desc))[1] as student_id
  from batch b cross join jsonb_array_elements_text(b.data->'todos') as lot(id)
  where b.type = 'CreditsTakenOver' group by b.tenant_id, lot.id`;

/**
 * The ledger and the remaining credits of each lot. Expiry has no entry: it depends on the time of the query. An entry's student is
 * whose the lot is.
 */
export const creditLedger = sqlProjection({
  name: 'credits',
  version: 4,
  topic: 'credits',
  tables: ['credit_entries', 'credit_lot_balances'],
  students,
  // Others may use the account's credits after their own.
  everyStudent: 'credits',
  events: {
    CreditsGranted: [1],
    GrantWaived: [1],
    CreditsOpened: [1],
    CreditConsumed: [1],
    CreditReturned: [1],
    CreditsAdjusted: [1],
    CreditsExtended: [1],
    MakeUpGranted: [1],
    MakeUpTakenBack: [1],
    CreditsSent: [1],
    CreditsReceived: [1],
    CreditsTakenOver: [1],
  } satisfies Record<Exclude<CreditEvent['type'], 'CreditsHandedOver'>, number[]>,
  statements: [
    `, entries as (
       insert into credit_entries (tenant_id, position, lot_id, entry_id, student_id, quantidade, tipo, causa, plano_id,
         session_id, user_id, em)
       ${ENTRIES}
       returning tenant_id, lot_id, quantidade
     ), moved as (
       select tenant_id, lot_id, sum(quantidade) as quantidade from entries group by tenant_id, lot_id
     ), granted as (
       ${GRANTED}
     )
     merge into credit_lot_balances l
     using (select m.tenant_id, m.lot_id, m.quantidade, g.position, g.data
       from moved m left join granted g using (tenant_id, lot_id)) as m
     on l.tenant_id = m.tenant_id and l.lot_id = m.lot_id
     when matched then update set restante = l.restante + m.quantidade
     when not matched and m.data is not null then
       insert (tenant_id, lot_id, student_id, quantidade, restante, plano_id, expira_em, expires_at, position, criado_em,
         origem, session_id, mes)
       values (m.tenant_id, m.lot_id, (m.data->>'student_id')::uuid, coalesce((m.data->>'quantidade')::int, 1), m.quantidade,
         (m.data->>'plano_id')::uuid, (m.data->>'expira_em')::date, (m.data->>'expires_at')::timestamptz, m.position,
         (m.data->>'at')::timestamptz, (m.data->>'origem')::uuid, (m.data->>'session_id')::uuid, m.data->>'mes')`,
    // A make-up that was taken back no longer counts to its month's limit.
    `update credit_lot_balances l set mes = null from batch b
     where b.type = 'MakeUpTakenBack' and l.tenant_id = b.tenant_id and l.lot_id = (b.data->>'lot_id')::uuid`,
    `update credit_lot_balances l set expira_em = e.expira_em, expires_at = e.expires_at
     from (
       ${MOVED}
     ) e
     where l.tenant_id = e.tenant_id and l.lot_id = e.lot_id`,
    // One batch may have several takeovers of a lot: its rows are still the first giver's.
    ...['credit_entries', 'credit_lot_balances'].map(
      (table) => `update ${table} t set student_id = o.student_id
     from (
       ${TAKEN_OVER}
     ) o
     where t.tenant_id = o.tenant_id and t.student_id = any(o.givers) and t.lot_id = o.lot_id`,
    ),
  ],
  asOf: {
    credit_entries: `select e.tenant_id, e.position, e.lot_id, e.entry_id, coalesce(o.student_id, e.student_id) as student_id, e.quantidade,
       e.tipo, e.causa, e.plano_id, e.session_id, e.user_id, e.em
     from (${ENTRIES}) e left join (${TAKEN_OVER}) o using (tenant_id, lot_id)`,
    credit_lot_balances: `select g.tenant_id, g.lot_id, coalesce(o.student_id, (g.data->>'student_id')::uuid) as student_id,
       coalesce((g.data->>'quantidade')::int, 1) as quantidade, e.restante, (g.data->>'plano_id')::uuid as plano_id,
       case when m.lot_id is null then (g.data->>'expira_em')::date else m.expira_em end as expira_em,
       case when m.lot_id is null then (g.data->>'expires_at')::timestamptz else m.expires_at end as expires_at,
       g.position, (g.data->>'at')::timestamptz as criado_em, (g.data->>'origem')::uuid as origem,
       (g.data->>'session_id')::uuid as session_id,
       case when g.lot_id not in (select (data->>'lot_id')::uuid from batch where type = 'MakeUpTakenBack') then g.data->>'mes' end as mes
     from (${GRANTED}) g
     join (select tenant_id, lot_id, sum(quantidade)::int as restante from credit_entries group by tenant_id, lot_id) e
       using (tenant_id, lot_id)
     left join (${MOVED}) m using (tenant_id, lot_id)
     left join (${TAKEN_OVER}) o using (tenant_id, lot_id)`,
  },
});

/** A tenant's rules for make-ups, with the tenant's id; no row until rules were saved. */
export const makeUpRulesRow = stateProjection(makeUpRulesOf, {
  name: 'make-up-rules',
  topic: 'make-up-rules',
  table: 'make_up_rules',
  evolve(_row: MakeUpRules | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'MakeUpRulesSet':
        return data;
    }
  },
});

interface TransferRow {
  de: string;
  para: string;
  quantidade: number;
  desfeita: boolean;
}

/** The students of each transfer, by the entry id that their lines in both accounts share. */
export const creditTransfers = stateProjection(creditTransfer, {
  name: 'credit-transfers',
  topic: 'credits',
  table: 'credit_transfers',
  students: ({ de, para }) => [de as string, para as string],
  evolve(row: TransferRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'CreditTransferMade': {
        const { de, para, quantidade } = data;
        return { de, para, quantidade, desfeita: false };
      }
      case 'CreditTransferUndone':
        return row ? { ...row, desfeita: true } : null;
    }
  },
});

/** Whose credits a student uses besides their own. */
export const creditSharings = stateProjection(creditSharing, {
  name: 'credit-sharing',
  topic: 'credits',
  table: 'credit_sharing',
  students: ({ student_id, dono_id, antes }) =>
    [student_id, dono_id, antes].filter((id) => typeof id === 'string'),
});

type NotedEvent = Extract<CreditEvent, { type: 'CreditConsumed' | 'CreditsAdjusted' | 'CreditsSent' }>;

/** Reasons of manual ledger entries, in a table of their own because they are free text about a person. */
export const creditNotes = rowProjection<{ motivo: string }, NotedEvent>({
  name: 'credit-notes',
  topic: 'credits',
  table: 'credit_notes',
  students,
  events: ['CreditConsumed', 'CreditsAdjusted', 'CreditsSent'],
  keys: ({ type, data }) => (type !== 'CreditConsumed' || data.causa === 'manual' ? [data.entry_id] : []),
  evolve(_row, { type, data }) {
    switch (type) {
      case 'CreditConsumed':
      case 'CreditsAdjusted':
      case 'CreditsSent':
        return data.motivo === null ? null : { motivo: data.motivo };
    }
  },
});

import { addDays, subHours } from 'date-fns';
import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { AtMoment } from '../../platform/http/common.api.js';
import { dateOf } from '../../platform/local-time.js';
import { brl } from '../../platform/portuguese.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { costInWords } from '../agenda/cancellation.api.js';
import { classOfSession } from '../agenda/class-of-session.queries.js';
import { defaultPolicy } from '../policies/policies.api.js';
import type { OwnLateCancellation, OwnSession, OwnSessions } from './own-sessions.api.js';
import { termsOfSession } from '../agenda/session-terms.loads.js';
import { agreedAddress } from '../services/offered.queries.js';

/** Spec 1, section 9: the student sees up to five. */
const SHOWN = 5;
/** Days before its start from which on a vacation is shown. */
const VACATION_NOTICE_DAYS = 60;

export const ListOwnSessions = defineQuery(
  'ListOwnSessions',
  { past: PastTables },
  async ({ context }, { past }, { at }: AtMoment): Promise<OwnSessions> => {
    const studentId = context.studentId!;
    const { now, read } = await past.at(context.tenantId, at, sessionsOf(studentId));
    const soon = addDays(now, VACATION_NOTICE_DAYS);
    const days = { today: dateOf(now, context.timezone), last: dateOf(soon, context.timezone) };
    const [rows, late, ferias, [agreed], [pause]] = await Promise.all([
      read(ahead({ studentId, now })),
      read(cancelledLate({ studentId, now })),
      read(vacationsSoon(days)),
      read(agreement({ studentId })),
      read(currentPause({ studentId, today: days.today })),
    ]);
    return {
      at,
      desmarcadas: late.map(({ id, inicio, credito, taxa, cobranca }) => {
        const cost = { usou_credito: credito === 'usado', sem_credito: credito === 'faltou', taxa };
        return {
          id,
          inicio: inicio.toISOString(),
          custo: costInWords(cost, false, 'ownDone', brl),
          cobranca,
        };
      }),
      ferias,
      pausado_ate: pause?.ate ?? null,
      mostra_nome: agreed?.mostra ?? false,
      items: rows.map(({ limite, pedido, novo_inicio, situacao, mensagem, com, ...row }) => ({
        ...row,
        // The others agreed to show their names to this student, not to everybody who has the link.
        com: context.byLink ? [] : com,
        location_nome: row.location_nome ?? (row.chamada === null ? null : 'Online'),
        inicio: row.inicio.toISOString(),
        fim: row.fim.toISOString(),
        sozinho_ate: subHours(row.inicio, limite ?? defaultPolicy.cancel_limite_horas).toISOString(),
        pedido:
          pedido === null
            ? null
            : ({
                pedido,
                situacao,
                mensagem,
                novo_inicio: novo_inicio?.toISOString() ?? null,
              } as OwnSession['pedido']),
      })),
    };
  },
);

/** What a student's own sessions follow from, without those of others who share their hours; of charges, those of any session. */
const sessionsOf = (studentId: string): WantedTables => ({
  tables: [
    'sessions',
    'session_requests',
    'charges',
    'reminders',
    'partner_names',
    'student_pauses',
    'students',
    'locations',
    'services',
    'vacations',
    'classes',
  ],
  inClear: true,
  only: [
    ...['sessions', 'session_requests', 'reminders', 'partner_names'].map((of) => ({
      of,
      field: 'student_id',
      first: studentId,
      last: studentId,
      streams: true,
    })),
    { of: 'charges', field: 'session_id', first: '0', last: 'g', streams: true },
  ],
});

const agreement = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db.selectFrom('partner_names').select('mostra').where('id', '=', studentId).compile(),
);

const currentPause = statement((db, { studentId, today }: Blanks<{ studentId: string; today: string }>) =>
  db
    .selectFrom('student_pauses')
    .select('ate')
    .where('id', '=', studentId)
    .where(sql<boolean>`${today}::date between desde and ate`)
    .compile(),
);

/** Without the trainer's descriptions of the vacations. */
const vacationsSoon = statement((db, { today, last }: Blanks<{ today: string; last: string }>) =>
  db
    .selectFrom('vacations')
    .select(['start_date', 'end_date'])
    .where('status', '=', 'active')
    .where(sql<boolean>`end_date >= ${today}::date and start_date <= ${last}::date`)
    .orderBy('start_date')
    .limit(SHOWN)
    .compile(),
);

/** Sessions whose late cancellation the trainer granted: those still ahead, and those that are not paid for. */
const cancelledLate = statement((db, { studentId, now }: Blanks<{ studentId: string; now: Date }>) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('session_requests as q', (join) =>
      join
        .onRef('q.tenant_id', '=', 's.tenant_id')
        .onRef('q.id', '=', 's.id')
        .onRef('q.inicio', '=', 's.inicio')
        .onRef('q.student_id', '=', 's.student_id')
        .on('q.situacao', '=', 'aceito')
        .on('q.pedido', '=', 'desmarcar'),
    )
    .leftJoin('charges as c', (join) =>
      join
        .onRef('c.tenant_id', '=', 's.tenant_id')
        .onRef('c.session_id', '=', 's.id')
        .onRef('c.student_id', '=', 's.student_id')
        .on('c.status', '=', 'aberta'),
    )
    .select(['s.id', 's.inicio', 's.credito', 's.taxa'])
    .select(
      sql<OwnLateCancellation['cobranca']>`case when c.id is not null then json_build_object(
        'id', c.id, 'falta', c.valor - c.pago, 'vencimento', c.vencimento) end`.as('cobranca'),
    )
    .where('s.student_id', '=', studentId)
    .where('s.status', '=', 'cancelada')
    .where('s.motivo', '=', 'aluno_fora_do_prazo')
    .where(sql<boolean>`not s.deleted`)
    .where((where) => where.or([where('s.inicio', '>=', now), where('c.id', 'is not', null)]))
    .orderBy('s.inicio')
    .limit(SHOWN)
    .compile(),
);

const ahead = statement((db, { studentId, now }: Blanks<{ studentId: string; now: Date }>) =>
  db
    .selectFrom('sessions as s')
    .leftJoin('locations as l', (join) => sameTenant(join, 'l.id', 's.location_id'))
    .leftJoin('services as sv', (join) =>
      join
        .onRef('sv.tenant_id', '=', 's.tenant_id')
        .on('sv.id', '=', sql<string>`(s.servico->>'service_id')::uuid`),
    )
    .select(['sv.nome as servico', agreedAddress.as('chamada')])
    .leftJoin('reminders as r', (join) =>
      join
        .onRef('r.tenant_id', '=', 's.tenant_id')
        .onRef('r.session_id', '=', 's.id')
        .onRef('r.inicio', '=', 's.inicio')
        .onRef('r.student_id', '=', 's.student_id'),
    )
    .leftJoinLateral(termsOfSession, (join) => join.onTrue())
    .leftJoin('session_requests as q', (join) =>
      join
        .onRef('q.tenant_id', '=', 's.tenant_id')
        .onRef('q.id', '=', 's.id')
        .onRef('q.inicio', '=', 's.inicio')
        .onRef('q.student_id', '=', 's.student_id')
        .on('q.situacao', 'in', ['aberto', 'recusado'])
        .on(sql<boolean>`(q.pedido = 'desmarcar' or s.grupo_id is null)`),
    )
    .leftJoinLateral(classOfSession, (join) => join.onTrue())
    .select(['s.id', 's.inicio', 's.fim', 'l.nome as location_nome', 'k.nome as turma', 's.confirmado'])
    .select(sql<boolean>`s.grupo_id is not null`.as('compartilhada'))
    .select(['c.cancel_limite_horas as limite', 'q.pedido', 'q.novo_inicio', 'q.situacao', 'q.mensagem'])
    .select(
      // Only if both this student and the other one have agreed.
      sql<string[]>`array(
        select split_part(st.nome, ' ', 1) from sessions o
        join partner_names p on p.id = o.student_id and p.mostra
        join students st on st.id = o.student_id and st.nome is not null
        where o.grupo_id = s.grupo_id and o.inicio = s.inicio and o.student_id <> s.student_id
          and o.status = 'agendada' and not o.deleted
          and exists (select from partner_names own where own.id = s.student_id and own.mostra)
        order by st.busca, st.id)`.as('com'),
    )
    .select(sql<boolean>`r.id is not null and r.confirmado_em is null`.as('a_confirmar'))
    .where('s.student_id', '=', studentId)
    .where('s.status', '=', 'agendada')
    .where('s.inicio', '>=', now)
    .where(sql<boolean>`not s.deleted`)
    .orderBy('s.inicio')
    .limit(SHOWN)
    .compile(),
);

import { QueryBus } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { type SeatQueue, seatsFor } from '../classes/seat-queue.js';
import { classOfSession } from '../agenda/class-of-session.queries.js';
import { vacationSpan } from '../availability/free-times.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { isHeldAt, type Offered } from '../services/service.js';
import { offeredTo } from '../services/offered.queries.js';
import { ListFreeStarts } from '../public-link/free-starts.queries.js';
import {
  type OwnTimesQuery,
  type BookingSettings,
  defaultBooking,
  type OwnTimes,
} from './student-booking.api.js';
import { accountsOf } from '../students/credit-accounts.queries.js';
import { changesByStudents } from './own-session.loads.js';
import {
  forService,
  forSession,
  freeCredits,
  habit,
  limitsOf,
  movableUntil,
  obstacle,
  plainClass,
  shownUntil,
  usualFirst,
} from './student-booking.js';

export const ShowStudentBooking = defineQuery(
  'ShowStudentBooking',
  async ({ read }): Promise<BookingSettings> => {
    const [row] = await read(settings({}));
    return row ?? defaultBooking;
  },
);

const settings = statement((db) =>
  db
    .selectFrom('student_booking')
    .select(['ativo', 'dias', 'duracao_min', 'intervalo_min', 'antecedencia_min', 'abertas', 'exige_credito'])
    .compile(),
);

/** Sessions from which the student's usual place and hour are taken. */
const HABIT = 20;
const why = { booking_off: 'fechada', too_many_open: 'limite', no_credit: 'sem_creditos' } as const;

/** The times at which the student may book, or to which the session `sessao` may be moved. */
export const ShowOwnTimes = defineQuery(
  'ShowOwnTimes',
  { queries: QueryBus },
  async ({ context, now, read }, { queries }, asking: OwnTimesQuery): Promise<OwnTimes> => {
    const sessao = asking.sessao ?? null;
    const saved = await queries.execute(new ShowStudentBooking(context));
    const until = shownUntil(saved, now);
    const today = dateOf(now, context.timezone);
    const asked = { studentId: context.studentId!, sessao, now, until, today };
    const [row] = await read(standing(asked));
    const { movida, bloqueado, pausa, ultimas, aulas, servicos, ...has } = row!;
    const chosen = servicos.find(({ id }) => id === asking.servico) ?? servicos[0] ?? plainClass(saved);
    const set = movida ? forSession(saved, movida) : forService(saved, chosen);
    const locais = usualFirst(row!.locais, ultimas)
      .filter(({ id }) => isHeldAt(chosen, id))
      .map(({ politica, ...place }) => ({ ...place, politica: politica ?? defaultPolicy }));
    if (sessao !== null && movida === null) throw new Problem('agenda.session_not_found');
    const found = obstacle(set, has, now);
    const situacao = sessao === null && found ? why[found] : 'livre';
    const full = obstacle({ ...saved, ativo: true }, has, now);
    const limits = limitsOf(set);
    const isSomewhere = movida !== null || chosen.locais === null || locais.length > 0;
    const isShown = situacao === 'livre' && !bloqueado && isSomewhere;
    const places = movida ? [movida.location_id ?? []].flat() : locais.map(({ id }) => id);
    const wanted = new ListFreeStarts(context, limits, sessao, places);
    const free = isShown ? await queries.execute(wanted) : [];
    const credits = freeCredits(set, has, now);
    const lastCovered = movida
      ? movableUntil(set, has, { before: movida.inicio, now })
      : (credits?.ate ?? Infinity);
    const paused = pausa && vacationSpan(pausa, context.timezone);
    const isPaused = (start: number) => paused !== null && start >= paused.from && start < paused.to;
    const horarios = free.filter(
      ({ inicio }) => Date.parse(inicio) < lastCovered && !isPaused(Date.parse(inicio)),
    );
    return {
      situacao,
      locais,
      abertas: has.proprias,
      limite: set.abertas,
      pausado_ate: pausa && pausa.end_date,
      creditos_livres: credits && credits.livres,
      creditos_ate: credits && Number.isFinite(credits.ate) ? new Date(credits.ate).toISOString() : null,
      servicos: servicos.flatMap(({ id, nome, cor, locais: _, endereco: __, ...one }) =>
        id === null || nome === null || cor === null ? [] : [{ id, nome, cor, ...one }],
      ),
      servico: chosen.id,
      online: chosen.endereco !== null,
      horarios,
      costume: habit(horarios, ultimas, context.timezone),
      turmas: {
        situacao: full === 'no_credit' ? 'sem_creditos' : full ? 'limite' : 'livre',
        items: (sessao === null && !bloqueado ? aulas : []).flatMap(({ ate_horas, fila, ...hour }) => {
          const place = fila.findIndex((one) => one.student_id === context.studentId);
          const [start, end] = [Date.parse(hour.inicio), Date.parse(hour.fim)];
          const isOpen = start - now.getTime() >= ate_horas * 3_600_000 && !isPaused(start);
          if (!isOpen && !hour.minha) return [];
          return [
            {
              ...hour,
              nome: hour.nome ?? 'Turma',
              politica: hour.politica ?? defaultPolicy,
              livres: seatsFor(fila, context.studentId!, hour.livres),
              fila: place < 0 ? null : { lugar: place + 1, ate: fila[place]!.ate },
              inicio: new Date(start).toISOString(),
              fim: new Date(end).toISOString(),
            },
          ];
        }),
      },
    };
  },
);

type Hour = OwnTimes['turmas']['items'][number];

interface Lot {
  remaining: number;
  expires_at: string | null;
  reposicao: boolean;
}

interface Row {
  lots: Lot[];
  agendadas: string[];
  divididos: { lots: Lot[]; outros: { lots: Lot[]; agendadas: string[] }[] } | null;
  proprias: number;
  /** The session to be moved, which the other fields exclude; null if it is not the student's, or cannot be moved. */
  movida: { inicio: string; minutos: number; location_id: string | null; usa_credito: boolean } | null;
  /** `politica`: null where the default is in force. */
  locais: { id: string; nome: string; politica: PolicyTerms | null }[];
  servicos: Offered[];
  /** The student's last sessions. */
  ultimas: { inicio: string; location_id: string | null }[];
  aulas: (Omit<Hour, 'nome' | 'politica' | 'fila'> & {
    fila: SeatQueue['fila'];
    nome: string | null;
    politica: PolicyTerms | null;
    ate_horas: number;
  })[];
  /** The trainer has blocked bookings by the student. */
  bloqueado: boolean;
  /** The current pause; null if there is none. */
  pausa: { start_date: string; end_date: string } | null;
}

interface Asked {
  studentId: string;
  sessao: string | null;
  now: Date;
  until: Date;
  today: string;
}

const MOST_CLASSES = 60;

const lotsOf = (student: RawBuilder<unknown>, now: Blanks<Asked>['now']) =>
  sql`coalesce((select json_agg(json_build_object('remaining', restante, 'expires_at', expires_at, 'reposicao', mes is not null))
    from credit_lot_balances where student_id = ${student} and restante > 0
    and (expires_at is null or expires_at > ${now}::timestamptz)), '[]')`;

/** The sessions that are still to use a credit. */
const usingCredits = (x: RawBuilder<unknown>, until: Blanks<Asked>['until']) =>
  sql`${x}.status = 'agendada' and ${x}.confirmado and not ${x}.deleted and ${x}.inicio < ${until}::timestamptz
    and coalesce((${x}.servico->>'usa_credito')::boolean, true)`;

/** Credits, sessions to be settled, and the locations that the public page shows or where the student trains. */
const standing = statement((db, { studentId, sessao, now, until, today }: Blanks<Asked>) =>
  sql<Row>`with own as (
    select * from sessions where student_id = ${studentId} and not deleted
  ), dono as (
    select coalesce((${accountsOf(sql`${studentId}::uuid`)})[2], ${studentId}::uuid) as id
  ), grupo as (
    select id from dono where exists (select from credit_sharing k where k.dono_id = dono.id)
    union all select k.id from credit_sharing k join dono on k.dono_id = dono.id
  ) select
    case when exists (select from grupo where id = ${studentId}::uuid and id = (select id from dono))
      then '[]' else ${lotsOf(sql`${studentId}::uuid`, now)} end as lots,
    (select json_build_object('lots', ${lotsOf(sql`dono.id`, now)}, 'outros', (
        select coalesce(json_agg(json_build_object(
          'lots', case when g.id = dono.id then '[]' else ${lotsOf(sql`g.id`, now)} end,
          'agendadas', coalesce((select json_agg(x.inicio) from sessions x where x.student_id = g.id and ${usingCredits(sql`x`, until)}), '[]'))), '[]')
        from grupo g where g.id <> ${studentId}::uuid))
      from dono where exists (select from grupo)) as divididos,
    coalesce((select json_agg(inicio) from own
      where ${usingCredits(sql`own`, until)} and id is distinct from ${sessao}::uuid), '[]') as agendadas,
    (select count(*)::int from own s where status = 'agendada'
      and inicio > ${now}::timestamptz and exists (select from ${sql.raw(changesByStudents)} e where e.tenant_id = s.tenant_id
        and e.stream_id = 'session-request:' || s.id and e.data->>'pedido' = 'agendar' and e.data->>'student_id' = s.student_id::text
        offset 0)) as proprias,
    (select json_build_object('inicio', inicio, 'minutos', (extract(epoch from fim - inicio) / 60)::int,
        'location_id', location_id, 'usa_credito', coalesce((servico->>'usa_credito')::boolean, true))
      from own where id = ${sessao}::uuid and status = 'agendada' and grupo_id is null) as movida,
    coalesce((select json_agg(json_build_object('inicio', inicio, 'location_id', location_id)) from (
      select inicio, location_id from own where status in ('agendada', 'feita') and confirmado
      order by inicio desc limit ${sql.lit(HABIT)}) last), '[]') as ultimas,
    coalesce((select json_agg(json_build_object('id', l.id, 'nome', l.nome, 'politica', case when c.id is not null
        then json_build_object('cancel_limite_horas', c.cancel_limite_horas, 'taxa_percent', c.taxa_percent,
          'queima_credito', c.queima_credito) end) order by l.busca, l.id)
      from locations l left join public_links p on true left join policies c on c.id = l.id
      where l.status = 'existing' and l.is_active and l.nome is not null and (
        coalesce(p.ativo, true) and (jsonb_typeof(p.locais) is distinct from 'array' or p.locais ? l.id::text)
        or exists (select from own where own.location_id = l.id))), '[]') as locais,
    coalesce((select json_agg(hour order by inicio, id) from (
      select s.grupo_id as id, s.inicio, s.fim, k.nome, k.vagas, k.ate_horas,
        case when k.minimo_alunos is not null then
          json_build_object('alunos', k.minimo_alunos, 'horas', k.minimo_horas) end as minimo, min(l.nome) as location_nome,
        k.vagas - count(*)::int as livres, coalesce((select q.fila from seat_queues q
          where q.id = s.grupo_id and q.inicio = s.inicio), '[]') as fila, bool_or(s.student_id = ${studentId}::uuid) as minha,
        (select json_build_object('cancel_limite_horas', c.cancel_limite_horas, 'taxa_percent', c.taxa_percent,
          'queima_credito', c.queima_credito) from policies c where c.id = min(s.location_id::text)::uuid) as politica
      from sessions s cross join lateral ${classOfSession} left join locations l on l.id = s.location_id
      where s.status = 'agendada' and not s.deleted and s.grupo_id is not null
        and s.inicio > ${now}::timestamptz and s.inicio < ${until}::timestamptz
      group by s.grupo_id, s.inicio, s.fim, k.nome, k.vagas, k.ate_horas, k.minimo_alunos, k.minimo_horas
      order by s.inicio, s.grupo_id limit ${sql.lit(MOST_CLASSES)}) hour), '[]') as aulas,
    ${offeredTo('para_alunos')} as servicos,
    coalesce((select bloqueados ? ${studentId}::text from public_links), false) as bloqueado,
    (select json_build_object('start_date', desde, 'end_date', ate) from student_pauses
      where id = ${studentId} and ${today}::date between desde and ate) as pausa`.compile(db),
);

import { Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { plural } from '../../platform/plural.api.js';
import { dayAndTime } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { classErrors, classesApi, type ClassOfSession } from './classes.api.js';
import { PlayClass, SetClass } from './classes.commands.js';
import { type ClassEvent, openClass } from './open-class.js';
import { type SeatQueueEvent, seatQueue } from './seat-queue.js';
import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';

const DUE = 'select tenant_id as "tenantId", timezone, grupo_id as "grupoId", inicio from classes_due($1)';

interface Due extends Record<string, unknown> {
  tenantId: string;
  timezone: string;
  grupoId: string;
  inicio: Date;
}

/**
 * Decides whether classes with a minimum of students take place, and offers seats to who waits for one. Each hour is decided again
 * under the tenant's lock, so an interrupted or repeated run does it once.
 */
export const playClasses = defineSchedule(
  'classes',
  30_000,
  { database: Database, commands: CommandBus },
  async (now, { database, commands }) => {
    await eachAlone(
      await database.lookUp<Due>(DUE, [now]),
      ({ tenantId, grupoId }) => ({ tenantId, grupoId }),
      ({ tenantId, timezone, grupoId, inicio }) =>
        commands.execute(new PlayClass(nobodyOf(tenantId, timezone), grupoId, inicio.toISOString())),
    );
  },
);

type DataOf<Type extends ClassEvent['type']> = Extract<ClassEvent, { type: Type }>['data'];

type Awaited = SeatQueueEvent['data'];
const ShowClass = defineQuery('ShowClass', async ({ now, read }, id: string): Promise<ClassOfSession> => {
  const [row] = await read(ofSession({ id, now }));
  if (!row) throw new Problem('agenda.session_not_found');
  return row;
});

const set = (id: 's.grupo_id' | 'w.turma_id') =>
  sql`(select json_build_object('aberta', c.aberta, 'nome', coalesce(c.nome, ''), 'vagas', c.vagas,
      'ate_horas', c.ate_horas, 'minimo_alunos', c.minimo_alunos, 'minimo_horas', c.minimo_horas)
    from classes c where c.id = ${sql.raw(id)})`;

const ofSession = statement((db, { id, now }: Blanks<{ id: string; now: Date }>) =>
  sql<ClassOfSession>`select ${set('s.grupo_id')} as so_esta, ${set('w.turma_id')} as todas,
    case when w.id is not null then (
      select count(distinct a.inicio)::int from series r join sessions a on a.serie_id = r.id
      where (r.id = w.id or r.turma_id = w.turma_id)
        and a.status = 'agendada' and not a.deleted and a.inicio > ${now}::timestamptz
    ) end as aulas,
    coalesce((select json_agg(json_build_object('student_id', st.id, 'nome', st.nome, 'ate', f ->> 'ate') order by place)
      from seat_queues q, jsonb_array_elements(q.fila) with ordinality as e(f, place), students st
      where q.id = s.grupo_id and q.inicio = s.inicio and st.id = (f ->> 'student_id')::uuid), '[]') as fila
    from sessions s left join lateral (
      select r.id, r.turma_id from sessions m join series r on r.id = m.serie_id
      where (m.id = s.id or m.grupo_id = s.grupo_id) and m.inicio = s.inicio and not m.deleted
      order by r.turma_id limit 1
    ) w on true
    where s.id = ${id} and not s.deleted`.compile(db),
);

const subjects = ({ student_id }: Awaited) => [`student:${student_id}`];
const turma = ({ inicio }: Awaited, zone: string) => `da turma de ${dayAndTime(inicio, zone)}`;

const ends: Record<Extract<SeatQueueEvent, { type: 'SeatWaitEnded' }>['data']['motivo'], string> = {
  saiu: 'Saiu',
  sem_resposta: 'Saiu sem responder',
  entrou: 'Agendou e saiu',
  aula: 'A turma fechou: saiu',
  aluno: 'O aluno não pode mais entrar: saiu',
};

const classHistory: HistoryWords<ClassEvent | SeatQueueEvent> = {
  SeatAwaited: { subjects, words: (data: Awaited, zone) => `Entrou na fila ${turma(data, zone)}` },
  SeatOffered: {
    subjects,
    words: (data: Extract<SeatQueueEvent, { type: 'SeatOffered' }>['data'], zone) =>
      `Abriu uma vaga para quem estava na fila ${turma(data, zone)}, reservada até ${dayAndTime(data.ate, zone)}`,
  },
  SeatOfferEnded: {
    subjects,
    words: (data: Awaited, zone) => `A vaga oferecida ${turma(data, zone)} foi ocupada: continua na fila`,
  },
  SeatWaitEnded: {
    subjects,
    words: (data: Extract<SeatQueueEvent, { type: 'SeatWaitEnded' }>['data'], zone) =>
      `${ends[data.motivo]} da fila ${turma(data, zone)}`,
  },
  ClassSet: {
    subjects: ({ session_id }: DataOf<'ClassSet'>) => [`session:${session_id}`],
    words: ({ aberta, nome, vagas, minimo_alunos }: DataOf<'ClassSet'>) =>
      aberta
        ? [
            `Abriu ${nome === null ? 'a turma' : `a turma ${nome}`} para alunos: ${plural(vagas, 'vaga', 'vagas')}`,
            minimo_alunos !== null && `mínimo de ${plural(minimo_alunos, 'aluno', 'alunos')}`,
          ]
            .filter(Boolean)
            .join(', ')
        : `Fechou ${nome === null ? 'a turma' : `a turma ${nome}`} para alunos`,
  },
  ClassDecided: {
    subjects: ({ session_ids }: DataOf<'ClassDecided'>) => session_ids.map((id) => `session:${id}`),
    words: ({ acontece, session_ids, minimo }: DataOf<'ClassDecided'>) =>
      `${acontece ? 'A aula foi mantida' : 'A aula foi cancelada'}: ${plural(session_ids.length, 'aluno', 'alunos')}, mínimo de ${minimo}`,
  },
};

/** Each class under its id: the group of one hour, or what weekly hours have in common. */
const classes = stateProjection(openClass, {
  name: 'classes',
  topic: 'sessions',
  table: 'classes',
  version: 2,
  students: 'all',
});

/** Who waits for a seat in an hour, under the group's id. */
const queues = stateProjection(seatQueue, {
  name: 'seat-queues',
  topic: 'sessions',
  table: 'seat_queues',
  students: ({ student_id }) => [student_id as string],
  // Who stands behind moves up.
  everyStudent: 'free-times',
});

/**
 * Hours that students enter by themselves, with seats. An hour is that of sessions of a group (`agenda`); a class says only that it
 * is open, for how many, until when, and how many it needs. It stands for one hour (its group) or for all that series share (their
 * `turma_id`), and the former counts first. An hour in which nobody is left is none: its time is free. Students enter in their area
 * (`seats.commands.ts` of `student-area`), by the rules of their other bookings, and leave by the policy as from any session. The
 * trainer may add more than there are seats. A minimum is decided once (`ClassDecided`), at the time that was set: with fewer, the
 * hour is cancelled as by the trainer, without cost, and everybody is told.
 *
 * Where no seat is left, a student may wait (`seat-queue`). Free seats are those of who stands first, also in the moment in which one
 * becomes free: somebody else gets one only where more are free than people wait. The job tells whose turn it is and holds the seat
 * as long as the public waitlist holds a time (`heldUntil`); who does not answer leaves the queue.
 *
 * Strangers see no classes on the public page: a visit is unconfirmed and asks for one free time of its own, while a seat takes a
 * credit of somebody whom the trainer knows.
 */
@Module(
  together(serve(classesApi, { show: ShowClass, change: SetClass }), {
    providers: [PlayClass.Handler, playClasses.Handler],
  }),
)
export class ClassesModule {
  static readonly feature: Feature = {
    aggregates: [openClass, seatQueue],
    projections: [classes, queues],
    history: classHistory,
    ownData: {
      trainer: {
        turmas: `select id, nome, aberta, vagas, ate_horas, minimo_alunos, minimo_horas, em from classes order by em, id`,
        'filas-de-turmas': `select q.id as grupo_id, q.inicio, f ->> 'student_id' as student_id, f ->> 'ate' as vaga_ate
      from seat_queues q, jsonb_array_elements(q.fila) with ordinality as e(f, lugar) order by q.inicio, q.id, lugar`,
      },
      student: {
        'filas-de-turmas': `select q.id as grupo_id, q.inicio, lugar, f ->> 'ate' as vaga_ate
      from seat_queues q, jsonb_array_elements(q.fila) with ordinality as e(f, lugar)
      where f ->> 'student_id' = $1 order by q.inicio, q.id`,
      },
    },
    errors: classErrors,
    jobs: [playClasses],
  };
}

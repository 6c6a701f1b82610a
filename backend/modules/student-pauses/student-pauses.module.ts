import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { Effects } from '../../platform/event-store/effect.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate, weekdayAndTime } from '../../platform/portuguese.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf, monthAfter } from '../../platform/local-time.js';
import {
  type SessionsPaused,
  type StudentPauseEvent,
  hasNoSessionsOn,
  isPausedOn,
  studentPause,
} from '../away/student-pause.js';
import { definePrice } from '../audit/price.queries.js';
import { freshLink } from '../charges/charges.commands.js';
import { isDue, monthlyPlan } from '../charges/monthly-plan.js';
import { billedAgain } from '../charges/monthly-plans.queries.js';
import { mostDays } from '../credits/deadlines.js';
import {
  studentPausesApi,
  studentPauseErrors,
  MOST_NAMED,
  type NewPause,
  type PausePreview,
} from './student-pauses.api.js';
import { PauseStudent, pause, sessionsUntil } from './student-pauses.commands.js';
import { sql } from 'kysely';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Asked, Asker, Thing, WhyLink, WhySource } from '../../platform/event-store/why.js';

/** Sessions that a change of a pause has cancelled, in an answer. */
const MOST_SESSIONS = 20;

interface Row {
  desde: string;
  ate: string;
  /** Since it began, the latest first. */
  mudancas: { posicao: number; ate: string; fim: boolean; reabertas: number }[];
  canceladas: { id: string; inicio: string; posicao: number }[];
  mensal: boolean;
}

const row = statement((db, { id }: Blanks<Asked>) =>
  sql<Row>`
  with past as (
    select position, type, data from history
    where subject = any (array(select 'student:' || same.id from same_student(${id}::uuid) as same (id)))
      and type in ('StudentPaused', 'StudentResumed')
  )
  select u.desde, u.ate,
    (select coalesce(json_agg(json_build_object('posicao', p.position, 'ate', p.data ->> 'ate', 'fim', p.type = 'StudentResumed',
      'reabertas', coalesce(jsonb_array_length(p.data -> 'cancelamento' -> 'reabertas'), 0)) order by p.position desc), '[]')
     from past p where p.position >= b.position) as mudancas,
    (select coalesce(json_agg(json_build_object('id', c.id, 'inicio', c.inicio, 'posicao', c.position) order by c.inicio), '[]')
     from (
       select s.id, s.inicio, p.position from past p
       cross join jsonb_array_elements_text(p.data -> 'cancelamento' -> 'canceladas') as x (id)
       join sessions s on s.tenant_id = u.tenant_id and s.id = x.id::uuid
       where p.position >= b.position and s.student_id = u.id and s.status = 'cancelada' and not s.deleted
       order by s.inicio limit ${MOST_SESSIONS}::bigint
     ) c) as canceladas,
    exists (select from monthly_plans m where m.tenant_id = u.tenant_id and m.id = u.id and m.ativo) as mensal
  from student_pauses u
  cross join lateral (select min(position) as position from past where data ->> 'desde' = u.desde::text) b
  where u.id = ${id}`.compile(db),
);

/** The last pause of a student: what follows from it by rule, who changed it, and the sessions that it has cancelled. */
const pauseWhy: WhySource = {
  rows: row,
  explain([pause]: [Row], _events, { isOwn, timezone, today }: Asker, { id }: Thing) {
    const { desde, ate, mudancas, canceladas, mensal } = pause;
    const isOver = ate < today;
    const rule = `De ${shortDate(desde)} a ${shortDate(ate)}: os créditos ${isOver ? 'não venceram' : 'não vencem'}, nenhuma mensalidade ${isOver ? 'foi' : 'é'} cobrada e ${isOwn ? 'você não agenda' : 'o aluno não agenda'}.`;
    const links: WhyLink[] = [
      { titulo: 'Pausa', texto: ate < desde ? 'Encerrada no dia em que começou.' : rule, posicao: null },
      ...mudancas.map(({ posicao, ate: until, fim, reabertas }) => ({
        titulo: 'Pausa',
        texto: `${fim ? 'Encerrada' : `Até ${shortDate(until)}`}${
          reabertas > 0 ? `: ${plural(reabertas, 'sessão voltou', 'sessões voltaram')} à agenda` : ''
        }.`,
        posicao,
      })),
      ...canceladas.map(({ id: session, inicio, posicao }) => ({
        titulo: isOwn ? 'Aula' : 'Sessão',
        texto: `Cancelada pela pausa, sem custo: ${weekdayAndTime(inicio, timezone)}.`,
        posicao,
        of: { kind: 'session', id: session },
      })),
    ];
    return {
      student_id: id,
      pergunta: questionOf(isOver, isOwn),
      links,
      causes: mensal ? [{ kind: 'monthly', id }] : [],
    };
  },
};

function questionOf(isOver: boolean, isOwn: boolean): string {
  if (isOver) return 'O que a última pausa mudou?';
  return isOwn ? 'Por que meu treino está pausado?' : 'Por que o aluno está pausado?';
}

const PreviewPause = defineQuery(
  'PreviewPause',
  { store: EventStore, tokens: LinkTokens },
  async ({ context }, { store, tokens }, student_id: string, wanted: NewPause): Promise<PausePreview> =>
    store.rehearse(context, async (tx) => {
      const sessions = await sessionsUntil(tx, student_id, wanted.ate);
      const before = await tx.load(studentPause, student_id);
      const { dias, reabertas } = await pause(tx, { student_id, ...wanted }, () => freshLink(tokens));
      const [state, plan] = await Promise.all([
        tx.load(studentPause, student_id),
        tx.load(monthlyPlan, student_id),
      ]);
      const meses: string[] = [];
      if (plan)
        for (
          let mes = plan.primeiro_mes;
          isPausedOn(state, mes) && isDue({ ...plan, primeiro_mes: mes }, mes);
          mes = monthAfter(mes)
        )
          meses.push(mes);
      return {
        ...mostDays(dias),
        meses,
        sessoes: sessions.length,
        primeiras: sessions.slice(0, MOST_NAMED).map(({ inicio }) => inicio),
        horario_fixo: sessions.some(({ serie_id }) => serie_id !== null),
        cancelando: hasNoSessionsOn(before, dateOf(tx.now, context.timezone)),
        reabertas: reabertas.length,
      };
    }),
);

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];

/** `Encerrou a pausa: 2 sessões voltaram à agenda` */
function withSessions(words: string, { canceladas = [], reabertas = [] }: Partial<SessionsPaused> = {}) {
  const done = [
    canceladas.length > 0 && `cancelou ${plural(canceladas.length, 'sessão', 'sessões')}`,
    reabertas.length > 0 && plural(reabertas.length, 'sessão voltou à agenda', 'sessões voltaram à agenda'),
  ].filter(Boolean);
  return done.length === 0 ? words : `${words}: ${done.join(', ')}`;
}

const studentPauseHistory: HistoryWords<StudentPauseEvent> = {
  StudentPaused: {
    subjects,
    words: ({ ate, cancelamento }) => withSessions(`Pausou o aluno até ${shortDate(ate)}`, cancelamento),
  },
  StudentResumed: {
    subjects,
    words: ({ cancelamento }) => withSessions('Encerrou a pausa do aluno', cancelamento),
  },
};

const studentPauseEffects: Effects = {
  StudentResumed: ({ student_id }: { student_id: string }) => [
    {
      kind: 'resumed',
      quantidade: 1,
      student_id,
      texto: (_sum, nome) => `${nome ?? 'o aluno'} pode agendar de novo, já a partir de hoje`,
    },
  ],
};

/**
 * Pausing a student (`student-pauses`) extends current lots by the days of the pause, as a vacation does for all students, and
 * shortens them again if it ends early. A monthly plan is not billed for a month whose first day is in the pause. The student
 * cannot book on these days; the trainer can. A pause ends by its date, without a job.
 *
 * The trainer chooses what becomes of the student's sessions in the pause. They stay, or they are cancelled at no cost, as by a
 * vacation, with the same command, which decides on what is booked then. Then series without an end leave these days out too
 * (`sem_sessoes_ate`), and go on after the pause. Where a pause ends earlier, the sessions that it had cancelled come back if their time
 * is still free, and series book what they left out; "undo" (`mudanca_id`) takes back the last change as a whole, or is refused.
 */
@Module(
  serve(studentPausesApi, {
    preview: PreviewPause,
    resumePrice: definePrice<[string]>(
      'PriceResumeStudent',
      PauseStudent,
      (id) => [id, { ate: null }],
      (reading, id) => billedAgain(reading, id, 'paused'),
    ),
    pause: PauseStudent,
  }),
)
export class StudentPausesModule {
  static readonly feature: Feature = {
    history: studentPauseHistory,
    effects: studentPauseEffects,
    why: { pause: pauseWhy },
    errors: studentPauseErrors,
  };
}

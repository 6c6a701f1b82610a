import { sql } from 'kysely';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Asker, Thing, WhyLink, WhySource } from '../../platform/event-store/why.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate, weekdayAndTime } from '../../platform/portuguese.js';

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

const row = statement((db, { id }: Blanks<{ id: string; before: number; now: Date }>) =>
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
export const pauseWhy: WhySource = {
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

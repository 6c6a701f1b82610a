import { type Kysely, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { dateOf } from '../../platform/local-time.js';
import { brl, firstName, weekdayAndTime } from '../../platform/portuguese.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { fadingStudents } from '../students/fading.queries.js';
import { PRESENCE_DAYS } from '../students/students.api.js';
import { type Nudge, type NudgeList, nudgeReason } from './nudges.api.js';
import { usesShared } from '../students/credit-accounts.queries.js';

const MOST = 100;

function textOf(
  { motivo, inicio, turma, plano, valor }: Pick<Listed, 'motivo' | 'inicio' | 'turma' | 'plano' | 'valor'>,
  name: string,
  zone: string,
): string {
  switch (motivo) {
    case 'turma':
      return `Oi, ${name}! A turma ${turma} de ${weekdayAndTime(inicio!, zone)} não chegou ao mínimo de alunos e não vai acontecer. Nada foi cobrado. Vamos remarcar?`;
    case 'renovar':
      return `Oi, ${name}! Seus créditos acabaram. Vamos renovar o plano ${plano}${valor === null ? '' : `, de ${brl(valor)}`}?`;
    case 'aniversario':
      return `Oi, ${name}! Feliz aniversário! Muita saúde e um ótimo dia.`;
    case 'sumindo':
      return `Oi, ${name}! Senti sua falta nos treinos. Está tudo bem? Se precisar, vemos juntos um horário melhor para você.`;
  }
}

export const ListNudges = defineQuery('ListNudges', async ({ context, now, read }): Promise<NudgeList> => {
  const zone = context.timezone;
  const rows = await read(listed({ now, zone, today: dateOf(now, zone), most: MOST }));
  return {
    items: rows.map((row): Nudge => {
      const { nome, whatsapp, valor: _, enviado_em, inicio, ...shown } = row;
      const texto = textOf(row, firstName(nome), zone);
      return {
        ...shown,
        student_nome: nome,
        inicio: inicio?.toISOString() ?? null,
        enviado_em: enviado_em?.toISOString() ?? null,
        texto,
        link: whatsapp && whatsAppAddress(whatsapp, texto),
      };
    }),
  };
});

interface Listed extends Omit<Nudge, 'student_nome' | 'inicio' | 'enviado_em' | 'texto' | 'link'> {
  inicio: Date | null;
  /** Price of the plan, in cents. */
  valor: number | null;
  nome: string;
  whatsapp: string | null;
  enviado_em: Date | null;
}

type At = Blanks<{ now: Date; today: string }>;

/** Who was born on this day of the year; on 28 February of a common year also on the 29th. */
const birthday = (today: At['today']) => sql`(right(s.nascimento, 5) = right(${today}::text, 5)
  or right(s.nascimento, 5) = '02-29' and right(${today}::text, 5) = '02-28' and right((${today}::date + 1)::text, 5) = '03-01')`;

const REASONS = sql.lit(nudgeReason.options.join());
const sometimes = (today: At['today']) => sql`${today}::date - ${sql.lit(PRESENCE_DAYS - 1)}`;

/** Sessions ahead of students without an account, who hear of nothing by themselves, that were cancelled with their class. */
const cancelledClasses = (
  now: At['now'],
) => sql`select x.student_id as id, 'turma' as motivo, x.id as session_id, x.inicio,
    c.nome as turma, null as plano, null::int as valor, 0 as ultimas, 0 as anteriores, '-infinity'::date as since
  from classes c join sessions x on x.tenant_id = c.tenant_id and c.desmarcadas ? x.grupo_id::text
  where c.desmarcadas <> '[]' and x.inicio > ${now}::timestamptz and not x.deleted
    and x.status = 'cancelada' and x.motivo = 'personal'
    and not exists (select from memberships m where m.tenant_id = x.tenant_id and m.student_id = x.student_id)`;

/** Students who come, or whose credits others use who come, whose plan's credits are used up, and who were asked for no money yet. */
const usedUp = ({
  now,
  today,
}: At) => sql`select s.id, 'renovar', null::uuid, null::timestamptz, null, p.nome, p.valor, 0, 0,
    greatest(${sometimes(today)}, (l.em at time zone t.timezone)::date)
  from students s join tenants t on t.tenant_id = s.tenant_id
  join plans p on p.tenant_id = s.tenant_id and p.id = s.plano_id and p.creditos > 0
  cross join lateral (select max(l.criado_em) as em,
      bool_or(l.restante > 0 and coalesce(l.expires_at > ${now}::timestamptz, true)) as some
    from credit_lot_balances l where l.student_id = s.id) l
  where s.status = 'active' and s.nome is not null and l.some is false and not ${usesShared}
    and exists (select from sessions x
      where x.student_id = any(array(select s.id union all select k.id from credit_sharing k where k.dono_id = s.id))
      and x.status = 'feita' and not x.deleted
      and x.inicio > ${now}::timestamptz - make_interval(days => ${sql.lit(PRESENCE_DAYS)}))
    and not exists (select from charges c where c.student_id = s.id and c.status = 'aberta')
    and not exists (select from student_pauses u where u.id = s.id and ${today}::date between u.desde and u.ate)`;

/** Of each reason, with the message that was sent or dismissed. */
const nudges = ({
  now,
  today,
}: At) => sql`(select s.id as student_id, b.motivo, b.session_id, b.inicio, b.turma, b.plano, b.valor,
    b.ultimas, b.anteriores, s.nome, s.whatsapp, s.busca,
    case b.motivo when 'aniversario' then left(${today}::text, 4)::int - left(s.nascimento, 4)::int end as idade,
    n.id, n.enviado_em, n.dispensado_em is not null as dispensada
  from (${cancelledClasses(now)}
    union all ${usedUp({ now, today })}
    union all select s.id, 'aniversario', null, null, null, null, null, 0, 0, ${today}::date from students s
      where s.status = 'active' and s.nome is not null and ${birthday(today)}
    union all select f.id, 'sumindo', null, null, null, null, null, f.ultimas, f.anteriores, ${sometimes(today)}
      from ${fadingStudents({ now, today })} f) b
  join students s on s.id = b.id and s.status = 'active' and s.nome is not null
  left join lateral (select n.id, n.enviado_em, n.dispensado_em from nudges n
    where n.tenant_id = s.tenant_id and n.student_id in (select same_student(s.id)) and n.motivo = b.motivo
      and (n.enviado_em is not null or n.dispensado_em is not null)
      and n.session_id is not distinct from b.session_id and n.dia >= b.since
    order by n.dia desc limit 1) n on true)`;

const listed = statement(
  (db, { zone, most, ...at }: Blanks<{ now: Date; zone: string; today: string; most: number }>) =>
    sql<Listed>`select n.id, n.student_id, n.motivo, n.session_id, n.inicio, n.turma, n.plano, n.valor, n.idade, n.ultimas, n.anteriores, n.nome, n.whatsapp, n.enviado_em, n.dispensada,
        (select max(x.inicio) at time zone ${zone}::text from sessions x
          where x.student_id = n.student_id and not x.deleted and x.status = 'feita')::date::text as ultima
      from ${nudges(at)} n
      order by array_position(string_to_array(${REASONS}, ','), n.motivo), n.inicio, ultima desc nulls last, n.busca, n.student_id limit ${most}`.compile(
      db,
    ),
);

/** Students with a number to whom a message is to be sent, and of whom Meta did not report lately that it cannot be. */
export const nudgesToSend = (
  at: At,
) => sql<ToSend>`(select n.student_id, n.motivo, n.session_id, n.inicio, n.turma, n.plano, n.valor from ${nudges(at)} n
  where n.id is null and n.whatsapp is not null and not exists (select from whatsapp_messages m
    where m.student_id = n.student_id and m.tipo = n.motivo and m.estado = 'falhou'
      and m.em > ${at.now}::timestamptz - make_interval(days => ${sql.lit(PRESENCE_DAYS)}))
  order by n.motivo, n.student_id limit ${sql.lit(MOST)})`;

type ToSend = Pick<Listed, 'student_id' | 'motivo' | 'session_id' | 'inicio' | 'turma' | 'plano' | 'valor'>;

/** Number of messages to send. */
export const nudgesWaiting = (db: Kysely<DB>, at: At) =>
  db
    .selectFrom(sql<{ id: string | null }>`${nudges(at)}`.as('n'))
    .select(sql<number>`count(*)::int`.as('total'))
    .where('n.id', 'is', null);

import { type Kysely, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { dateOf } from '../../platform/local-time.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { fadingStudents } from '../students/fading.queries.js';
import { PRESENCE_DAYS } from '../students/students.api.js';
import type { Nudge, NudgeList } from './nudges.api.js';

const MOST = 100;

const TEXTS: Record<Nudge['motivo'], (name: string) => string> = {
  aniversario: (name) => `Oi, ${name}! Feliz aniversário! Muita saúde e um ótimo dia.`,
  sumindo: (name) =>
    `Oi, ${name}! Senti sua falta nos treinos. Está tudo bem? Se precisar, vemos juntos um horário melhor para você.`,
};

export const ListNudges = defineQuery('ListNudges', async ({ context, now, read }): Promise<NudgeList> => {
  const zone = context.timezone;
  const rows = await read(listed({ now, zone, today: dateOf(now, zone), most: MOST }));
  return {
    items: rows.map(({ nome, whatsapp, enviado_em, ...row }): Nudge => {
      const texto = TEXTS[row.motivo](nome.split(' ')[0]!);
      return {
        ...row,
        student_nome: nome,
        enviado_em: enviado_em?.toISOString() ?? null,
        texto,
        link: whatsapp && whatsAppAddress(whatsapp, texto),
      };
    }),
  };
});

interface Listed extends Omit<Nudge, 'student_nome' | 'enviado_em' | 'texto' | 'link'> {
  nome: string;
  whatsapp: string | null;
  enviado_em: Date | null;
}

type At = Blanks<{ now: Date; today: string }>;

/** Who was born on this day of the year; on 28 February of a common year also on the 29th. */
const birthday = (today: At['today']) => sql`(right(s.nascimento, 5) = right(${today}::text, 5)
  or right(s.nascimento, 5) = '02-29' and right(${today}::text, 5) = '02-28' and right((${today}::date + 1)::text, 5) = '03-01')`;

/** Of both kinds, with the message that was sent or dismissed today to whoever has birthday, or in the last days to who comes less. */
const nudges = ({
  now,
  today,
}: At) => sql`(select s.id as student_id, b.motivo, b.ultimas, b.anteriores, s.nome, s.whatsapp, s.busca,
    case b.motivo when 'aniversario' then left(${today}::text, 4)::int - left(s.nascimento, 4)::int end as idade,
    n.id, n.enviado_em, n.dispensado_em is not null as dispensada
  from (select s.id, 'aniversario' as motivo, 0 as ultimas, 0 as anteriores from students s
      where s.status = 'active' and s.nome is not null and ${birthday(today)}
    union all select f.id, 'sumindo', f.ultimas, f.anteriores from ${fadingStudents({ now, today })} f) b
  join students s on s.id = b.id
  left join lateral (select n.id, n.enviado_em, n.dispensado_em from nudges n
    where n.tenant_id = s.tenant_id and n.student_id in (select same_student(s.id)) and n.motivo = b.motivo
      and (n.enviado_em is not null or n.dispensado_em is not null)
      and n.dia > ${today}::date - case b.motivo when 'aniversario' then 1 else ${sql.lit(PRESENCE_DAYS)} end
    order by n.dia desc limit 1) n on true)`;

const listed = statement(
  (db, { zone, most, ...at }: Blanks<{ now: Date; zone: string; today: string; most: number }>) =>
    sql<Listed>`select n.id, n.student_id, n.motivo, n.idade, n.ultimas, n.anteriores, n.nome, n.whatsapp, n.enviado_em, n.dispensada,
        (select max(x.inicio) at time zone ${zone}::text from sessions x
          where x.student_id = n.student_id and not x.deleted and x.status = 'feita')::date::text as ultima
      from ${nudges(at)} n
      order by n.motivo, ultima desc nulls last, n.busca, n.student_id limit ${most}`.compile(db),
);

/** Students with a number to whom a message is to be sent, and of whom Meta did not report lately that it cannot be. */
export const nudgesToSend = (at: At) => sql<ToSend>`(select n.student_id, n.motivo from ${nudges(at)} n
  where n.id is null and n.whatsapp is not null and not exists (select from whatsapp_messages m
    where m.student_id = n.student_id and m.tipo = n.motivo and m.estado = 'falhou'
      and m.em > ${at.now}::timestamptz - make_interval(days => ${sql.lit(PRESENCE_DAYS)}))
  order by n.motivo, n.student_id limit ${sql.lit(MOST)})`;

type ToSend = Pick<Nudge, 'student_id' | 'motivo'>;

/** Number of messages to send. */
export const nudgesWaiting = (db: Kysely<DB>, at: At) =>
  db
    .selectFrom(sql<{ id: string | null }>`${nudges(at)}`.as('n'))
    .select(sql<number>`count(*)::int`.as('total'))
    .where('n.id', 'is', null);

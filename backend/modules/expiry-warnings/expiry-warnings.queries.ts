import { type Kysely, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { plural } from '../../platform/plural.api.js';
import { firstName, shortDate } from '../../platform/portuguese.js';
import type { ExpiryWarning, ExpiryWarningList } from './expiry-warnings.api.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

const MOST = 200;

export const ListExpiryWarnings = defineQuery(
  'ListExpiryWarnings',
  async ({ now, read }): Promise<ExpiryWarningList> => {
    const rows = await read(listed({ now, most: MOST }));
    return {
      items: rows.map(({ whatsapp, nome, enviado_em, ...row }): ExpiryWarning => {
        const texto = `Oi, ${firstName(nome!)}! ${endOf(row)} Vamos agendar suas aulas?`;
        return {
          ...row,
          student_nome: nome!,
          enviado_em: enviado_em?.toISOString() ?? null,
          texto,
          link: whatsapp && whatsAppAddress(whatsapp, texto),
        };
      }),
    };
  },
);

/** "Você tem 3 créditos que vencem em 30/11/2026." */
export const endOf = ({ creditos, expira_em }: Pick<ExpiryWarning, 'creditos' | 'expira_em'>): string =>
  `Você tem ${plural(creditos, 'crédito que vence', 'créditos que vencem')} em ${shortDate(expira_em)}.`;

/** Warnings of remaining credits, to students who were not forgotten. */
const current = (db: Kysely<DB>, now: Blanks<{ now: Date }>['now']) =>
  db
    .selectFrom('expiry_warnings as w')
    .innerJoin('students as s', (join) => sameTenant(join, 's.id', 'w.student_id'))
    .innerJoin('credit_lot_balances as l', (join) =>
      join
        .onRef('l.tenant_id', '=', 'w.tenant_id')
        .onRef('l.student_id', '=', 'w.student_id')
        .onRef('l.expira_em', '=', 'w.expira_em'),
    )
    .select(['w.id', 'w.student_id', 'w.expira_em', 'w.por_email', 'w.enviado_em'])
    .select(['s.nome', 's.whatsapp', sql<number>`sum(l.restante)::int`.as('creditos')])
    .where('w.expires_at', '>', now)
    .where('l.restante', '>', 0)
    .where('s.status', '=', 'active')
    .where('s.nome', 'is not', null)
    .groupBy(['w.tenant_id', 'w.id', 's.tenant_id', 's.id'])
    .groupBy(['w.student_id', 'w.expira_em', 'w.por_email', 'w.enviado_em', 's.nome', 's.whatsapp']);

const listed = statement((db, { now, most }: Blanks<{ now: Date; most: number }>) =>
  current(db, now).orderBy('w.expira_em').orderBy('w.id').limit(most).compile(),
);

/** Number of warnings that the trainer has to send. */
export const expiryWarningsWaiting = (db: Kysely<DB>, now: Blanks<{ now: Date }>['now']) =>
  db
    .selectFrom(
      current(db, now).where('w.enviado_em', 'is', null).where('w.por_email', '=', false).as('waiting'),
    )
    .select(sql<number>`count(*)::int`.as('total'));

/** A warning with the data for a mail. */
export const toldByMail = statement((db, { id, now }: Blanks<{ id: string; now: Date }>) =>
  current(db, now)
    .select('s.email')
    .select(trainersName.as('personal'))
    .groupBy('s.email')
    .where('w.id', '=', id)
    .compile(),
);

/**
 * Active students' credits that expire within 7 days, were granted more than 7 days before that, and have no warning yet. One that was
 * told before its student was merged into another is not told again.
 */
export const dueWarnings = statement(
  (
    db,
    { now, today, timezone, most }: Blanks<{ now: Date; today: string; timezone: string; most: number }>,
  ) =>
    sql<{ student_id: string; expira_em: string }>`
      select distinct l.student_id, l.expira_em
      from credit_lot_balances l
      join students s on s.tenant_id = l.tenant_id and s.id = l.student_id and s.status = 'active' and s.nome is not null
      where l.restante > 0 and l.expires_at > ${now} and l.expira_em <= ${today}::date + 7
        and l.criado_em < (l.expira_em - 7)::timestamp at time zone ${timezone}::text
        and not exists (select from expiry_warnings w
          where w.tenant_id = l.tenant_id and w.expira_em = l.expira_em and w.student_id in (select same_student(l.student_id))
            and (w.student_id = l.student_id or w.por_email or w.enviado_em is not null))
      order by l.expira_em, l.student_id limit ${most}`.compile(db),
);

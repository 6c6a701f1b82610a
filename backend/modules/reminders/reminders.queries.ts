import { type Kysely, sql } from 'kysely';
import { Config } from '../../platform/config/env.js';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { dayAndTime, firstName, timeOf } from '../../platform/portuguese.js';
import { type SentMessage, shownMessage } from '../../platform/whatsapp-messages.api.js';
import { contractRemindersWaiting } from '../contracts/contract-reminders.queries.js';
import { expiryWarningsWaiting } from '../expiry-warnings/expiry-warnings.queries.js';
import { nudgesWaiting } from '../nudges/nudges.queries.js';
import { offersWaiting } from '../public-link/waitlist.queries.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import type {
  Reminder,
  ReminderList,
  RemindersQuery,
  RemindersWaiting,
  WithheldMail,
} from './reminders.api.js';
import { agreedAddress } from '../services/offered.queries.js';

/** A day and a half of a full agenda. */
const MOST = 200;

export const ListReminders = defineQuery(
  'ListReminders',
  { tokens: LinkTokens, addresses: MailAddresses, config: Config },
  async (
    { context, now, read },
    { tokens, addresses, config },
    { session_id }: RemindersQuery,
  ): Promise<ReminderList> => {
    const [rows, unsent] = await Promise.all([
      read(listed({ now, session: session_id, most: MOST })),
      session_id === undefined ? read(withheld({ now })) : [],
    ]);
    return {
      // What did not reach an address that was corrected since needs nobody.
      retidos: unsent
        .filter(
          ({ cause, email, address_hash }) =>
            cause === 'visitor' || (email !== null && addresses.hashOf(email).equals(address_hash)),
        )
        .map(({ student_id, nome, coisa, motivo }) => ({ student_id, nome, coisa, motivo })),
      items: rows.map(
        ({ whatsapp, student_nome, inicio, enviado_em, confirmado_em, sent, chamada, ...row }): Reminder => {
          const url = confirmationUrl(config, tokens, row.id);
          const when = momentOf(inicio, now, context.timezone);
          const place = row.location_nome ?? (chamada && `online: ${chamada}`);
          const where = place === null ? '' : ` (${place})`;
          const nome = student_nome!;
          const texto = `Oi, ${firstName(nome)}! Lembrete da nossa aula ${when}${where}. Confirma pra mim? ${url}`;
          return {
            ...row,
            student_nome: nome,
            inicio: inicio.toISOString(),
            enviado_em: enviado_em?.toISOString() ?? null,
            confirmado_em: confirmado_em?.toISOString() ?? null,
            whatsapp: sent && shownMessage(sent),
            texto,
            link: whatsapp && whatsAppAddress(whatsapp, texto),
          };
        },
      ),
    };
  },
);

export const confirmationUrl = ({ siteUrl }: Config, tokens: LinkTokens, reminderId: string): string =>
  `${siteUrl}/confirmar/${tokens.tokenOf('reminder', reminderId)}`;

/** `hoje, 7:00`, `amanhã, 7:00`, or with the date. */
function momentOf(inicio: Date, now: Date, zone: string): string {
  const days = (Date.parse(dateOf(inicio, zone)) - Date.parse(dateOf(now, zone))) / 86_400_000;
  if (days === 0) return `de hoje, ${timeOf(inicio, zone)}`;
  if (days === 1) return `de amanhã, ${timeOf(inicio, zone)}`;
  return `de ${dayAndTime(inicio, zone)}`;
}

export const CountRemindersWaiting = defineQuery(
  'CountRemindersWaiting',
  async ({ context, now, read }): Promise<RemindersWaiting> => {
    const [row] = await read(waiting({ now, today: dateOf(now, context.timezone) }));
    return row!;
  },
);

/** Reminders of upcoming sessions whose time is still the announced one, to students who were not forgotten. */
const current = (db: Kysely<DB>, now: Blanks<{ now: Date }>['now']) =>
  db
    .selectFrom('reminders as r')
    .innerJoin('sessions as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'r.tenant_id')
        .onRef('s.id', '=', 'r.session_id')
        .onRef('s.inicio', '=', 'r.inicio')
        .onRef('s.student_id', '=', 'r.student_id'),
    )
    .innerJoin('students as st', (join) => sameTenant(join, 'st.id', 'r.student_id'))
    .where('r.inicio', '>', now)
    .where('s.status', '=', 'agendada')
    .where(sql<boolean>`not s.deleted and st.nome is not null`);

/** What became of the message that was sent by itself. */
const sentByItself = sql<SentMessage | null>`(select json_build_object('estado', w.estado, 'em', w.em, 'motivo', w.motivo)
  from whatsapp_messages w where w.tenant_id = r.tenant_id and w.subject_id = r.id limit 1)`;

const listed = statement(
  (db, { now, session, most }: Blanks<{ now: Date; session?: string | undefined; most: number }>) =>
    current(db, now)
      .leftJoin('locations as l', (join) => sameTenant(join, 'l.id', 's.location_id'))
      .select(agreedAddress.as('chamada'))
      .select(['r.id', 'r.session_id', 'r.student_id', 'r.inicio', 'r.por_email', 'r.enviado_em'])
      .select(sentByItself.as('sent'))
      .select(['r.confirmado_em', 'st.nome as student_nome', 'st.whatsapp', 'l.nome as location_nome'])
      .$if(session !== undefined, (found) => found.where('r.session_id', '=', session!))
      .orderBy('r.inicio')
      .orderBy('r.id')
      .limit(most)
      .compile(),
);

/** By the thing that a mail was about, its kind, or what the link in it switches off, whichever is known. */
const coisa = sql<WithheldMail['coisa']>`case
  when l.cause = 'code' then 'codigo'
  when l.thing ~ '^(waitlist|offer)' then 'espera'
  when l.cause = 'visitor' then 'reserva'
  when l.thing ~ '^(charge|vencimentos)' then 'cobranca'
  when l.thing ~ '^receipt' then 'recibo'
  when l.thing ~ '^(contract|assinaturas)' then 'contrato'
  when l.thing ~ '^(reminder|lembretes)' then 'aula'
  when l.thing ~ '^(expiry|credit)' then 'creditos'
  when l.thing ~ '^notification' then 'notificacao'
end`;

const withheld = statement((db, { now }: Blanks<{ now: Date }>) =>
  db
    .selectFrom('mail_ledger as l')
    .innerJoin('students as s', (join) => sameTenant(join, 's.id', 'l.person_id'))
    .select(['s.id as student_id', sql<string>`s.nome`.as('nome'), 's.email'])
    .select(['l.address_hash', 'l.cause'])
    .select([coisa.as('coisa'), sql<WithheldMail['motivo']>`l.withheld`.as('motivo')])
    .where(sql<boolean>`l.at > ${now}::timestamptz - interval '3 days' and l.withheld <> 'just_sent'`)
    .where('s.nome', 'is not', null)
    .groupBy(['s.id', 's.nome', 's.email', 'l.address_hash', 'l.cause', 'l.withheld', coisa])
    .orderBy(sql`max(l.at) desc`)
    .limit(50)
    .compile(),
);

const waiting = statement((db, { now, today }: Blanks<{ now: Date; today: string }>) =>
  current(db, now)
    .select(
      sql<number>`count(*)::int + ${contractRemindersWaiting(db, now)} + ${expiryWarningsWaiting(db, now)} + ${nudgesWaiting(db, { now, today })} + ${offersWaiting(now)}`.as(
        'total',
      ),
    )
    .where(sql<boolean>`r.enviado_em is null and r.confirmado_em is null and not r.por_email`)
    .compile(),
);

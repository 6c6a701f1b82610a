import { type Kysely, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { dateOf } from '../../platform/local-time.js';
import { shortDate } from '../../platform/portuguese.js';
import { letterSwitchedOff } from '../letters/notification-settings.queries.js';
import { ContractLinks } from './contract-links.service.js';
import type { ContractReminders } from './contracts.api.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { signerOf, titleSent } from './signature-requests.queries.js';

/** The most messages in one list, and the most mails in one run of the job. */
const MOST = 100;

/** Requests whose students are due to be reminded by WhatsApp, because they get no automatic mail. */
export const ListContractReminders = defineQuery(
  'ListContractReminders',
  { links: ContractLinks },
  async ({ context, now, read }, { links }): Promise<ContractReminders> => {
    const rows = await read(toSend({ now, most: MOST }));
    return {
      items: rows.map(({ expires_at, ...row }) => {
        const nome = row.student_nome!;
        const titulo = row.titulo ?? '';
        const until = shortDate(dateOf(expires_at, context.timezone));
        const { number, greeting, whose } = signerOf({ ...row, nome }, dateOf(now, context.timezone));
        const texto = `${greeting} Lembrete: “${titulo}”${whose} ainda espera a sua assinatura. Para ler e assinar até ${until}: ${links.urlOf(row.id)}`;
        return {
          id: row.id,
          contract_id: row.contract_id,
          student_nome: nome,
          titulo,
          texto,
          expires_at: expires_at.toISOString(),
          whatsapp: number === null ? null : whatsAppAddress(number, texto),
        };
      }),
    };
  },
);

/** Requests that wait for a signature and whose next reminder is due. */
const due = (db: Kysely<DB>, now: Blanks<{ now: Date }>['now']) =>
  db
    .selectFrom('signature_requests as q')
    .innerJoin('contracts as c', (join) => sameTenant(join, 'c.id', 'q.contract_id'))
    .innerJoin('students as who', (join) => sameTenant(join, 'who.id', 'q.student_id'))
    .where('q.status', 'in', ['sent', 'opened'])
    .where('q.lembrete_em', '<=', now)
    .where('q.expires_at', '>', now)
    .where('who.status', '=', 'active')
    .where('who.nome', 'is not', null)
    .where(sql<boolean>`c.is_active and c.lembretes`);

/** Whether the next reminder is mailed automatically: not where its mail may not be sent. */
const byMail = sql<boolean>`who.email is not null and not ${letterSwitchedOff('who.id', 'assinaturas')}
  and not exists (select from mail_ledger as l where l.tenant_id = q.tenant_id and l.person_id = q.student_id
    and l.thing = 'contract/' || q.contract_id || '/' || q.versao and l.withheld <> 'just_sent' and l.at >= q.lembrete_em)`;
const byHand = sql<boolean>`not (${byMail})`;

/** How many reminders the trainer has to send by WhatsApp. */
export const contractRemindersWaiting = (db: Kysely<DB>, now: Blanks<{ now: Date }>['now']) =>
  due(db, now)
    .where(byHand)
    .select(sql<number>`count(*)::int`.as('total'));

interface Due {
  now: Date;
  most: number;
}

const toSend = statement((db, { now, most }: Blanks<Due>) =>
  due(db, now)
    .select(['q.id', 'q.contract_id', 'q.expires_at', 'who.nome as student_nome', 'who.whatsapp'])
    .select(['who.nascimento as recorded', 'who.responsavel_nome', 'who.responsavel_telefone'])
    .select(titleSent('q').as('titulo'))
    .where(byHand)
    .orderBy('q.lembrete_em')
    .orderBy('q.id')
    .limit(most)
    .compile(),
);

const toMail = statement((db, { now, most }: Blanks<Due>) =>
  due(db, now).select('q.id').where(byMail).orderBy('q.lembrete_em').orderBy('q.id').limit(most).compile(),
);

/** Requests for which a reminder has to be mailed now. */
export const remindersToMail = (now: Date) => toMail({ now, most: MOST });

import type { Query } from '../database/database.js';
import type { Occasion } from '../reactions/define-reaction.js';
import { type CommandTransaction, defineLookUp } from '../event-store/command-transaction.js';
import { Problem } from '../http/problem.js';
import type { MailStop } from './mail-stops.api.js';

/** Whose act a mail follows from. Each has an allowance of its own, so that nobody's mails use up those of others. */
export type Cause = 'trainer' | 'visitor' | 'code';

/** Mails of one tenant to one address a day. */
const TO_ADDRESS: Readonly<Record<Cause, number>> = { trainer: 6, visitor: 10, code: 10 };

/** Why a mail is not sent. */
export type Withheld = MailStop | 'just_sent' | 'enough' | 'allowance';

/** A mail to a student or visitor that is about to be announced. */
export interface WantedMail {
  personId: string;
  addressHash: Buffer;
  cause: Cause;
  /** What it is about: at most one mail an hour. Null: each is about something new. */
  thing: string | null;
}

/** See the function `mail_standing`. */
interface Standing {
  stopped: MailStop | null;
  just_sent: boolean;
  to_address: number;
  today: number;
  allowance: number;
}

const STANDING = 'select * from mail_standing($1, $2, $3, $4, $5)';
const standing = defineLookUp<
  Standing & Record<string, unknown>,
  [address: Buffer, thing: string | null, cause: Cause, now: Date]
>(STANDING);
/** That one was withheld is noted once a day for each thing, however often a job tries. */
const NOTE = `insert into mail_ledger (tenant_id, person_id, address_hash, cause, thing, withheld, at)
  select $1, $2, $3, $4, $5, $6, $7::timestamptz where $6::text is null or not exists (select from mail_ledger
    where tenant_id = $1 and address_hash = $3 and thing = $5 and withheld = $6
      and at > $7::timestamptz - interval '1 day')`;

/** A code was asked for by the person: it is sent also to an address that wants no mails of the trainer. */
export function withheldBy(cause: Cause, found: Standing): Withheld | null {
  const { stopped, just_sent, to_address, today, allowance } = found;
  if (stopped && cause !== 'code') return stopped;
  if (just_sent) return 'just_sent';
  if (to_address >= TO_ADDRESS[cause]) return 'enough';
  return today >= allowance ? 'allowance' : null;
}

const noteOf = (
  tenantId: string,
  { personId, addressHash, cause, thing }: WantedMail,
  [why, now]: [Withheld | null, Date],
): Parameters<Query> => [NOTE, [tenantId, personId, addressHash, cause, thing, why, now]];

/**
 * Decides in a command whether its mails may be sent, and counts them with its events: a command announces only mails that are
 * sent. Call it once per command; all mails of a command have the same cause.
 */
export function mailsOf(tx: CommandTransaction): (mail: WantedMail) => Promise<Withheld | null> {
  const taken: { address: string; thing: string | null }[] = [];
  return async (mail) => {
    const { addressHash, thing, cause } = mail;
    const [found] = await tx.lookUp(standing, addressHash, thing, cause, tx.now);
    const address = addressHash.toString('hex');
    const own = taken.filter((one) => one.address === address);
    const { just_sent, to_address, today, ...rest } = found!;
    const why = withheldBy(cause, {
      ...rest,
      just_sent: just_sent || (thing !== null && own.some((one) => one.thing === thing)),
      to_address: to_address + own.length,
      today: today + taken.length,
    });
    if (why === null) taken.push({ address, thing });
    tx.inTransaction((query) => query(...noteOf(tx.context.tenantId, mail, [why, tx.now])));
    return why;
  };
}

/** The same for a mail of a reaction, in its transaction. */
export async function takeMail(
  { query, event: { tenantId } }: Pick<Occasion, 'query' | 'event'>,
  mail: WantedMail,
  now: Date,
): Promise<boolean> {
  const { addressHash, thing, cause } = mail;
  const [found] = await query<Standing>(STANDING, [tenantId, addressHash, thing, cause, now]);
  const why = withheldBy(cause, found!);
  await query(...noteOf(tenantId, mail, [why, now]));
  return why === null;
}

const BY_HAND = 'mande pelo WhatsApp.';
const WORDS: Record<Withheld, string> = {
  asked: `Esta pessoa pediu para não receber seus e-mails: ${BY_HAND}`,
  complained: `Esta pessoa marcou um e-mail seu como spam e não recebe mais: ${BY_HAND}`,
  bounced: `O último e-mail para este endereço voltou. Corrija o e-mail no cadastro ou ${BY_HAND}`,
  just_sent: `Este e-mail já foi enviado há menos de 1 hora. Se precisar, ${BY_HAND}`,
  enough: `Esta pessoa já recebeu ${TO_ADDRESS.trainer} e-mails seus hoje: ${BY_HAND}`,
  allowance: `Você chegou ao limite de e-mails de hoje. Ele aumenta com o tempo de conta e quando seus alunos respondem. Por enquanto, ${BY_HAND}`,
};

/** The answer to a request to send one mail that is not sent. */
export const mailWithheld = (why: Withheld): Problem => new Problem('mail_withheld', { detail: WORDS[why] });

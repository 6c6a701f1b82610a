import type { Query } from '../database/database.js';
import type { Occasion } from '../reactions/define-reaction.js';
import { type CommandTransaction, defineLookUp } from '../event-store/command-transaction.js';
import { Problem } from '../http/problem.js';
import type { MailReport } from './mail-reports.js';
import type { MailStop } from './mail-stops.api.js';

/*
 * Mails to students and visitors are limited (`mail-limits.ts`, `mail_ledger`): per tenant and day by the age of the account, a
 * confirmed address and the people who answer; eight a day to one address, of which visitors cause five at most, and one an hour
 * about the same thing. A second mail of a kind about one booking is sent when the hour is over. A mail that came back, or that
 * somebody ended, lowers the limit of its cause, and ends the mails of that trainer to the address. The command that announces a
 * mail decides it (`mailsOf`; `takeMail` in a reaction): what may not be mailed is refused, or goes to the messages for
 * WhatsApp, and "Lembretes" says why, as it does for mails that were announced and did not arrive. The mail server's bounces and
 * complaints come by `POST /hooks/mail` (`mail-reports.ts`); the link in the returned mail says what they are about. A mail goes
 * only to the address for which it was decided (`mails.address_hash`): if that changes before it is sent, it is dropped.
 */

/** Whose act a mail follows from. Each has an allowance of its own, so that nobody's mails use up those of others. */
export type Cause = 'trainer' | 'visitor' | 'code';

/**
 * Mails of one tenant to one address a day. Those that trainers and visitors cause count together, and visitors leave some to the
 * trainer: anybody may type the address of a student.
 */
const TO_ADDRESS: Readonly<Record<Cause, number>> = { trainer: 8, visitor: 5, code: 10 };
const HOUR_MS = 3_600_000;

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
  /** When a mail about the same was sent within the hour, or will be. */
  last_at: Date | null;
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

/**
 * A code was asked for by the person: it is sent also to an address that wants no mails of the trainer. It has no allowance, which
 * strangers could use up so that nobody could sign; the codes of a request and of an address are limited.
 */
export function withheldBy(cause: Cause, found: Standing): Withheld | null {
  const { stopped, last_at, to_address, today, allowance } = found;
  if (stopped && cause !== 'code') return stopped;
  if (last_at) return 'just_sent';
  if (to_address >= TO_ADDRESS[cause]) return 'enough';
  return cause !== 'code' && today >= allowance ? 'allowance' : null;
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
    const { last_at, to_address, today, ...rest } = found!;
    const why = withheldBy(cause, {
      ...rest,
      last_at: thing !== null && own.some((one) => one.thing === thing) ? tx.now : last_at,
      to_address: to_address + own.length,
      today: today + taken.length,
    });
    if (why === null) taken.push({ address, thing });
    tx.inTransaction((query) => query(...noteOf(tx.context.tenantId, mail, [why, tx.now])));
    return why;
  };
}

/**
 * The same for a mail of a reaction, in its transaction. Returns when it may be sent, or null. With `canWait`, a mail about the same
 * as one of the last hour is sent when the hour is over, and tells then what is true: one for all that was new in between.
 */
export async function takeMail(
  { query, event: { tenantId } }: Pick<Occasion, 'query' | 'event'>,
  mail: WantedMail,
  now: Date,
  canWait = false,
): Promise<Date | null> {
  const { addressHash, thing, cause } = mail;
  const [found] = await query<Standing>(STANDING, [tenantId, addressHash, thing, cause, now]);
  const at = canWait && found!.last_at ? new Date(found!.last_at.getTime() + HOUR_MS) : now;
  const isWaiting = found!.last_at !== null && found!.last_at > now;
  const why = withheldBy(cause, canWait && !isWaiting ? { ...found!, last_at: null } : found!);
  await query(...noteOf(tenantId, mail, [why, why === null ? at : now]));
  return why === null ? at : null;
}

const STOP = `insert into mail_stops (tenant_id, address_hash, reason, cause)
  values ($1, $2, 'asked', $3) on conflict do nothing`;
const ALLOW = 'delete from mail_stops where tenant_id = $1 and address_hash = $2';
const NOTE_REPORT = `with stopped as (insert into mail_stops (tenant_id, address_hash, reason, cause)
    select $1, $2::bytea, $3::text, $6::text where $3::text <> 'failed' on conflict do nothing)
  insert into mail_ledger (tenant_id, person_id, address_hash, cause, thing, withheld, at)
  select $1, $4::uuid, $2::bytea, $6::text, $7::text, $3::text, $5::timestamptz where $4::uuid is not null`;

/** Mails of the tenant to an address. */
type Mails = Pick<WantedMail, 'addressHash' | 'cause'>;

export const stopMails = (tx: CommandTransaction, { addressHash, cause }: Mails): void =>
  tx.inTransaction((query) => query(STOP, [tx.context.tenantId, addressHash, cause]));

export const allowMails = (tx: CommandTransaction, { addressHash }: Mails): void =>
  tx.inTransaction((query) => query(ALLOW, [tx.context.tenantId, addressHash]));

/** `told`: of which person it is noted that a mail did not arrive, if of any. */
export const noteReport = (
  tx: CommandTransaction,
  { addressHash, cause, kind }: Mails & { kind: string | null },
  [why, told]: [why: MailReport['why'], told: string | null],
): void =>
  tx.inTransaction((query) =>
    query(NOTE_REPORT, [tx.context.tenantId, addressHash, why, told, tx.now, cause, kind]),
  );

const BY_HAND = 'mande pelo WhatsApp.';
/** For the trainer. */
export const whyWithheld: Readonly<Record<Withheld, string>> = {
  asked: `Esta pessoa pediu para não receber seus e-mails: ${BY_HAND}`,
  complained: `Esta pessoa marcou um e-mail seu como spam e não recebe mais: ${BY_HAND}`,
  bounced: `O último e-mail para este endereço voltou. Corrija o e-mail no cadastro ou ${BY_HAND}`,
  just_sent: `Este e-mail já foi enviado há menos de 1 hora. Se precisar, ${BY_HAND}`,
  enough: `Esta pessoa já recebeu ${TO_ADDRESS.trainer} e-mails seus hoje: ${BY_HAND}`,
  allowance: `Você chegou ao limite de e-mails de hoje. Ele aumenta com o tempo de conta e quando seus alunos respondem. Por enquanto, ${BY_HAND}`,
};

/** The answer to a request to send one mail that is not sent. */
export const mailWithheld = (why: Withheld): Problem =>
  new Problem('mail_withheld', { detail: whyWithheld[why] });

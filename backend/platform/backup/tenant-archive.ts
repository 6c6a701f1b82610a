import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { EventMeta } from '../event-store/event-codec.js';

export const FORMAT = 'rende-archive';
export const FORMAT_VERSION = 1;

/**
 * Tables of a tenant that follow from no event, each after those that it refers to. `of`: which rows, where it is not all of them.
 * Accounts of students are their own, so their memberships stay.
 */
export const CARRIED: Readonly<Record<string, { of?: string; order: string }>> = {
  slugs: { order: 'slug' },
  tenants: { order: 'tenant_id' },
  memberships: { of: `role = 'personal'`, order: 'user_id' },
  notification_settings: {
    of: `user_id in (select m.user_id from memberships m where m.tenant_id = $1 and m.role = 'personal')`,
    order: 'user_id',
  },
  notifications: { order: 'id' },
  integrity_checks: { of: 'done_at is not null', order: 'requested_at, id' },
  letters_off: { order: 'student_id, kind' },
  mail_ledger: { order: 'recorded_at, at, address_hash' },
  mail_stops: { order: 'address_hash, reason' },
};

/** Tables of a tenant that are not carried, and why. */
export const LEFT: Readonly<Record<string, string>> = {
  tenant_log: 'made from the events',
  events: 'has lines of its own',
  person_keys: 'has lines of its own: the keys themselves stay',
  kept_files: 'has lines of its own',
  snapshots: 'made from the events',
  projection_checkpoint: 'made for the events',
  reaction_checkpoint: 'made for the events',
  reaction_sweep: 'made for the events',
  idempotency_keys: 'answers of the last two days',
  mails: 'the outbox: what waits is sent by the Rende that it waits in',
  push_deliveries: 'the same for devices',
  letter_links: 'links in mails that were sent',
  other_calendar_busy: 'read again from the other calendar',
  other_calendar_reads: 'read again from the other calendar',
  pix_code_turns: 'asked for again',
  whatsapp_outbox: 'the outbox again',
  whatsapp_checks: 'read again from Meta, once it is connected anew',
  pix_provider_checks: 'the keys to the bank stay, so the provider is connected anew',
};

/** Keys to a bank, and to a number of WhatsApp: what is passed on has none. */
export const OUTSIDE_KEYS: ReadonlySet<string> = new Set(['client_secret', 'chave_privada', 'token_acesso']);
export const withoutOutsideKeys = (name: string, value: unknown): unknown =>
  OUTSIDE_KEYS.has(name) ? null : value;

/** An instant with its microseconds. */
type Instant = string;

export interface Header {
  kind: 'header';
  format: string;
  version: number;
  made_at: Instant;
  tenant_id: string;
  events: number;
  /** Hash of the last event, in hexadecimal. */
  head: string;
  /** They are invited anew after an import: their accounts are their own. */
  students_with_account: number;
  /** Ed25519, SPKI in base64. */
  public_key: string;
}

/** The trainer's account; its password and second factor stay. */
export interface AccountLine {
  kind: 'account';
  user: { id: string; email: string; name: string; created_at: Instant };
  /** What the trainer told at sign-up, such as the CPF. */
  profile: Record<string, unknown> | null;
  /** By which the history names devices. */
  sessions: { id: string; user_agent: string | null; created_at: Instant }[];
}

export interface RowLine {
  kind: 'row';
  table: string;
  row: Record<string, unknown>;
}

/** A person whose texts have a key, or a retention. */
export interface KeyLine {
  kind: 'key';
  id: string;
  created_at: Instant;
  /** Null: its texts are in the lines of events. */
  forgotten_at: Instant | null;
  retained: { person: string; name: string; until: string } | null;
}

export interface EventLine {
  kind: 'event';
  position: number;
  stream_id: string;
  version: number;
  type: string;
  schema_version: number;
  recorded_at: Instant;
  meta: EventMeta;
  /** In the shape of `schema_version`, texts about persons in clear; null where the person was forgotten. */
  data: Record<string, unknown>;
  /** The hash of the log in which it was recorded: over its encrypted form, so it cannot be computed from this line. */
  hash: string;
}

export interface FileLine {
  kind: 'file';
  id: string;
  person_id: string;
  key_id: string;
  /** In hexadecimal. */
  sha256: string;
  kept_at: Instant;
  /** Base64. */
  content: string;
}

export type Line = Header | AccountLine | RowLine | KeyLine | EventLine | FileLine;

const SUMMED = /^(\{"n":(\d+),.*),"sum":"([\da-f]{64})"\}$/;
const SIGNED = /^(\{"n":(\d+),"kind":"end","sum_before":"([\da-f]{64})"),"signature":"([\w+/=]+)"\}$/;

const sumOf = (before: string, text: string): string =>
  createHash('sha256').update(before).update(text).digest('hex');

/** Some programs, of which readers of this format are some, end lines at these too, and the `.` of an expression stops at them. */
const LINE_ENDS = { '\u2028': '\\u2028', '\u2029': '\\u2029' } as const;
const inOneLine = (json: string) =>
  json.replace(/[\u2028\u2029]/g, (end) => LINE_ENDS[end as keyof typeof LINE_ENDS]);

/** Writes lines whose sums are a chain; the last one is signed. */
export class LineWriter {
  private n = 0;
  private sum = '';

  constructor(private readonly key: KeyObject) {}

  line(line: Line): string {
    this.n += 1;
    const text = `{"n":${this.n},${inOneLine(JSON.stringify(line)).slice(1, -1)}`;
    this.sum = sumOf(this.sum, text);
    return `${text},"sum":"${this.sum}"}\n`;
  }

  end(): string {
    const text = `{"n":${this.n + 1},"kind":"end","sum_before":"${this.sum}"`;
    return `${text},"signature":"${sign(null, Buffer.from(text), this.key).toString('base64')}"}\n`;
  }
}

/** Why an archive is not read, in Portuguese. */
export class TenantArchiveError extends Error {}

/**
 * The lines of an archive. Its chain is verified line by line, its signature at the end, so nothing of it may be used before the
 * last line was read. `keys`: public keys that are trusted.
 * @throws TenantArchiveError
 */
export async function* linesOf(file: string, keys: readonly string[]): AsyncGenerator<Line> {
  const opened = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new TenantArchiveError(`Não foi possível ler ${file} (${error.code}).`);
  });
  let [n, sum, publicKey] = [0, '', ''];
  let isOver = false;
  try {
    for await (const text of opened.readLines()) {
      n += 1;
      if (isOver)
        throw new TenantArchiveError(`Há linhas depois do fim do arquivo, da linha ${n} em diante.`);
      const [, signed, , before, signature] = SIGNED.exec(text) ?? [];
      if (signed) {
        const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
        if (before !== sum || !verify(null, Buffer.from(signed), key, Buffer.from(signature!, 'base64')))
          throw new TenantArchiveError('A assinatura não confere: o arquivo foi alterado.');
        isOver = true;
        continue;
      }
      const [, summed, number, own] = SUMMED.exec(text) ?? [];
      if (!summed || Number(number) !== n || sumOf(sum, summed) !== own)
        throw new TenantArchiveError(
          n === 1
            ? 'Este não é um arquivo completo do Rende.'
            : `A linha ${n} não confere: foi alterada, ou falta uma linha antes dela.`,
        );
      sum = own;
      const line = JSON.parse(`${summed}}`) as Line;
      if (n === 1) publicKey = refuseOthers(line, keys);
      else if (line.kind === 'header')
        throw new TenantArchiveError(`A linha ${n} é outro cabeçalho: o arquivo é de mais de um negócio.`);
      yield line;
    }
  } finally {
    await opened.close();
  }
  if (!isOver) throw new TenantArchiveError('O arquivo está cortado: falta o fim dele.');
}

/** Returns the public key. */
function refuseOthers(line: Line, keys: readonly string[]): string {
  if (line.kind !== 'header' || line.format !== FORMAT)
    throw new TenantArchiveError('Este não é um arquivo completo do Rende.');
  if (line.version > FORMAT_VERSION)
    throw new TenantArchiveError(
      `O arquivo é de uma versão mais nova do Rende (formato ${line.version}, este lê até ${FORMAT_VERSION}). Atualize o Rende e importe de novo.`,
    );
  if (!keys.includes(line.public_key))
    throw new TenantArchiveError(
      `O arquivo é de outro Rende, com a chave pública ${line.public_key}. Confira a chave com quem o opera e informe-a com --key.`,
    );
  return line.public_key;
}

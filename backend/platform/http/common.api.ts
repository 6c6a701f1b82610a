import * as z from 'zod/mini';
import { hasAddress } from './addresses.api.js';

/**
 * Problem codes of a module and how each is answered. `as const satisfies ErrorTable`.
 * `title` is what a person reads; a problem may add a `detail` of its own.
 */
export type ErrorTable = Readonly<Record<string, { readonly status: number; readonly title: string }>>;

export const platformErrors = {
  validation: { status: 400, title: 'Há campos inválidos' },
  broken_rule: { status: 422, title: 'Os dados enviados não combinam entre si' },
  'idempotency.key_missing': { status: 400, title: 'Falta o cabeçalho Idempotency-Key' },
  'idempotency.key_reused': {
    status: 422,
    title: 'Esta chave de idempotência já foi usada com outro conteúdo',
  },
  unauthenticated: { status: 401, title: 'Usuário não autenticado' },
  forbidden: { status: 403, title: 'Você não tem permissão para esta ação' },
  not_found: { status: 404, title: 'Não encontrado' },
  conflict: { status: 409, title: 'O registro mudou enquanto você editava' },
  changed_since: { status: 409, title: 'Mudou em outra janela' },
  already_exists: { status: 409, title: 'Este valor já existe' },
  still_linked: { status: 409, title: 'Não é possível remover: há registros vinculados' },
  too_large: { status: 413, title: 'Conteúdo grande demais' },
  unsupported_media_type: { status: 415, title: 'Envie o conteúdo como application/json' },
  mail_withheld: { status: 409, title: 'E-mail não enviado' },
  rate_limited: { status: 429, title: 'Muitas tentativas. Aguarde um pouco e tente de novo' },
  /**
   * Refusals of the database of a request that passed validation and authorisation, which are bugs; in words that may
   * help the user.
   */
  'database.not_allowed': {
    status: 500,
    title: 'Sem permissão para esta ação. Confira seu login e tente de novo',
  },
  'database.value_missing': { status: 500, title: 'Falta preencher um campo obrigatório' },
  internal: { status: 500, title: 'Ocorreu um erro inesperado.' },
  busy: { status: 503, title: 'Serviço ocupado. Tente de novo em instantes' },
  too_slow: { status: 503, title: 'Esta consulta demorou demais. Tente de novo em instantes' },
  'past.not_yet': { status: 422, title: 'Esse momento ainda não chegou' },
  'past.before_account': { status: 422, title: 'Sua conta ainda não existia nesse momento' },
  'past.not_there': { status: 422, title: 'Isto não existia nesse momento' },
} as const satisfies ErrorTable;

/** Problem details of the API (RFC 9457, `application/problem+json`). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.optional(z.string()),
  instance: z.string(),
  errors: z.optional(z.array(z.object({ pointer: z.string(), detail: z.string() }))),
});
export type ProblemBody = z.infer<typeof problem>;

/** Id of anything: a UUID, in lower case after parsing. */
export const id = z.uuid().check(z.toLowerCase());

/** `{ id }` in a path. */
export const idParams = z.strictObject({ id });

/** Answer of a write: the id of what it created (201) or changed. */
export const created = z.object({ id });

/** Money as whole cents, never negative. */
export const cents = z.int().check(z.nonnegative());

/** A day of the calendar, `YYYY-MM-DD`, that exists and lies between 1900 and 2100. */
export const calendarDate = z.iso.date({ abort: true }).check(
  z.refine((day) => day >= '1900-01-01' && day <= '2100-12-31', {
    error: 'Informe uma data entre 1900 e 2100',
  }),
);

/** Time after midnight UTC until a day has ended in every time zone. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The day that it is where the date changes last: earlier days are over in every time zone. */
export const lastZonesDay = (now: Date): string =>
  new Date(now.getTime() - LAST_ZONE_MS).toISOString().slice(0, 10);

/** The day on which somebody was born. */
export const birthDate = calendarDate.check(
  z.refine((day) => day < lastZonesDay(new Date()), {
    error: 'Data de nascimento deve estar no passado',
  }),
);

/** A moment, ISO 8601 with `Z` or an offset, between 1900 and 2100; in UTC with milliseconds after parsing. */
export const instant = z.iso.datetime({ offset: true, abort: true }).check(
  z.refine((moment) => moment.slice(0, 4) >= '1900' && moment.slice(0, 4) <= '2100', {
    error: 'Informe uma data entre 1900 e 2100',
    abort: true,
  }),
  z.overwrite((moment) => new Date(moment).toISOString()),
);

/** Characters that are invisible, or that change the direction in which others are shown. */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
/** Flags of regions, whose signs after the first are invisible alone; and such signs elsewhere. */
const FLAGS_AND_TAGS = /\u{1f3f4}[\u{e0020}-\u{e007f}]+|[\u{e0000}-\u{e01ef}]/gu;
/** Joiners where they join nothing; emojis and some scripts need them between their signs. */
const IDLE_JOINERS = /(^|[\s<>\p{P}\p{N}\p{Script=Latin}])[\u200c\u200d]+/gu;
const LAST_JOINERS = /[\u200c\u200d]+(?=$|[\s<>\p{P}\p{N}\p{Script=Latin}])/gu;

/** A text without invisible characters, so that what is stored is what was seen. HTML is cleaned after its entities are decoded. */
export const withoutUnseen = (typed: string): string =>
  typed
    .replace(UNSEEN, '')
    .replace(FLAGS_AND_TAGS, (found) => (found.startsWith('\u{1f3f4}') ? found : ''))
    .replace(IDLE_JOINERS, '$1')
    .replace(LAST_JOINERS, '');

/**
 * Text that a person typed, without blanks around it and without invisible characters, which can make it look like another:
 * `min` to `max` characters, no control characters but tab and newlines, no lone surrogates (Postgres refuses them).
 * `tooShort` replaces the message for a text under `min`.
 */
export function text(min: number, max: number, tooShort?: string, empty = tooShort) {
  return z.string().check(
    z.overwrite(withoutUnseen),
    z.trim(),
    z.minLength(min, { error: ({ input }) => (input === '' ? empty : tooShort) }),
    z.maxLength(max),
    z.refine((value) => !/[^\P{Cc}\t\n\r]|\p{Cs}/u.test(value), { error: 'Há caracteres inválidos' }),
  );
}

/** Full-width signs, and letters of formulas that stand for bold or italic ones: searches would not find such a name. */
const WIDE = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/gu;

/**
 * A name, title or subject: a text of one line, without addresses of the web or of mail, because it reaches people in mails
 * and messages.
 */
export function name(min: number, max: number, tooShort?: string, empty?: string) {
  return text(min, max, tooShort, empty).check(
    z.overwrite((typed) => typed.replace(/\s+/g, ' ').replace(WIDE, (sign) => sign.normalize('NFKC'))),
    z.refine((value) => !hasAddress(value), { error: 'Escreva sem links nem endereços de internet' }),
  );
}

/** Optional text: null where it is absent; an empty text is null after parsing. */
export const optionalText = (max: number) => emptyAsNull(text(0, max));

/** The same for a name. */
export const optionalName = (max: number) => emptyAsNull(name(0, max));

function emptyAsNull(written: ReturnType<typeof text>) {
  return z.nullable(
    z.pipe(
      written,
      z.transform((value) => value || null),
    ),
  );
}

/** Query fields of every list: spread them into the route's query. */
export const pageQuery = {
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
  cursor: z.optional(z.string().check(z.maxLength(1000))),
};

/** For reads that can answer as a past moment knew it: what was recorded later does not count. Now when absent. */
export const momentQuery = { at: z.optional(instant) };
export const atMoment = z.strictObject(momentQuery);
export type AtMoment = z.infer<typeof atMoment>;

/** Answer of every list; `next` is the cursor of the following page, null on the last one. */
export function page<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.array(item), next: z.nullable(z.string()) });
}

/**
 * Fields of a change that can be undone: an undo says in `se_ainda` what it takes back, and is refused where one of these
 * fields has another value by now.
 */
export const undoable = <Shape extends z.core.$ZodShape>(fields: Shape) => ({
  ...fields,
  se_ainda: z.optional(z.partial(z.strictObject(fields))),
});

/**
 * A rule between fields, such as an end after a start. Violations answer 422 instead of 400 and point at `path`.
 * Use inside `.check(…)` of an object.
 */
export function rule<Value>(
  holds: (value: Value) => boolean,
  message: string | ((value: Value) => string),
  path: string[],
) {
  const error =
    typeof message === 'string' ? message : ({ input }: { input?: unknown }) => message(input as Value);
  return z.refine<Value>(holds, { error, path, params: { rule: true } });
}

import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { instant, type ErrorTable } from '../../platform/http/common.api.js';

export const whyErrors = {
  'why.not_found': { status: 404, title: 'Não encontramos a origem disto' },
} as const satisfies ErrorTable;

/**
 * What can be asked for. `credit`: a line of a statement, by its position; `balance`, `monthly` and `pause`: a student's, with `own`
 * that of the student who asks; `receipt`: by its receita; `signature`: what a student was sent to sign; `pix`: one that arrived by
 * itself; `expected`: previsto of a month (`2026-11`), or one of its parts (`2026-11/desconto`).
 */
const kinds = [
  'balance',
  'credit',
  'lot',
  'session',
  'charge',
  'transaction',
  'monthly',
  'pause',
  'receipt',
  'signature',
  'pix',
  'expected',
] as const;
export type WhyKind = (typeof kinds)[number];

const thing = z
  .templateLiteral([z.enum(kinds), ':', z.string()], 'Informe de que como charge:{id}')
  .check(
    z.regex(
      /^(credit:\d{1,15}|(balance|pause):own|expected:(19|20|21)\d\d-(0[1-9]|1[0-2])(\/[a-z_]{1,20})?|(?!credit|expected)\w+:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/,
    ),
  );

export const whyQuery = z.strictObject({ de: thing });
export type WhyQuery = z.infer<typeof whyQuery>;

const whyLink = z.object({
  titulo: z.string(),
  texto: z.string(),
  /** The words of the contract that was signed. */
  clausula: z.nullable(z.string()),
  /** Null for what follows from a rule or from the day. */
  quando: z.nullable(instant),
  /** "Você" for the student who asks. */
  quem: z.nullable(z.string()),
  dispositivo: z.nullable(z.string()),
  /** What it is about, to ask why again; null for what cannot be asked for. */
  de: z.nullable(z.string()),
  /** Address of its page in the app. */
  para: z.nullable(z.string()),
});
export type WhyLink = z.infer<typeof whyLink>;

/** Why something is as it is: from what it is back to where it comes from. */
export const why = z.object({ pergunta: z.string(), elos: z.array(whyLink) });
export type Why = z.infer<typeof why>;

export const whyApi = {
  explain: get('/why', {
    summary:
      'Explica um saldo, um crédito, uma sessão, uma cobrança, um lançamento, um recibo, um contrato, uma pausa, um Pix ou o previsto de um mês, do que é até de onde veio',
    query: whyQuery,
    answer: why,
  }),
};

export const ownWhyApi = {
  explain: get('/student/why', {
    summary:
      'Explica ao próprio aluno um saldo, um crédito, uma aula, uma cobrança, um pagamento, um recibo, um contrato ou uma pausa',
    roles: ['aluno'],
    byLink: true,
    query: whyQuery,
    answer: why,
  }),
};

export const isWhyKind = (kind: string): kind is WhyKind => (kinds as readonly string[]).includes(kind);

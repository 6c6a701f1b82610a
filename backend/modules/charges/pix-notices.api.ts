import * as z from 'zod/mini';
import { post, get } from '../../platform/http/calls.api.js';
import {
  created,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  page,
  pageQuery,
} from '../../platform/http/common.api.js';

export const pixNoticeErrors = {
  'charges.not_signed': { status: 401, title: 'Assinatura inválida' },
  'charges.pix_not_found': { status: 404, title: 'Pix não encontrado' },
  'charges.pix_decided': { status: 409, title: 'Este Pix já foi decidido' },
  'charges.pix_no_charge': { status: 409, title: 'Este Pix não é de uma cobrança em aberto' },
} as const satisfies ErrorTable;

const MOST_IN_ONE = 200;

/** A notice of the API Pix; other fields are ignored. */
export const pixNotice = z.object({
  pix: z._default(
    z
      .array(
        z.object({
          endToEndId: z.string().check(z.regex(/^[\dA-Za-z]{1,35}$/)),
          txid: z.optional(z.nullable(z.string().check(z.regex(/^[\dA-Za-z]{1,35}$/)))),
          valor: z.string().check(z.regex(/^(?!0+\.00$)\d{1,9}\.\d{2}$/)),
          horario: instant,
        }),
      )
      .check(z.maxLength(MOST_IN_ONE)),
    [],
  ),
});

export const hookParams = z.strictObject({ account: id });

/** Address and secret for a provider's notices. `anterior_ate`: until when the replaced secret is accepted too. */
export const pixHook = z.object({
  url: z.string(),
  segredo: z.string(),
  anterior_ate: z.nullable(instant),
});
export type PixHook = z.infer<typeof pixHook>;

/** A Pix that is no payment of a charge, or is more than was due, and so needs a decision. It counts nowhere until then. */
export const undecidedPix = z.object({
  id,
  /** Cents to be decided. */
  valor: z.int(),
  data: calendarDate,
  charge_id: z.nullable(id),
  student_nome: z.nullable(z.string()),
  descricao: z.nullable(z.string()),
  /** Whether its charge is open, so that it may pay that. */
  paga_cobranca: z.boolean(),
  /** It came for a booking that had lapsed, whose time somebody else has by now. */
  da_reserva: z.boolean(),
});
export type UndecidedPix = z.infer<typeof undecidedPix>;
export const undecidedList = z.strictObject({ ...pageQuery, cursor: z.optional(id) });
export type UndecidedList = z.infer<typeof undecidedList>;
export const undecidedPage = page(undecidedPix);
export type UndecidedPage = z.infer<typeof undecidedPage>;

/** `cobranca`: it pays its charge. `receita`: it counts as income. `fora`: it is returned, or is no income. */
export const pixDecision = z.strictObject({ decisao: z.enum(['cobranca', 'receita', 'fora']) });
export type PixDecision = z.infer<typeof pixDecision>;

export const pixNoticesApi = {
  replaceSecret: post('/settings/pix/webhook/secret', {
    summary: 'Troca o segredo do aviso automático: o anterior funciona por mais 3 dias',
    answer: created,
  }),
  list: get('/arrived-pix', {
    summary: 'Lista os Pix a decidir',
    query: undecidedList,
    answer: undecidedPage,
  }),
  decide: post('/arrived-pix/:id/decide', {
    summary: 'Decide o que fazer com um Pix',
    body: pixDecision,
    answer: created,
  }),
};

export const pixNoticesCalls = {
  hook: get('/settings/pix/webhook', {
    summary: 'Mostra o endereço e o segredo do aviso automático',
    answer: pixHook,
  }),
};

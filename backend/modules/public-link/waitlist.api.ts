import * as z from 'zod/mini';
import { put, get } from '../../platform/http/calls.api.js';
import { created, calendarDate, type ErrorTable, id, instant, rule } from '../../platform/http/common.api.js';
import { doorTerms, publicSlug, token, visitorFields } from './public-page.api.js';

export const waitlistErrors = {
  'public_link.waiting_not_found': { status: 404, title: 'Esta pessoa não está mais na lista de espera' },
  'public.waiting_not_found': { status: 404, title: 'Link inválido ou expirado' },
  'public.times_free': { status: 409, title: 'Há horários livres nestes dias' },
  'public.waitlist_full': { status: 409, title: 'A lista de espera está cheia' },
  'public.days_over': { status: 400, title: 'Escolha dias a partir de hoje' },
  'public.offer_over': { status: 409, title: 'Esta oferta expirou' },
} as const satisfies ErrorTable;

/** In the trainer's time zone: before 12:00, before 18:00, and after. */
export const dayParts = ['manha', 'tarde', 'noite'] as const;
export type DayPart = (typeof dayParts)[number];

const inOrder = rule<{ de: string; ate: string }>(
  ({ de, ate }) => de <= ate,
  'O último dia é antes do primeiro',
  ['ate'],
);

export const newWaiting = z
  .strictObject({
    slug: publicSlug,
    location_id: id,
    service_id: z.optional(z.nullable(id)),
    de: calendarDate,
    ate: calendarDate,
    periodos: z
      .array(z.enum(dayParts))
      .check(z.minLength(1, { error: 'Escolha pelo menos um período' }), z.maxLength(dayParts.length)),
    /** None of the times that are free on these days suits. */
    nenhum_serve: z._default(z.boolean(), false),
    ...visitorFields,
  })
  .check(inOrder);
export type NewWaiting = z.infer<typeof newWaiting>;

/** `token`: of the private link. */
export const waitingMade = z.object({ id, token: z.string() });
export type WaitingMade = z.infer<typeof waitingMade>;

const oferta = z.int().check(z.minimum(1), z.maximum(1_000_000));
export const offerAnswer = z.strictObject({ token, oferta });
export type OfferAnswer = z.infer<typeof offerAnswer>;
/** `porta`: what the page said that the class costs. */
export const offerTaken = z.extend(offerAnswer, { porta: z.optional(doorTerms) });
export type OfferTaken = z.infer<typeof offerTaken>;
export const waitingLeft = z.strictObject({ token });
export type WaitingLeft = z.infer<typeof waitingLeft>;
export const waitingChanged = z.object({ id });

export const waitingParams = z.strictObject({ token: z.string().check(z.maxLength(100)) });
/** `oferta`: the offer whose link was opened. */
export const offerQuery = z.object({ oferta: z.optional(z.unknown()) });

/** An entry, as the trainer sees it. */
const waitingPerson = z.object({
  id,
  student_id: id,
  nome: z.nullable(z.string()),
  aluno: z.nullable(z.string()),
  location_nome: z.nullable(z.string()),
  servico_nome: z.nullable(z.string()),
  de: calendarDate,
  ate: calendarDate,
  periodos: z.array(z.enum(dayParts)),
  pulado: z.boolean(),
  por_email: z.boolean(),
  criado_em: instant,
  /**
   * The time that is offered to them; `link` opens WhatsApp with `texto`. `enviada`: the trainer sent it. `ate`: until when it is
   * held, if they are told now where they were not.
   */
  oferta: z.nullable(
    z.object({
      numero: oferta,
      inicio: instant,
      fim: instant,
      ate: instant,
      enviada: z.boolean(),
      texto: z.string(),
      link: z.nullable(z.string()),
    }),
  ),
});
export type WaitingPerson = z.infer<typeof waitingPerson>;

/** In the order in which free times are offered to them. */
export const waitlist = z.object({ items: z.array(waitingPerson) });
export type Waitlist = z.infer<typeof waitlist>;

export const sentChange = z.strictObject({ oferta, enviada: z.boolean() });
export type SentChange = z.infer<typeof sentChange>;

export const skipChange = z.strictObject({ pulado: z.boolean() });
export type SkipChange = z.infer<typeof skipChange>;

export const waitlistApi = {
  list: get('/waitlist', { summary: 'Mostra a lista de espera', answer: waitlist }),
  skip: put('/waitlist/:id/skip', {
    summary: 'Pula alguém na lista de espera, ou devolve à fila',
    body: skipChange,
    answer: created,
  }),
  sent: put('/waitlist/:id/sent', {
    summary: 'Marca uma oferta da lista de espera como enviada, ou desfaz',
    body: sentChange,
    answer: created,
  }),
};

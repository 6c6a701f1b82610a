import * as z from 'zod/mini';
import { get, put, post } from '../../platform/http/calls.api.js';
import {
  created,
  type ErrorTable,
  id,
  instant,
  optionalText,
  rule,
  undoable,
} from '../../platform/http/common.api.js';
import { isReserved } from '../accounts/slugs.api.js';
import { phone } from '../students/phone-fields.api.js';

export const publicLinkErrors = {
  'public_link.slug_taken': { status: 409, title: 'Este endereço já está em uso' },
  'public_link.slugs_used_up': { status: 409, title: 'Seu link já mudou de endereço muitas vezes neste ano' },
  'public_link.visit_not_found': { status: 404, title: 'Reserva não encontrada' },
  'public_link.whose': { status: 409, title: 'Mais de um aluno tem este WhatsApp' },
  'public_link.confirmed_for_other': { status: 409, title: 'A reserva já foi confirmada para outro aluno' },
} as const satisfies ErrorTable;

const MOST_SLUG = 40;
/** The most people that are shown, and forgotten, at once. */
export const MOST_STRANGERS = 100;
const form = 'Use letras minúsculas, números e hífens';

/** The part of a public address that identifies the trainer. */
const slug = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(3, { error: 'Use pelo menos 3 caracteres', abort: true }),
  z.maxLength(MOST_SLUG, { error: `Use no máximo ${MOST_SLUG} caracteres`, abort: true }),
  z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: form, abort: true }),
  z.refine((value) => !isReserved(value), { error: 'Este endereço é reservado' }),
);

export const newSlug = z.strictObject({ slug });
export type NewSlug = z.infer<typeof newSlug>;

export const slugChange = z.strictObject(undoable(newSlug.shape));
export type SlugChange = z.infer<typeof slugChange>;

const MOST_LOCATIONS = 50;

const between = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

const registration = z.pipe(
  optionalText(25),
  z.transform((typed) => typed?.replace(/^(?:cref(?![a-z])\W*)+/i, '') || null),
);

const settings = {
  ativo: z.boolean(),
  /** Number of days shown, including today. */
  dias: between(1, 60),
  /** Duration of a session, in minutes. */
  duracao_min: between(15, 180),
  /** Minutes kept free before and after each session. */
  intervalo_min: between(0, 120),
  /** The most times offered on one day. */
  por_dia: between(1, 24),
  /** Whether visitors may see all free times of a day. */
  ver_todos: z._default(z.boolean(), false),
  /** Visitors cannot book, move or cancel later than so many minutes before the session. */
  antecedencia_min: between(0, 7 * 24 * 60),
  /** Locations shown; null: all active ones. */
  locais: z.nullable(z.array(id).check(z.maxLength(MOST_LOCATIONS))),
  texto: optionalText(300),
  /** Number of the trainer's registration, without "CREF". */
  cref: z._default(registration, null),
  /** Price of a visitor's first class, in cents; null: the page says none. */
  primeira_aula: z._default(z.nullable(between(0, 1_000_000)), null),
  /** E.164: the number that visitors can write to after booking. */
  whatsapp: z.nullable(phone),
  /** Whether search engines may list the page. */
  indexavel: z.boolean(),
  /** What who books pays by Pix first: nothing, a part of the price, or all of it. */
  antecipado: z._default(z.enum(['nada', 'sinal', 'tudo']), 'nada'),
  /** That part, in cents. */
  sinal: z._default(z.nullable(between(100, 1_000_000)), null),
  /** Minutes for which the time is held until then, where a provider tells of payments. */
  espera_min: z._default(between(15, 60), 30),
  /** What not coming costs, in whole percents of the price. */
  falta_percent: z._default(between(0, 100), 0),
};

interface Priced {
  antecipado: 'nada' | 'sinal' | 'tudo';
  sinal: number | null;
  primeira_aula: number | null;
  falta_percent: number;
}
const priced = [
  rule<Priced>(
    ({ antecipado, falta_percent, primeira_aula }) =>
      (antecipado === 'nada' && falta_percent === 0) || Number(primeira_aula) > 0,
    'Informe o preço da primeira aula',
    ['primeira_aula'],
  ),
  rule<Priced>(
    ({ antecipado, sinal }) => antecipado !== 'sinal' || sinal !== null,
    'Informe o valor do sinal',
    ['sinal'],
  ),
  rule<Priced>(
    ({ antecipado, sinal, primeira_aula }) =>
      antecipado !== 'sinal' || !sinal || !primeira_aula || sinal <= primeira_aula,
    'O sinal não pode passar do preço',
    ['sinal'],
  ),
];

export const linkSettings = z.strictObject(settings).check(...priced);
export type LinkSettings = z.infer<typeof linkSettings>;

export const linkChange = z.strictObject(undoable(settings)).check(...priced);
export type LinkChange = z.infer<typeof linkChange>;

/** Used until settings are saved (spec 2, section 9). */
export const defaultSettings: LinkSettings = {
  ativo: true,
  dias: 7,
  duracao_min: 60,
  intervalo_min: 15,
  por_dia: 3,
  ver_todos: false,
  antecedencia_min: 0,
  locais: null,
  texto: null,
  cref: null,
  primeira_aula: null,
  whatsapp: null,
  indexavel: false,
  antecipado: 'nada',
  sinal: null,
  espera_min: 30,
  falta_percent: 0,
};

/** `antigos`: former addresses that still redirect here, and until when. */
export const publicLink = z.object({
  ...settings,
  slug: z.string(),
  url: z.string(),
  /** Whether there is a key to which a Pix can be paid, and a provider that tells of payments. */
  tem_chave: z.boolean(),
  automatico: z.boolean(),
  /** Whether settings were ever saved. */
  salvo: z.boolean(),
  /** Whether the trainer has set open hours; without them every day is open from 9:00 to 17:00. */
  horarios_definidos: z.boolean(),
  antigos: z.array(z.object({ slug: z.string(), ate: instant })),
  bloqueados: z.array(z.object({ student_id: id, nome: z.nullable(z.string()) })),
});
export type PublicLink = z.infer<typeof publicLink>;

const slugChanged = z.object({ id, slug: z.string() });

/** A visitor's booking. */
const visit = z.object({
  id,
  session_id: id,
  student_id: id,
  /** As the visitor typed it; null once the person was forgotten. */
  nome: z.nullable(z.string()),
  /** The student's name, as the trainer recorded it. */
  aluno: z.nullable(z.string()),
  /** E.164. */
  whatsapp: z.nullable(z.string()),
  /** No student had the phone before. */
  novo: z.boolean(),
  /** The student is inactive; confirming the booking reactivates them. */
  inativo: z.boolean(),
  location_nome: z.nullable(z.string()),
  servico_nome: z.nullable(z.string()),
  inicio: instant,
  fim: instant,
  status: z.enum(['agendada', 'feita', 'cancelada']),
  confirmado: z.boolean(),
  bloqueado: z.boolean(),
  criado_em: instant,
  /** When it is cancelled unless it is confirmed; null if it is not. */
  vence_em: z.nullable(instant),
  /** The charge of the booking; null without one. `pedido`: what has to be paid before it stands, 0 once it is. */
  cobranca: z.nullable(z.object({ id, valor: z.int(), pago: z.int(), pedido: z.int() })),
  /**
   * The students who have the phone, none of whom has the name that was typed: confirming it says whose it is. Empty where there
   * is nothing to choose.
   */
  de_quem: z.array(z.object({ student_id: id, nome: z.string(), inativo: z.boolean() })),
});
export type Visit = z.infer<typeof visit>;

/** Upcoming ones, unconfirmed first. `lido_em`: the time of the read, by the server's clock, as `criado_em` is. */
export const visitList = z.object({ items: z.array(visit), lido_em: instant });
export type VisitList = z.infer<typeof visitList>;

/** People whom only visitors' bookings mention, and their bookings that wait for the trainer. */
export const strangerList = z.object({
  items: z.array(z.object({ student_id: id, nome: z.string(), reservas: z.array(instant) })),
});
export type StrangerList = z.infer<typeof strangerList>;

export const strangersToForget = z.strictObject({
  student_ids: z.array(id).check(z.minLength(1), z.maxLength(MOST_STRANGERS)),
});
export type StrangersToForget = z.infer<typeof strangersToForget>;

export const strangersForgotten = z.object({ pessoas: z.int(), reservas: z.int() });
export type StrangersForgotten = z.infer<typeof strangersForgotten>;

/** `mensagem`: sent to the visitor. */
export const visitRefusal = z.strictObject({ mensagem: z._default(optionalText(300), null) });
export type VisitRefusal = z.infer<typeof visitRefusal>;

/** `student_id`: whose it is; needed where `de_quem` names somebody. The visit's own student is a new one. */
export const visitConfirmation = z._default(z.strictObject({ student_id: z.optional(id) }), {});
export type VisitConfirmation = z.infer<typeof visitConfirmation>;

const visitDecided = z.object({ id, status: z.enum(['agendada', 'feita', 'cancelada']) });

/** Whether the student's phone can no longer be used for bookings. */
export const blockChange = z.strictObject({ bloqueado: z.boolean() });
export type BlockChange = z.infer<typeof blockChange>;

export const publicLinkApi = {
  show: get('/public-link', { summary: 'Mostra o link público', answer: publicLink }),
  set: put('/public-link', { summary: 'Salva o link público', body: linkChange, answer: created }),
  changeSlug: put('/public-link/slug', {
    summary: 'Muda o endereço do link público',
    body: slugChange,
    answer: slugChanged,
  }),
  visits: get('/visits', {
    summary: 'Lista o que visitantes agendaram pelo link público',
    answer: visitList,
  }),
  strangers: get('/visits/strangers', {
    summary: 'Lista quem só existe por reservas que ninguém confirmou',
    answer: strangerList,
  }),
  forgetStrangers: post('/visits/strangers/forget', {
    summary: 'Recusa as reservas de quem ninguém confirmou e apaga os dados dessas pessoas, para sempre',
    body: strangersToForget,
    answer: strangersForgotten,
  }),
  confirm: post('/visits/:id/confirm', {
    summary: 'Confirma o que um visitante agendou',
    body: visitConfirmation,
    answer: visitDecided,
  }),
  block: put('/students/:id/visitor-block', {
    summary: 'Bloqueia ou desbloqueia o número de um aluno no link público',
    body: blockChange,
    answer: created,
  }),
  decline: post('/visits/:id/decline', {
    summary: 'Recusa o que um visitante agendou',
    body: visitRefusal,
    answer: visitDecided,
  }),
};

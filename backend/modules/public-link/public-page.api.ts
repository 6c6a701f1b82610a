import * as z from 'zod/mini';
import { type ErrorTable, id, instant, name, text } from '../../platform/http/common.api.js';
import { freePeriod } from '../agenda/free-times.api.js';
import { phone } from '../students/phone-fields.api.js';

/** Refusals for visitors. None of them depends on whether the phone is known. */
export const publicPageErrors = {
  'public.not_found': { status: 404, title: 'Personal não encontrado' },
  'public.paused': { status: 404, title: 'Os agendamentos estão pausados' },
  'public.location_gone': { status: 404, title: 'Este local não está mais disponível' },
  'public.service_gone': { status: 404, title: 'Este serviço não está mais disponível' },
  'public.taken': { status: 409, title: 'Esse horário acabou de ser ocupado' },
  'public.crowded': { status: 429, title: 'Muitas reservas em pouco tempo' },
  'public.proof_needed': { status: 428, title: 'Confirme que você não é um robô' },
  'public.visit_not_found': { status: 404, title: 'Link inválido ou expirado' },
  'public.trainers_phone': { status: 422, title: 'Escreva o seu WhatsApp, não o do personal' },
  'public.terms_changed': { status: 409, title: 'As condições da reserva mudaram' },
  'public.visit_over': { status: 409, title: 'Esta reserva não pode mais ser alterada' },
} as const satisfies ErrorTable;

/** The texts that visitors agree to, by version. Earlier versions do not change. */
export const consents = {
  1:
    'Autorizo o uso do meu nome e WhatsApp para este agendamento e para o contato do personal sobre ele (LGPD). ' +
    'Posso pedir a exclusão dos meus dados a qualquer momento.',
  2:
    'Autorizo o uso do meu nome, WhatsApp, e-mail (se eu informar) e do local, dias e horários que escolhi para este ' +
    'agendamento e para o contato do personal sobre ele (LGPD). Posso pedir a exclusão dos meus dados a qualquer momento.',
  3:
    'Autorizo o uso do meu nome, WhatsApp, e-mail (se eu informar) e do local, dias e horários que escolhi para este ' +
    'agendamento e para o contato do personal sobre ele (LGPD). Posso pedir a exclusão dos meus dados a qualquer momento. ' +
    'Concordo com o preço, o pagamento e as regras de cancelamento e de falta que esta página mostra.',
} as const;
export const CONSENT_VERSION = 2;
/** Of a booking that costs something: the terms are stored with it. */
export const PAID_CONSENT_VERSION = 3;

/** What a booking costs, as the page says it: cents and whole percents of the price. */
export const doorTerms = z.strictObject({
  preco: z.int(),
  /** The part that is paid by Pix when booking. */
  entrada: z.int(),
  /** Hours before the start until which all that was paid goes back. */
  limite_horas: z.int(),
  fora_percent: z.int(),
  falta_percent: z.int(),
  /** Minutes for which the time is held; null: until the trainer has confirmed it. */
  espera_min: z.nullable(z.int()),
});
export type DoorTerms = z.infer<typeof doorTerms>;

export const publicSlug = z.string().check(z.maxLength(100));

const personName = z.pipe(
  z.string().check(z.maxLength(400, { error: 'Use no máximo 80 caracteres', abort: true })),
  name(2, 80, 'Nome deve ter pelo menos 2 caracteres', 'Informe seu nome').check(
    z.refine((typed) => /\p{L}/u.test(typed), { error: 'Escreva o seu nome' }),
  ),
);

/**
 * The example of the field, or a number of equal digits: many people type these, and would all become the same student.
 */
const EXAMPLE = /^\+55(11912345678|\d\d9(\d)\2{7})$/;
const ownPhone = phone.check(
  z.refine((number) => !EXAMPLE.test(number), { error: 'Escreva o seu número de WhatsApp' }),
);

/** The visitor, and the proof that it is a human. */
export const visitorFields = {
  nome: personName,
  whatsapp: ownPhone,
  email: z._default(z.nullable(z.email('E-mail inválido').check(z.maxLength(254), z.toLowerCase())), null),
  /** The earlier text stands on pages that were opened before it changed. */
  consentimento: z.literal([1, CONSENT_VERSION, PAID_CONSENT_VERSION], {
    error: 'É preciso concordar para agendar',
  }),
  /** Hidden field that only bots fill in. */
  site: z._default(z.string().check(z.maxLength(500)), ''),
  /** The solution of the challenge in the previous answer, if there was one. */
  prova: z.optional(z.string().check(z.maxLength(2000))),
};

export const newVisit = z.strictObject({
  slug: publicSlug,
  location_id: id,
  /** One of those that the page offers; null where it offers none. */
  service_id: z.optional(z.nullable(id)),
  inicio: instant,
  /** What the page said that the booking costs. */
  porta: z.optional(doorTerms),
  ...visitorFields,
});
export type NewVisit = z.infer<typeof newVisit>;

/** `token`: of the visitor's private link. */
export const visitMade = z.object({ id, token: z.string(), inicio: instant, fim: instant });
export type VisitMade = z.infer<typeof visitMade>;

export const token = text(20, 100);
export const visitMove = z.strictObject({ token, inicio: instant });
export type VisitMove = z.infer<typeof visitMove>;
/** `custo`: what it costs, as the page said, in cents. */
export const visitCancellation = z.strictObject({ token, custo: z._default(z.int(), 0) });
export type VisitCancellation = z.infer<typeof visitCancellation>;
export const visitChanged = z.object({ id, inicio: instant, fim: instant });

export const slugParams = z.strictObject({ slug: publicSlug });
export const placeParams = z.strictObject({ slug: publicSlug, location: z.string().check(z.maxLength(100)) });
/** `em`: a time that was already chosen; `dia`: the day whose times are shown; `periodo`: the part of the day that comes first; `todos`: all free times; `servico`: which service. */
export const slotQuery = z.object({
  em: z.optional(z.unknown()),
  dia: z.optional(z.unknown()),
  periodo: z.optional(z.unknown()),
  todos: z.optional(z.unknown()),
  servico: z.optional(z.unknown()),
});
export type SlotQuery = z.infer<typeof slotQuery>;
export const visitParams = z.strictObject({ token: z.string().check(z.maxLength(100)) });

export const publicLocation = z.object({ id, nome: z.string(), endereco: z.nullable(z.string()) });
export type PublicLocation = z.infer<typeof publicLocation>;

/** What visitors see of a trainer. `horarios`: times that are free at one location at least. */
export const publicPage = z.object({
  slug: z.string(),
  nome: z.string(),
  texto: z.nullable(z.string()),
  cref: z.nullable(z.string()),
  /** Price of a first class, in cents. */
  primeira_aula: z.nullable(z.int()),
  /** IANA name of the time zone of the page. */
  fuso: z.string(),
  duracao_min: z.int(),
  /** To choose from; times, locations and what is asked are those of the first. */
  servicos: z.array(z.object({ id, nome: z.string(), duracao_min: z.int(), valor: z.nullable(z.int()) })),
  /** `porta`: what a booking there costs; null where nothing is asked. */
  locais: z.array(z.extend(publicLocation, { porta: z.nullable(doorTerms) })),
  horarios: z.array(freePeriod),
});
export type PublicPage = z.infer<typeof publicPage>;

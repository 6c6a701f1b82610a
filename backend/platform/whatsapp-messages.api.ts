import * as z from 'zod/mini';
import { instant } from './http/common.api.js';

/** What became of a message that was sent by Meta's API. `incerta`: Meta may have taken it, and did not say so. */
export const messageState = z.object({
  estado: z.enum(['incerta', 'enviada', 'entregue', 'lida', 'falhou']),
  em: instant,
  /** Why it was not delivered, in words. */
  falha: z.nullable(z.string()),
});
export type MessageState = z.infer<typeof messageState>;

/** The same as a statement reads it. */
export type SentMessage = Pick<MessageState, 'estado'> & { em: string; motivo: number | null };

export const shownMessage = ({ estado, em, motivo }: SentMessage): MessageState => ({
  estado,
  em: new Date(em).toISOString(),
  falha: estado === 'falhou' ? refusalWords(motivo) : null,
});

const codes: Readonly<Record<number, string>> = {
  0: 'o token de acesso expirou',
  10: 'o token não tem a permissão whatsapp_business_messaging',
  33: 'a identificação do número não existe ou não é desta conta',
  100: 'a Meta recusou um dos dados',
  190: 'o token de acesso expirou',
  200: 'o token não tem a permissão whatsapp_business_management',
  368: 'a Meta bloqueou a conta por suas políticas',
  130472: 'a Meta não entrega este tipo de mensagem a este número',
  131026: 'o número não tem WhatsApp ou não recebe mensagens de empresas',
  131031: 'a Meta bloqueou a conta',
  131042: 'falta uma forma de pagamento na conta da Meta',
  131047: 'passaram mais de 24 horas desde a última mensagem do aluno',
  131049: 'a Meta limitou as mensagens a este número',
  131050: 'o aluno não quer receber mensagens de empresas',
  132000: 'o modelo tem outro número de campos',
  132001: 'o modelo não existe em português do Brasil ou não foi aprovado',
  132005: 'o texto com os campos preenchidos ficou longo demais',
  132007: 'o modelo foi recusado pelas políticas da Meta',
  132015: 'o modelo está pausado pela Meta, por baixa qualidade',
  132016: 'o modelo foi desativado pela Meta',
  133010: 'o número não está registrado na API do WhatsApp',
};

/** Why Meta refused, by its code or the status of its answer; null: it did not answer. */
export const refusalWords = (reason: number | null): string =>
  reason === null ? 'a Meta não respondeu' : (codes[reason] ?? `a Meta recusou com o erro ${reason}`);

import * as z from 'zod/mini';
import { newSession } from '../agenda/agenda.api.js';
import { newCharge, newPayment } from '../charges/charges.api.js';
import { newTransaction } from '../finance/finance.api.js';
import { type ErrorTable, id, text } from '../../platform/http/common.api.js';

export const advisorErrors = {
  'advisor.server_failed': {
    status: 503,
    title: 'O servidor de IA deu uma resposta inválida. Tente de novo em instantes',
  },
  'advisor.too_slow': { status: 503, title: 'A resposta demorou demais. Tente de novo' },
  'advisor.stopped': { status: 400, title: 'A pergunta foi interrompida' },
} as const satisfies ErrorTable;

const message = z.strictObject({
  role: z.enum(['user', 'assistant'], 'Mensagem inválida'),
  content: text(1, 4000, 'Escreva uma pergunta'),
});
export type ChatMessage = z.infer<typeof message>;

/** `financialContext`: sent by clients of the specification, and ignored, because the server reads the figures itself. */
export const advisorQuestion = z.strictObject({
  messages: z.array(message).check(
    z.minLength(1, 'Escreva uma pergunta'),
    z.maxLength(40, 'Conversa longa demais. Limpe o histórico'),
    z.refine((messages) => messages.at(-1)?.role === 'user', 'Escreva uma pergunta'),
  ),
  financialContext: z.optional(z.unknown()),
});
export type AdvisorQuestion = z.infer<typeof advisorQuestion>;

const whose = { aluno: z.nullable(z.string()) };

/** An act that an answer offers: the body of an ordinary command. `agora`: it is done at once and can be undone. */
export const act = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('lancamento'), agora: z.boolean(), ...whose, corpo: newTransaction }),
  z.object({ tipo: z.literal('cobranca'), ...whose, corpo: newCharge }),
  z.object({
    tipo: z.literal('pagamento'),
    charge_id: id,
    descricao: z.nullable(z.string()),
    ...whose,
    corpo: newPayment,
  }),
  z.object({
    tipo: z.literal('sessao'),
    ...whose,
    local: z.optional(z.nullable(z.string())),
    corpo: newSession,
  }),
]);
export type Act = z.infer<typeof act>;

/** The link of an answer, which must be a path in this product. */
const ownPath = z.string().check(z.regex(/^\/[a-z]/), z.maxLength(200));

/**
 * One line of the stream, in OpenAI's format. `fonte`: the page with the figure that the text contains. `ato`: a card.
 * `exemplos`: example questions. `error`: why the answer ends here.
 */
export const answerChunk = z.object({
  choices: z.optional(
    z.array(
      z.object({
        delta: z.object({
          content: z.optional(z.string()),
          fonte: z.optional(ownPath),
          ato: z.optional(act),
          exemplos: z.optional(z.array(z.string())),
        }),
      }),
    ),
  ),
  error: z.optional(z.string()),
});
export type AnswerChunk = z.infer<typeof answerChunk>;

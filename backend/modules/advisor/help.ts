import { MOST_QUESTIONS, type Understood } from './understand.js';
import { type Part, say } from './saying.js';

const offered = (...exemplos: string[]): Part => ({ content: '', exemplos });
const examples = offered(
  'Quanto recebi este mês?',
  'Quem está devendo?',
  'Quanto devo guardar?',
  'Quanto falta para a meta?',
  'Quem está sumindo?',
);

/** Answers without figures, by what was meant. */
export const REPLIES = {
  ajuda: say`Respondo sobre o seu dinheiro com os números do Rende: recebido, previsto, despesas, lucro, quem está devendo, quanto guardar, meta, ticket médio, melhor e pior mês, créditos acabando, sessões que você deve, agenda, quem está sumindo, quem faltou, comparações e “e se eu cobrasse R$ 20 a mais?”. Também registro receitas e preparo despesas, cobranças, pagamentos e agendamentos.${examples}`,
  obrigado: say`Por nada! Precisando, é só perguntar.`,
  unknown: say`Isso eu não sei responder. Sei falar de recebido, previsto, despesas, lucro, meta, ticket médio, quem está devendo, quanto guardar, melhor e pior mês, créditos, agenda, quem está sumindo e quem faltou, e sei comparar meses.${examples}`,
  days: say`Isso só calculo em meses inteiros. Pergunte, por exemplo, por este mês ou pelo mês passado.${offered('Quanto recebi este mês?', 'Quanto recebi mês passado?')}`,
  unread: say`Não entendi de que dias você fala. Diga, por exemplo, “ontem”, “semana passada” ou “de 3 a 10 de março”.`,
  undated: say`Em que dia? Diga, por exemplo, “ontem” ou “dia 10”.`,
  held: say`Não registrei nada: só registro o que já foi pago ou gasto. Se foi, diga só isso, por exemplo “recebi 90 da Ana no pix”.`,
  several: say`Registro um valor de cada vez, sem parcelas. Mande cada um em uma mensagem.`,
  many: say`Respondo até ${MOST_QUESTIONS} perguntas de uma vez.`,
} as const satisfies Record<string, readonly Part[]>;

/** Says what a word was read as that is both a student's name and a month, and offers the other. */
export const eitherAnswer = ({ palavra, como, outra }: NonNullable<Understood['ambiguo']>): Part[] =>
  say`Entendi “${palavra}” como ${como === 'aluno' ? 'o nome do aluno' : 'o mês'}.${offered(outra)}`;

const UNBACKED = 'A resposta do servidor de IA não veio dos seus números e não é mostrada.';

/** Replaces an answer of the model without figures; `own`: the built-in advisor's answer, if it has one. */
export const unbackedAnswer = (own?: readonly Part[]): Part[] =>
  own ? say`${UNBACKED}\n\n${own}` : say`${UNBACKED}${examples}`;

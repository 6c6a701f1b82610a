import * as z from 'zod/mini';
import { get, post, put, remove } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, id, instant, text } from '../../platform/http/common.api.js';

export const whatsAppErrors = {
  'whatsapp.none': { status: 404, title: 'Nenhum WhatsApp conectado' },
  'whatsapp.not_signed': { status: 401, title: 'Assinatura inválida' },
  'whatsapp.template_not_usable': {
    status: 422,
    title: 'Este modelo não está aprovado ou não tem os campos que a mensagem precisa',
  },
} as const satisfies ErrorTable;

/** What is sent by itself, in the order of its worth: of the messages that wait for a student, one a day is sent. */
export const messageKind = z.enum([
  'oferta',
  'turma',
  'lembrete',
  'cobranca',
  'recibo',
  'creditos',
  'renovar',
  'aniversario',
  'sumindo',
]);
export type MessageKind = z.infer<typeof messageKind>;

interface Suggestion {
  /** What it is, for the trainer. */
  titulo: string;
  nome: string;
  /** Of the template at Meta, which follows from its text and has its price. */
  categoria: 'utilidade' | 'marketing';
  /** The text for Meta, with its fields. */
  texto: string;
  /** Examples of the fields, which Meta asks for. */
  campos: readonly string[];
  /** Labels of the quick replies. */
  botoes: readonly string[];
}

/** A text for each kind, to submit to Meta as a template: the trainer may write another one with the same fields. */
export const suggestions: Readonly<Record<MessageKind, Suggestion>> = {
  oferta: {
    titulo: 'Horário que abriu, para quem está na lista de espera',
    nome: 'horario_que_abriu',
    categoria: 'utilidade',
    texto:
      'Oi, {{1}}! Abriu um horário com {{2}}: {{3}}. É seu se responder até {{4}} nesta página: {{5}}. Para não receber mais, responda SAIR.',
    campos: [
      'Ana',
      'Carla Souza',
      'qui., 26 de nov., 7:00',
      'qua., 25 de nov., 20:00',
      'https://exemplo.com.br/p/espera/abc',
    ],
    botoes: [],
  },
  turma: {
    titulo: 'Turma cancelada por falta de alunos, para quem não tem conta',
    nome: 'turma_cancelada',
    categoria: 'utilidade',
    texto:
      'Oi, {{1}}! A turma {{2}} de {{3}} com {{4}} não chegou ao mínimo de alunos e não vai acontecer. Nada foi cobrado. Para não receber mais, responda SAIR.',
    campos: ['Ana', 'Funcional', 'qui., 26 de nov., 19:00', 'Carla Souza'],
    botoes: [],
  },
  lembrete: {
    titulo: 'Lembrete da véspera, com pedido de confirmação',
    nome: 'lembrete_de_aula',
    categoria: 'utilidade',
    texto:
      'Oi, {{1}}! Lembrete da sua aula com {{2}}: {{3}}. Você confirma? Responda 1 para confirmar ou 2 se não puder ir. Para não receber mais, responda SAIR.',
    campos: ['Ana', 'Carla Souza', 'qui., 26 de nov., 7:00'],
    botoes: ['Confirmo', 'Não vou'],
  },
  cobranca: {
    titulo: 'Cobrança: 3 dias antes, no dia, e 3 e 7 dias depois do vencimento',
    nome: 'lembrete_de_cobranca',
    categoria: 'utilidade',
    texto:
      'Oi, {{1}}! A cobrança de {{2}} de {{3}} {{4}}. Para pagar com Pix: {{5}}. Se já pagou, avise nesta página. Para não receber mais, responda SAIR.',
    campos: ['Ana', 'R$ 480,00', 'Carla Souza', 'vence em 26/11/2026', 'https://exemplo.com.br/pagar/abc'],
    botoes: [],
  },
  recibo: {
    titulo: 'Recibo, quando você o emite',
    nome: 'recibo_emitido',
    categoria: 'utilidade',
    texto:
      'Oi, {{1}}! Segue o recibo nº {{2}} de {{3}}, de {{4}}: {{5}}. Para não receber mais, responda SAIR.',
    campos: ['Ana', '12', 'Carla Souza', 'R$ 480,00', 'https://exemplo.com.br/recibo/abc'],
    botoes: [],
  },
  creditos: {
    titulo: 'Créditos que vencem em 7 dias',
    nome: 'creditos_a_vencer',
    categoria: 'utilidade',
    texto:
      'Oi, {{1}}! Você tem {{2}} com {{3}}, com validade até {{4}}. Vamos agendar suas aulas? Para não receber mais, responda SAIR.',
    campos: ['Ana', '3 créditos', 'Carla Souza', '30/11/2026'],
    botoes: [],
  },
  renovar: {
    titulo: 'Créditos que acabaram, com o plano para renovar',
    nome: 'creditos_acabaram',
    categoria: 'utilidade',
    texto:
      'Oi, {{1}}! Seus créditos com {{2}} acabaram. Vamos renovar o plano {{3}}, de {{4}}? Para não receber mais, responda SAIR.',
    campos: ['Ana', 'Carla Souza', '8 aulas por mês', 'R$ 480,00'],
    botoes: [],
  },
  aniversario: {
    titulo: 'Feliz aniversário',
    nome: 'feliz_aniversario',
    categoria: 'marketing',
    texto:
      'Oi, {{1}}! Feliz aniversário! Muita saúde e um ótimo dia. Um abraço de {{2}}. Para não receber mais, responda SAIR.',
    campos: ['Ana', 'Carla Souza'],
    botoes: [],
  },
  sumindo: {
    titulo: 'A quem está sumindo, uma vez a cada 4 semanas',
    nome: 'saudade_dos_treinos',
    categoria: 'marketing',
    texto:
      'Oi, {{1}}! Aqui é {{2}}. Senti sua falta nos treinos. Está tudo bem? Se precisar, vemos juntos um horário melhor para você. Para não receber mais, responda SAIR.',
    campos: ['Ana', 'Carla Souza'],
    botoes: [],
  },
};

/** Digits only: the ids of a number and of an account at Meta. */
const metaId = (missing: string) =>
  text(1, 30, missing).check(z.regex(/^\d+$/, 'Use só os números da identificação'));
/** A text that is valid in an HTTP header. */
const secret = (missing: string) =>
  text(1, 1000, missing).check(z.regex(/^[\x21-\x7e]+$/, 'Cole sem espaços nem acentos'));

/**
 * The trainer's number at Meta's WhatsApp Business Platform, and what lets us in: the access token, and the
 * app's secret.
 */
export const newWhatsApp = z.strictObject({
  numero_id: metaId('Informe a identificação do número'),
  conta_id: metaId('Informe a identificação da conta'),
  token_acesso: secret('Informe o token de acesso'),
  client_secret: secret('Informe a chave secreta do app'),
});
export type NewWhatsApp = z.infer<typeof newWhatsApp>;

/** Whether a student gets messages that send themselves. */
export const studentWish = z.strictObject({ recebe: z.boolean() });
export type StudentWish = z.infer<typeof studentWish>;

const template = z.object({
  nome: z.string(),
  /** Meta's word for its state, such as `APPROVED`. */
  situacao: z.string(),
  /** Number of fields in its text, and of its quick replies. */
  campos: z.int(),
  botoes: z.int(),
});
export type Template = z.infer<typeof template>;

/** What every page and command asks of a template before it is used. */
export const isUsable = ({ situacao, campos, botoes }: Template, tipo: MessageKind): boolean =>
  situacao === 'APPROVED' &&
  campos === suggestions[tipo].campos.length &&
  [0, suggestions[tipo].botoes.length].includes(botoes);

/** The connection; of what lets us in, nothing is shown. */
export const whatsApp = z.object({
  /** Null if none is connected. */
  conexao: z.nullable(
    z.object({
      id,
      desde: instant,
      /** Name and number as Meta has them; null before the first test. */
      nome: z.nullable(z.string()),
      numero: z.nullable(z.string()),
      /** Time of the last test; null before the first one. */
      testado_em: z.nullable(instant),
      /** Why the last test failed; null if it succeeded. */
      falha: z.nullable(z.string()),
      /** Why nothing is sent any more; null while messages are sent. */
      parada: z.nullable(z.string()),
      /** Templates in Portuguese of Brazil. */
      modelos: z.array(template),
      /** Students who want no messages that send themselves, by name; at most 200. */
      sem_mensagens: z.array(z.object({ id, nome: z.string() })),
      tipos: z.array(
        z.object({
          tipo: messageKind,
          /** Name of its template; null where it is switched off. */
          modelo: z.nullable(z.string()),
          /** Why it was switched off by itself. */
          parado: z.nullable(z.string()),
        }),
      ),
    }),
  ),
});
export type WhatsAppShown = z.infer<typeof whatsApp>;

/** With a template a kind is sent by itself; with null it is switched off. */
export const kindSetting = z.strictObject({ tipo: messageKind, modelo: z.nullable(text(1, 512)) });
export type KindSetting = z.infer<typeof kindSetting>;

/** What Meta asks for to report what became of messages, and answers. */
export const whatsAppHook = z.object({ url: z.string(), verificacao: z.string() });
export type WhatsAppHook = z.infer<typeof whatsAppHook>;

/** Limits requests to Meta's server. */
const CHECKS = { name: 'whatsapp-checks', points: 20, seconds: 600 };

export const whatsAppApi = {
  show: get('/settings/whatsapp', { summary: 'Mostra o WhatsApp conectado', answer: whatsApp }),
  connect: put('/settings/whatsapp', {
    summary: 'Conecta um número da API oficial do WhatsApp',
    body: newWhatsApp,
    answer: created,
    limit: CHECKS,
  }),
  disconnect: remove('/settings/whatsapp', { summary: 'Desconecta o WhatsApp', answer: created }),
  reconnect: post('/settings/whatsapp/restore', {
    summary: 'Conecta de novo o WhatsApp que foi desconectado',
    answer: created,
    limit: CHECKS,
  }),
  setWish: put('/students/:id/whatsapp-wish', {
    summary: 'Define se um aluno recebe as mensagens automáticas do WhatsApp',
    body: studentWish,
    answer: created,
  }),
  setKind: put('/settings/whatsapp/kind', {
    summary: 'Ativa ou desativa o envio de um tipo de mensagem',
    body: kindSetting,
    answer: created,
  }),
};

export const whatsAppCalls = {
  test: post('/settings/whatsapp/test', {
    summary: 'Testa a conexão com o WhatsApp e lê os modelos',
    answer: created,
    limit: CHECKS,
  }),
  hook: get('/settings/whatsapp/webhook', {
    summary: 'Mostra o endereço e o código de verificação dos avisos do WhatsApp',
    answer: whatsAppHook,
  }),
};

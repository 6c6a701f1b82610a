import * as z from 'zod/mini';
import { get, post, put } from '../../platform/http/calls.api.js';
import {
  atMoment,
  calendarDate,
  created,
  id,
  instant,
  momentQuery,
  page,
  pageQuery,
  text,
  undoable,
  type ErrorTable,
} from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';

const motivo = text(1, 300, 'Informe o motivo');

export const creditAdjustment = z.strictObject({
  /** Credits to add (positive) or to take (negative). */
  quantidade: z.int().check(
    z.minimum(-1000, 'Use no máximo 1000 créditos'),
    z.maximum(1000, 'Use no máximo 1000 créditos'),
    z.refine((quantidade) => quantidade !== 0, 'Quantidade deve ser maior que zero'),
  ),
  motivo,
});
export type CreditAdjustment = z.infer<typeof creditAdjustment>;

export const creditUse = z.strictObject({ motivo });
export type CreditUse = z.infer<typeof creditUse>;

/** Credits to be transferred to another student. */
export const newCreditTransfer = z.strictObject({
  para: id,
  quantidade: z
    .int()
    .check(
      z.minimum(1, 'Quantidade deve ser maior que zero'),
      z.maximum(1000, 'Use no máximo 1000 créditos'),
    ),
  motivo,
});
export type NewCreditTransfer = z.infer<typeof newCreditTransfer>;

/** The transfer, and the balance of the student who gave the credits. */
const creditTransferDone = z.object({ id, saldo: z.int() });

/** Whose credits a student uses once their own are used up; null: nobody else's. */
export const sharingChoice = z.strictObject(undoable({ dono_id: z.nullable(id) }));
export type SharingChoice = z.infer<typeof sharingChoice>;

/** Answer of every credit command: the balance right after it. */
export const creditBalance = z.object({ saldo: z.int() });
export type CreditBalance = z.infer<typeof creditBalance>;

export const statementQuery = z.strictObject({
  ...pageQuery,
  cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/, 'Cursor inválido'))),
  ...momentQuery,
});
export type StatementQuery = z.infer<typeof statementQuery>;

/** The whole statement in one file, as it was at that instant; now when absent. */
export const ownStatementQuery = atMoment;
export type OwnStatementQuery = z.infer<typeof ownStatementQuery>;

export const creditLot = z.object({
  id,
  quantidade: z.int(),
  restante: z.int(),
  plano_id: z.nullable(id),
  plano_nome: z.nullable(z.string()),
  criado_em: instant,
  /** Last day on which its credits are valid; null: they do not expire. */
  expira_em: z.nullable(calendarDate),
  /** A make-up for a session that was cancelled in time: used before the others. */
  reposicao: z.boolean(),
  /** The credits came from another student. */
  transferido: z.boolean(),
});
export type CreditLot = z.infer<typeof creditLot>;

/** Another student with whom credits are shared. `id`: null in answers to students. */
const sharing = z.object({ id: z.nullable(id), nome: z.nullable(z.string()) });

export const statementLine = z.object({
  id: z.string(),
  tipo: z.enum([
    'concessao',
    'consumo',
    'devolucao',
    'ajuste',
    'reposicao',
    'reposicao_desfeita',
    'transferencia',
    'transferencia_desfeita',
    'expiracao',
  ]),
  /** Signed; 0 for a make-up, whose credit only moves from one lot to another. */
  quantidade: z.int(),
  /** Balance after this line. */
  saldo: z.int(),
  em: instant,
  /** Position of its event in the log; that of its lot's last one for an expiry. */
  posicao: z.int(),
  /** Null for a line about several lots. */
  lote_id: z.nullable(id),
  /** The cause of the line; null for an expiry. */
  causa: z.nullable(z.enum(['plano', 'importacao', 'sessao', 'cancelamento', 'manual', 'transferencia'])),
  motivo: z.nullable(z.string()),
  plano_id: z.nullable(id),
  plano_nome: z.nullable(z.string()),
  session_id: z.nullable(id),
  /** The current state of the session; null if there is none. */
  sessao: z.nullable(
    z.object({ inicio: instant, local_nome: z.nullable(z.string()), excluida: z.boolean() }),
  ),
  /** Whose session it was, where that student shares these credits. */
  de_aluno: z.nullable(sharing),
  /** The other student of a transfer; null for other lines, and in answers to students. */
  outro_aluno: z.nullable(z.object({ id, nome: z.nullable(z.string()) })),
  /** Of a transfer, whose id is the line's: whether it can be undone unless its credits are used; false for a past moment. */
  pode_desfazer: z.boolean(),
  /** Who caused it; null for an expiry. */
  user_id: z.nullable(id),
  /**
   * Only for credits that were granted before they were paid: what they wait for, `sem_cobranca` or the open charge, or that they
   * were paid or need no payment. Null for a past moment.
   */
  pagamento: z.nullable(
    z.object({
      situacao: z.enum(['sem_cobranca', 'cobrada', 'paga', 'dispensada']),
      cobranca: z.nullable(z.object({ id, falta: z.int(), vencimento: calendarDate })),
    }),
  ),
});
export type StatementLine = z.infer<typeof statementLine>;

export const lineKinds: Record<StatementLine['tipo'], string> = {
  concessao: 'Créditos recebidos',
  consumo: 'Crédito usado',
  devolucao: 'Crédito devolvido',
  ajuste: 'Ajuste de saldo',
  reposicao: 'Crédito virou reposição',
  reposicao_desfeita: 'Reposição desfeita',
  transferencia: 'Transferência de créditos',
  transferencia_desfeita: 'Transferência desfeita',
  expiracao: 'Créditos vencidos',
};

/** `lotes`: lots with valid credits at `at`, in order of use. `extrato`: newest line first. */
export const creditStatement = z.object({
  ...momentQuery,
  saldo: z.int(),
  /** With those that another student shares, which this one can use too. */
  disponivel: z.int(),
  lotes: z.array(creditLot),
  divisao: z.object({
    /** Whose credits are used once these are used up, and how many there are. */
    usa: z.nullable(z.extend(sharing, { saldo: z.int() })),
    /** Who else uses these, by name. */
    com: z.array(sharing),
    /** The same in a sentence; null where none are shared. */
    texto: z.nullable(z.string()),
  }),
  extrato: page(statementLine),
  /** The last day of the student's pause, if one was current at `at`. */
  pausado_ate: z.nullable(calendarDate),
  /** Names the newest entry of the log that it follows from; null without one, and for a lot. Verified at /verificar. */
  lacre: z.nullable(z.string()),
});
export type CreditStatement = z.infer<typeof creditStatement>;

export const lowCreditsQuery = z.strictObject(pageQuery);
export type LowCreditsQuery = z.infer<typeof lowCreditsQuery>;

/** An active student whose plan is due for renewal: the balance is low, or credits are about to expire. */
export const lowCredits = z.object({
  /** The student's. */
  id,
  nome: z.string(),
  creditos: z.int(),
  /** How many of them expire within `EXPIRY_NOTICE_DAYS`. */
  a_vencer: z.int(),
  /** Last valid day of the first of them; null if none is about to expire. */
  vence_em: z.nullable(calendarDate),
  plano: z.nullable(z.object({ id, nome: z.string(), creditos: z.int(), valor: z.int() })),
});
export type LowCredits = z.infer<typeof lowCredits>;
/** The lowest balance first, then by name. */
export const lowCreditsPage = page(lowCredits);
export type LowCreditsPage = z.infer<typeof lowCreditsPage>;

export const creditErrors = {
  'credits.none_available': { status: 422, title: 'Aluno sem créditos disponíveis' },
  'credits.not_enough': { status: 422, title: 'Créditos insuficientes' },
  'credits.no_plan': { status: 422, title: 'Aluno sem plano' },
  'credits.already_expired': { status: 422, title: 'A validade dos créditos já passou' },
  'credits.same_student': { status: 422, title: 'Escolha outro aluno' },
  'credits.sharing_chain': { status: 422, title: 'Estes créditos já são divididos' },
  'credits.transfer_not_found': { status: 404, title: 'Transferência não encontrada' },
  'credits.transfer_used': { status: 409, title: 'Créditos transferidos já usados' },
  'credits.transfer_undone': { status: 409, title: 'A transferência já foi desfeita' },
  'credits.plan_without_credits': { status: 422, title: 'Plano sem créditos' },
} as const satisfies ErrorTable;

export const creditListsApi = {
  low: get('/credits/low', {
    summary: 'Lista alunos com poucos créditos ou créditos a vencer',
    query: lowCreditsQuery,
    answer: lowCreditsPage,
  }),
};

export const creditsApi = {
  statement: get('/students/:id/credits', {
    summary: 'Mostra saldo, lotes e extrato de créditos, agora ou em um momento',
    tags: ['credits'],
    query: statementQuery,
    answer: creditStatement,
  }),
  adjust: post('/students/:id/credits/adjust', {
    summary: 'Adiciona ou remove créditos, com motivo',
    tags: ['credits'],
    body: creditAdjustment,
    answer: creditBalance,
  }),
  consume: post('/students/:id/credits/consume', {
    summary: 'Dá baixa em um crédito, com motivo',
    tags: ['credits'],
    body: creditUse,
    answer: creditBalance,
  }),
  transfer: post('/students/:id/credits/transfer', {
    summary: 'Transfere créditos para outro aluno, com motivo',
    tags: ['credits'],
    body: newCreditTransfer,
    answer: creditTransferDone,
  }),
  share: put('/students/:id/credits/sharing', {
    summary: 'Define de quem são os créditos que o aluno usa depois dos próprios',
    tags: ['credits'],
    body: sharingChoice,
    answer: created,
  }),
};

export const creditTransfersApi = {
  undo: post('/credits/transfers/:id/undo', {
    summary: 'Desfaz uma transferência de créditos que ainda não foram usados',
    tags: ['credits'],
    answer: creditTransferDone,
  }),
  undoPrice: get('/credits/transfers/:id/undo/preview', {
    summary: 'Mostra o que desfazer uma transferência de créditos muda',
    tags: ['credits'],
    answer: price,
  }),
};

export const ownCreditsApi = {
  statement: get('/student/credits', {
    summary: 'Mostra saldo, lotes e extrato do próprio aluno, agora ou em um momento',
    roles: ['aluno'],
    byLink: true,
    query: statementQuery,
    answer: creditStatement,
  }),
};

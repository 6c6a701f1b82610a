import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { calendarDate, cents, created, type ErrorTable, id } from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';

/** The second record of the same person, whose things pass to the student of the path. */
export const studentsToMerge = z.strictObject({ com: id });
export type StudentsToMerge = z.infer<typeof studentsToMerge>;

/** A field that both records or one of them has: what stays, and what the other one had instead. */
const comparedField = z.object({
  campo: z.enum(['nome', 'telefone', 'whatsapp', 'email', 'cpf', 'nascimento', 'plano']),
  fica: z.nullable(z.string()),
  outro: z.nullable(z.string()),
});
export type ComparedField = z.infer<typeof comparedField>;

export const mergePreview = z.object({
  fica: z.object({ id, nome: z.string() }),
  sai: z.object({ id, nome: z.string() }),
  /** Why the two cannot be merged as they are, in sentences; empty where they can. */
  impedimentos: z.array(z.string()),
  dados: z.array(comparedField),
  /** What passes to the student who stays. */
  sessoes_futuras: z.int(),
  sessoes_passadas: z.int(),
  horarios_fixos: z.int(),
  creditos: z.array(
    z.object({ quantidade: z.int(), expira_em: z.nullable(calendarDate), reposicao: z.boolean() }),
  ),
  /** Credits that the student who stays can then use. */
  saldo: z.int(),
  cobrancas_abertas: z.int(),
  valor_aberto: cents,
  recebido: cents,
  recibos: z.int(),
  contratos: z.int(),
  anotacoes: z.int(),
  mensalidade: z.nullable(z.object({ valor: cents, vence_dia: z.int() })),
  /** What changes in how the student gets in, in sentences. */
  acesso: z.array(z.string()),
});
export type MergePreview = z.infer<typeof mergePreview>;

export const mergingErrors = {
  'merging.same_student': { status: 422, title: 'Escolha outro aluno' },
  'merging.in_the_way': { status: 409, title: 'Os cadastros ainda não podem ser juntados' },
  'merging.not_found': { status: 404, title: 'Junção não encontrada' },
  'merging.undone': { status: 409, title: 'A junção já foi desfeita' },
  'merging.cannot_undo': { status: 409, title: 'A junção não pode mais ser desfeita' },
} as const satisfies ErrorTable;

export const mergingApi = {
  preview: get('/students/:id/merge', {
    summary: 'Mostra o que passaria ao aluno ao juntar outro cadastro da mesma pessoa',
    query: studentsToMerge,
    answer: mergePreview,
  }),
  merge: post('/students/:id/merge', {
    summary: 'Junta ao aluno outro cadastro da mesma pessoa',
    body: studentsToMerge,
    answer: created,
  }),
  undoPrice: get('/student-merges/:id/undo/preview', {
    summary: 'Mostra o que desfazer uma junção de cadastros muda',
    answer: price,
  }),
  undo: post('/student-merges/:id/undo', {
    summary: 'Desfaz uma junção de cadastros',
    answer: created,
  }),
};

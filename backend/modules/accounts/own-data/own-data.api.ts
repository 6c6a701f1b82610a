import * as z from 'zod/mini';
import { get, post } from '../../../platform/http/calls.api.js';
import { created, type ErrorTable, id, instant } from '../../../platform/http/common.api.js';

export const ownDataErrors = {
  'account.export_not_found': { status: 404, title: 'Esta cópia não existe mais. Peça outra' },
  'account.proof_refused': { status: 422, title: 'Não foi possível confirmar que é você' },
} as const satisfies ErrorTable;

/** The proof of identity that export and deletion require, since an unlocked screen alone must not allow them. */
const neededProof = z.object({
  /** Whether there is a password; a mailed code may replace it. */
  senha: z.boolean(),
  /** Whether a code of the second factor is needed too. */
  segundo_fator: z.boolean(),
});
export type NeededProof = z.infer<typeof neededProof>;

const proofFields = {
  senha: z.optional(z.string().check(z.maxLength(1000))),
  codigo_email: z.optional(z.string().check(z.regex(/^\d{6}$/, 'O código tem 6 dígitos'))),
  /** A code of the app, or a recovery code. */
  codigo_app: z.optional(z.string().check(z.maxLength(20))),
};

/** The proof of identity. */
export const personProof = z.strictObject(proofFields);
export type PersonProof = z.infer<typeof personProof>;

/** The newest export that the session requested; it can be downloaded while it is `pronta`, until `expira_em`. */
export const exportState = z.object({
  /** The proof that a request for a new export needs. */
  prova: neededProof,
  /** Verifies the archive of a business (Ed25519, SPKI in base64). */
  chave_publica: z.string(),
  exportacao: z.nullable(
    z.object({
      id,
      situacao: z.enum(['preparando', 'pronta', 'falhou']),
      pedida_em: instant,
      /** Null until the export is ready. */
      expira_em: z.nullable(instant),
      /** Size of the file in bytes. */
      tamanho: z.nullable(z.int()),
    }),
  ),
});
export type ExportState = z.infer<typeof exportState>;

export const exportParams = z.strictObject({ export: id });

/** The consequences of deleting the account, and the proof that it requires. */
export const deletionPreview = z.object({
  ...neededProof.shape,
  /** Businesses that end with the account, with their number of students. */
  negocios: z.array(z.object({ tenant_id: id, alunos: z.int() })),
  /** Trainers of whom the user is a student, or several: their names, as the trainer wrote them. */
  personais: z.array(z.object({ tenant_id: id, nome: z.string(), alunos: z.array(z.string()) })),
});
export type DeletionPreview = z.infer<typeof deletionPreview>;

/** The text that the user has to type, to prevent an accidental deletion. */
export const DELETION_WORD = 'EXCLUIR';

export const accountDeletion = z.strictObject({
  confirmacao: z.string().check(
    z.maxLength(20),
    z.refine((typed) => typed.trim().toUpperCase() === DELETION_WORD, {
      error: `Digite ${DELETION_WORD} para confirmar`,
    }),
  ),
  ...proofFields,
});
export type AccountDeletionBody = z.infer<typeof accountDeletion>;

export const deletionApi = {
  preview: get('/account/deletion', {
    summary: 'Mostra o que a exclusão da conta faria',
    signedIn: true,
    answer: deletionPreview,
  }),
  delete: post('/account/deletion', {
    summary: 'Exclui a própria conta, para sempre',
    signedIn: true,
    body: accountDeletion,
    answer: created,
    limit: { name: 'account-deletion', points: 30, seconds: 600 },
  }),
};

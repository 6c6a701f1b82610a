import * as z from 'zod/mini';
import { get, post, put } from '../../platform/http/calls.api.js';
import { calendarDate, created, id, instant } from '../../platform/http/common.api.js';

/** From best to worst. */
export const outcomes = ['integro', 'restaurado', 'faltam_lacres', 'alterado'] as const;
const outcome = z.enum(outcomes);
export type Outcome = z.infer<typeof outcome>;
export const outcomeNames: Record<Outcome, string> = {
  integro: 'íntegro',
  restaurado: 'restaurado de um backup',
  faltam_lacres: 'faltam lacres',
  alterado: 'alteração encontrada',
};

/** What a trainer can keep elsewhere: the newest seal, and how the own log is part of it. */
const proof = z.object({
  /** The record, which is signed, as it stands in the file. */
  registro: z.string(),
  /** Ed25519, in base64. */
  assinatura: z.string(),
  /** SPKI in base64. */
  chave_publica: z.string(),
  /** `tenant position hash` */
  folha: z.string(),
  /** From the leaf to the root of the tree. */
  caminho: z.array(z.object({ side: z.enum(['left', 'right']), hash: z.string() })),
});

export const checkResult = z.object({
  situacao: outcome,
  /** Events that were verified. */
  registros: z.int(),
  lacres: z.object({
    conferidos: z.int(),
    /** Of which have a valid time stamp. */
    carimbados: z.int(),
    primeiro: z.nullable(calendarDate),
    ultimo: z.nullable(calendarDate),
  }),
  /** Whether the second copy of the seals was compared; missing where none is configured. */
  copia_externa: z.optional(z.enum(['conferida', 'sem_resposta'])),
  /** The first ten. */
  achados: z.array(z.string()),
  /** Number of all findings. */
  total_de_achados: z.int(),
  comprovante: z.nullable(proof),
});
export type CheckResult = z.infer<typeof checkResult>;

/** The file that a trainer downloads or is mailed. */
export function proofFileOf(comprovante: z.infer<typeof proof>) {
  const { day } = JSON.parse(comprovante.registro) as { day: string };
  return {
    name: `lacre-${day}.json`,
    type: 'application/json',
    content: JSON.stringify(comprovante, null, 2),
  };
}

const check = z.object({
  id,
  pedida_em: instant,
  /** Null while it runs. */
  concluida_em: z.nullable(instant),
  resultado: z.nullable(checkResult),
});
export type IntegrityCheck = z.infer<typeof check>;

export const integrity = z.object({
  /** The day of the newest seal of all tenants, and when it was made. */
  lacre: z.nullable(z.object({ dia: calendarDate, feito_em: instant })),
  /** Whether the proof is mailed each month. */
  por_email: z.boolean(),
  /** The last ten, newest first. */
  verificacoes: z.array(check),
});
export type Integrity = z.infer<typeof integrity>;

const sealMailChange = z.strictObject({ ativo: z.boolean() });
export type SealMailChange = z.infer<typeof sealMailChange>;

export const sealsApi = {
  show: get('/integrity', {
    summary: 'Mostra o último lacre e as últimas verificações do próprio histórico',
    answer: integrity,
  }),
  setMail: put('/integrity/mail', {
    summary: 'Ativa ou desativa o e-mail mensal com o comprovante do próprio histórico',
    body: sealMailChange,
    answer: created,
  }),
};

/** Has a handler of its own, because it records no event. */
export const sealsCalls = {
  check: post('/integrity/checks', {
    summary: 'Verifica o próprio histórico e os seus lacres',
    answer: created,
    status: 201,
    // Each reads the seals of all days and trainers.
    limit: { name: 'integrity-checks', points: 6, seconds: 3600, byPerson: true },
  }),
};

import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { ContractLinks } from './contract-links.service.js';
import { clauseOf } from './contracts.why.js';
import type { FieldValue, SignedCopy } from './signature-request.js';

/** A contract that a student had signed by some moment. */
export interface ContractInForce {
  /** Of its signature request. */
  id: string;
  /** Null once the student is forgotten, as the signer and the clause are: the copy is kept for the law alone. */
  titulo: string | null;
  versao: number;
  enviado_em: Date;
  aberto_em: Date | null;
  assinado_em: Date;
  desistiu: boolean;
  assinante: string | null;
  meio: string | null;
  conteudo_hash: string | null;
  /** Verifies the signature. */
  codigo: string;
  /** The words about cancelling; null if it has none. */
  clausula: string | null;
}

const MOST = 5;

/** What a student had signed before `to`: all of it from `from` on, and the last one before; newest first. */
export const ListContractsInForce = defineQuery(
  'ListContractsInForce',
  { links: ContractLinks },
  async ({ report }, { links }, studentId: string, from: Date, to: Date): Promise<ContractInForce[]> => {
    const rows = await report(signed({ studentId, to, limit: MOST }));
    const before = rows.findIndex(({ assinado_em }) => assinado_em! < from);
    return rows.slice(0, before < 0 ? MOST : before + 1).map((row) => ({
      id: row.id,
      versao: row.versao,
      enviado_em: row.enviado_em,
      aberto_em: row.aberto_em,
      assinado_em: row.assinado_em!,
      desistiu: row.status === 'withdrawn',
      meio: row.meio,
      conteudo_hash: row.conteudo_hash,
      codigo: links.codeOf(row.id),
      titulo: row.isForgotten ? null : row.titulo,
      assinante: row.isForgotten ? null : (row.responsavel?.nome ?? row.nome),
      clausula: row.isForgotten
        ? null
        : (clauseOf(row.conteudo ?? '', row.campos as FieldValue[], 'cancelamento') ?? null),
    }));
  },
);

const signed = statement(
  (db, { studentId, to, limit }: Blanks<{ studentId: string; to: Date; limit: number }>) =>
    db
      .selectFrom('signature_requests as r')
      .innerJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
      .select([
        'r.id',
        'r.titulo',
        'r.versao',
        'r.status',
        'r.enviado_em',
        'r.aberto_em',
        'r.assinado_em',
        'r.meio',
      ])
      .select(['r.nome', 'r.conteudo', 'r.conteudo_hash', 'r.campos'])
      .select(sql<SignedCopy['responsavel']>`r.responsavel`.as('responsavel'))
      .select(sql<boolean>`s.nome is null`.as('isForgotten'))
      .where('r.student_id', '=', studentId)
      .where('r.status', 'in', ['signed', 'withdrawn'])
      .where('r.assinado_em', '<', to)
      .orderBy('r.assinado_em', 'desc')
      .orderBy('r.id')
      .limit(limit)
      .compile(),
);

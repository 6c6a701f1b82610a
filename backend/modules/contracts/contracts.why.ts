import type { InferResult } from 'kysely';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { Asked, Asker, PastEvent, Thing, WhySource } from '../../platform/event-store/why.js';
import { blocksOf } from './contract-blocks.html.js';
import type { FieldValue } from './signature-request.js';

/** The latest contracts of a student in which a clause is looked for. */
const MOST_CONTRACTS = 3;
const LONGEST_CLAUSE = 400;

const rows = statement((db, { id, before }: Blanks<Asked>) =>
  db
    .selectFrom('signature_requests as r')
    // The copy of a forgotten person is kept by law, and is opened for that alone.
    .innerJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .select(['r.id', 'r.student_id', 'r.titulo', 'r.versao', 'r.conteudo', 'r.campos', 'r.posicao'])
    .where('r.student_id', '=', id)
    .where('s.nome', 'is not', null)
    .where('r.status', '=', 'signed')
    .where('r.posicao', '<', before)
    .orderBy('r.posicao', 'desc')
    .limit(MOST_CONTRACTS)
    .compile(),
);
type Row = InferResult<ReturnType<typeof rows>>[number];

/** What a clause is about, by the field whose value it contains, or else by its words. */
const topics = {
  cancelamento: { campo: 'politica', palavras: /cancel|desmarc|remarc|\bfalta/i },
  pagamento: { campo: 'valor', palavras: /pagamento|mensalidade|R\$/i },
} as const;

/**
 * What a student had signed by then, by the clause that speaks of it. The link of an area, which may have been forwarded, opens no
 * signed contract, nor a clause of one.
 */
export const contractWhy: WhySource = {
  rows,
  explain(
    signed: Row[],
    _events: readonly PastEvent[],
    { isOwn, byLink }: Asker,
    { about = 'cancelamento', place }: Thing,
  ) {
    if (byLink) return undefined;
    for (const { id, student_id, titulo, versao, conteudo, campos, posicao } of signed) {
      const clausula = clauseOf(conteudo ?? '', campos as FieldValue[], about, place);
      if (clausula === undefined) continue;
      return {
        student_id,
        pergunta: 'O que diz o contrato?',
        links: [
          {
            titulo: 'Contrato assinado',
            clausula,
            posicao,
            texto: `${titulo ?? 'Contrato'}, versão ${versao}, diz:`,
            para: isOwn ? `/aluno/contratos/${id}` : `/ajustes/contratos-termos/assinaturas/${id}`,
          },
        ],
        causes: [],
      };
    }
    return undefined;
  },
};

/** Of a clause that is too long, because it has the rules of many locations, from the rule of this one on. */
export function clauseOf(
  conteudo: string,
  campos: readonly FieldValue[],
  about: keyof typeof topics,
  place?: string,
): string | undefined {
  const { campo, palavras } = topics[about];
  const value = campos.find((field) => field.campo === campo)?.texto;
  const texts = blocksOf(conteudo)
    .filter(({ kind }) => kind !== 'heading')
    .map(({ runs }) =>
      runs
        .map(({ text }) => text)
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  const found =
    (value ? texts.find((text) => text.includes(value)) : undefined) ??
    texts.find((text) => palavras.test(text));
  if (found === undefined || found.length <= LONGEST_CLAUSE) return found;
  const from = place === undefined ? 0 : Math.max(0, found.indexOf(`${place}: `));
  const part = found.slice(from, from + LONGEST_CLAUSE).trimEnd();
  return `${from > 0 ? '…' : ''}${part}${from + LONGEST_CLAUSE < found.length ? '…' : ''}`;
}

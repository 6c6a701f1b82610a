import { Readable } from 'node:stream';
import { QueryBus } from '@nestjs/cqrs';
import { startOfMinute } from 'date-fns';
import { Config } from '../../platform/config/env.js';
import { csvOf } from '../../platform/csv.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { PdfWriter } from '../../platform/pdf/pdf-writer.service.js';
import { dayAndTime, firstName } from '../../platform/portuguese.js';
import {
  type CreditStatement,
  lineKinds,
  type OwnStatementQuery,
  type StatementLine,
  type StatementQuery,
} from './credits.api.js';
import { GetCreditStatement, sharedInWords } from './credits.queries.js';
import type { OwnStatementFile } from './own-statement.pdf.js';

/** The student's own account, without the trainer's private notes. */
export const GetOwnStatement = defineQuery(
  'GetOwnStatement',
  { queries: QueryBus },
  async ({ context }, { queries }, query: StatementQuery): Promise<CreditStatement> => {
    const account = await queries.execute(new GetCreditStatement(context, context.studentId!, query));
    const items = account.extrato.items.map((line) => ({
      ...line,
      motivo: null,
      outro_aluno: null,
      pode_desfazer: false,
      user_id: null,
      de_aluno: line.de_aluno && firstNameOf(line.de_aluno),
    }));
    const { usa, com } = account.divisao;
    const divisao = sharedInWords({ usa: usa && firstNameOf(usa), com: com.map(firstNameOf) });
    return { ...account, divisao, extrato: { ...account.extrato, items } };
  },
);

/** Of another student, a student is told no more. */
const firstNameOf = <Other extends { id: string | null; nome: string | null }>(other: Other): Other => ({
  ...other,
  id: null,
  nome: other.nome && firstName(other.nome),
});

/** The oldest lines of a longer statement are omitted. */
const LONGEST = 5_000;
const LONGEST_PRINTED = 1_000;

const columns = ['data', 'lancamento', 'quantidade', 'saldo', 'por_que'] as const;

/** The student's own statement as CSV, newest line first. */
export const WriteOwnStatement = defineQuery(
  'WriteOwnStatement',
  { queries: QueryBus },
  async ({ context }, { queries }, query: OwnStatementQuery): Promise<string> => {
    const { extrato } = await queries.execute(wholeOf(context, query, LONGEST));
    const rows = extrato.items.map((line): Record<(typeof columns)[number], unknown> => ({
      data: new Date(line.em),
      lancamento: lineKinds[line.tipo],
      quantidade: line.quantidade,
      saldo: line.saldo,
      por_que: reasonOf(line, context.timezone),
    }));
    let text = '';
    for await (const part of csvOf(Readable.from(rows), context.timezone, columns)) text += part;
    return text;
  },
);

/** The student's own statement as a PDF, newest line first. */
export const PrintOwnStatement = defineQuery(
  'PrintOwnStatement',
  { config: Config, pdfs: PdfWriter, queries: QueryBus },
  async ({ context, now, read }, { config, pdfs, queries }, query: OwnStatementQuery): Promise<Buffer> => {
    const [account, [who]] = await Promise.all([
      queries.execute(wholeOf(context, query, LONGEST_PRINTED)),
      read(nameOf({ studentId: context.studentId! })),
    ]);
    // A minute is what it prints, so that a file that is requested again is the one already drawn.
    const writtenAt = startOfMinute(now);
    // A file downloaded by a link can be passed on as easily as the link, so it contains no full names.
    const nome = (context.byLink ? who?.nome?.split(' ')[0] : who?.nome) ?? null;
    const { timezone: zone } = context;
    const linhas = account.extrato.items.map((line) => ({ ...line, por_que: reasonOf(line, zone) }));
    return pdfs.write<OwnStatementFile>(context.tenantId, 'credit-statement', {
      nome,
      saldo: account.saldo,
      divisao: account.divisao.texto,
      lacre: account.lacre,
      linhas,
      zone,
      writtenAt,
      verificacao: `${config.siteUrl}/verificar/${account.lacre ?? ''}`,
      em: query.at ?? writtenAt.toISOString(),
      isWhole: account.extrato.next === null,
    });
  },
);

const nameOf = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db.selectFrom('students').select('nome').where('id', '=', studentId).compile(),
);

const wholeOf = (context: RequestContext, query: OwnStatementQuery, limit: number) =>
  new GetOwnStatement(context, { ...query, limit });

function reasonOf({ sessao, plano_nome, de_aluno }: StatementLine, zone: string): string {
  if (!sessao) return plano_nome ?? '';
  const place = sessao.local_nome ?? 'sem local';
  const whose = de_aluno?.nome ? `, de ${de_aluno.nome}` : '';
  return `Aula de ${dayAndTime(sessao.inicio, zone)}, ${place}${whose}${sessao.excluida ? ' (excluída)' : ''}`;
}

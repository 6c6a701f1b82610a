import { type InferResult, type Kysely, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { pageOf } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { searchable } from '../../platform/searchable.api.js';
import type { Payer, PayerList, PayerOfStudent, PayerPage } from './payers.api.js';

/**
 * Whom the money of a student `s` is asked of, and sent to: the payer `y`, whom the statement joins by `student_payers`, or the student.
 */
const ofWhoPays = <Value>(field: string) =>
  sql<Value>`case when y.id is null then s.${sql.raw(field)} else y.${sql.raw(field)} end`;
export const whoPays = {
  id: ofWhoPays<string>('id'),
  nome: ofWhoPays<string | null>('nome'),
  whatsapp: ofWhoPays<string | null>('whatsapp'),
  email: ofWhoPays<string | null>('email'),
};

export const ListPayers = defineQuery(
  'ListPayers',
  async ({ read }, { q, cursor, limit }: PayerList): Promise<PayerPage> => {
    const term = q === undefined ? undefined : searchable(q);
    return pageOf(await read(listed({ term, cursor, limit: limit + 1 })), limit, shown);
  },
);

export const GetPayer = defineQuery('GetPayer', async ({ read }, id: string): Promise<Payer> => {
  const [row] = await read(byId({ id }));
  if (!row) throw new Problem('payers.not_found');
  return shown(row);
});

export const GetPayerOfStudent = defineQuery(
  'GetPayerOfStudent',
  async ({ read }, studentId: string): Promise<PayerOfStudent> => {
    const [[known], [row]] = await Promise.all([
      read(student({ studentId })),
      read(ofStudent({ studentId })),
    ]);
    if (!known) throw new Problem('students.not_found');
    return { pagador: row ? shown(row) : null };
  },
);

const payers = (db: Kysely<DB>) =>
  db
    .selectFrom('payers as y')
    .select(['y.id', 'y.nome', 'y.documento', 'y.whatsapp', 'y.email'])
    .select((found) =>
      jsonArrayFrom(
        found
          .selectFrom('student_payers as l')
          .innerJoin('students as s', (join) => sameTenant(join, 's.id', 'l.id'))
          .select(['s.id', sql<string>`s.nome`.as('nome')])
          .whereRef('l.tenant_id', '=', 'y.tenant_id')
          .whereRef('l.payer_id', '=', 'y.id')
          .where('s.status', '<>', 'removed')
          .where('s.nome', 'is not', null)
          .orderBy('s.busca')
          .orderBy('s.id'),
      ).as('alunos'),
    )
    .where('y.removed', '=', false);

interface Asked {
  term?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

const listed = statement((db, { term, cursor, limit }: Blanks<Asked>) =>
  payers(db)
    .where('y.nome', 'is not', null)
    .$if(term !== undefined, (found) => found.where(sql<boolean>`strpos(y.busca, ${term!}) > 0`))
    .$if(cursor !== undefined, (found) =>
      found.where(sql<boolean>`(y.busca, y.id) > (select busca, id from payers where id = ${cursor!})`),
    )
    .orderBy('y.busca')
    .orderBy('y.id')
    .limit(limit)
    .compile(),
);

const byId = statement((db, { id }: Blanks<{ id: string }>) => payers(db).where('y.id', '=', id).compile());

const ofStudent = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  payers(db)
    .innerJoin('student_payers as p', (join) => sameTenant(join, 'p.payer_id', 'y.id'))
    .where('p.id', '=', studentId)
    .compile(),
);

const student = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('students')
    .select('id')
    .where('id', '=', studentId)
    .where('status', '<>', 'removed')
    .compile(),
);

const shown = ({ nome, ...row }: InferResult<ReturnType<typeof byId>>[number]): Payer => ({
  ...row,
  nome: nome ?? 'Pagador apagado',
  esquecido: nome === null,
});

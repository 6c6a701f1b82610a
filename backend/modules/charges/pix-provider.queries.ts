import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { PixProviderShown } from './pix-provider.api.js';
import { failureWords } from './provider-failure.js';

export const ShowPixProvider = defineQuery('ShowPixProvider', async ({ read }): Promise<PixProviderShown> => {
  const [row] = await read(connected({}));
  if (!row) return { conexao: null };
  const { connection_id: id, servidor, com_certificado, desde, testado_em, falha, codigos, falharam } = row;
  return {
    conexao: {
      id,
      servidor: servidor ?? '',
      com_certificado,
      desde: desde.toISOString(),
      testado_em: testado_em?.toISOString() ?? null,
      falha: falha === null ? null : failureWords(falha),
      codigos,
      falharam,
    },
  };
});

const connected = statement((db) =>
  db
    .selectFrom('pix_providers as p')
    .leftJoin('pix_provider_checks as k', (join) =>
      join.onRef('k.tenant_id', '=', 'p.tenant_id').onRef('k.connection_id', '=', 'p.connection_id'),
    )
    .select(['p.connection_id', 'p.servidor', 'p.com_certificado', 'p.desde', 'k.testado_em', 'k.falha'])
    .select(
      sql<number>`(select count(*)::int from pix_codes c where c.connection_id = p.connection_id)`.as(
        'codigos',
      ),
    )
    .select(
      sql<number>`(select count(*)::int from pix_code_turns t where t.falha is not null)`.as('falharam'),
    )
    .compile(),
);

interface CodesAsked {
  id?: string | undefined;
  student_id?: string | undefined;
  now: Date;
}

/** For open charges of a trainer with a provider: the code with its amount, or why there is none. */
export const providerCodes = statement((db, { id, student_id, now }: Blanks<CodesAsked>) =>
  db
    .selectFrom('charges as c')
    .innerJoin('pix_providers as p', 'p.tenant_id', 'c.tenant_id')
    .leftJoin('pix_codes as k', (join) =>
      join
        .onRef('k.tenant_id', '=', 'c.tenant_id')
        .onRef('k.id', '=', 'c.id')
        .onRef('k.connection_id', '=', 'p.connection_id')
        .on(sql<boolean>`k.expira_em > ${now}::timestamptz`),
    )
    .leftJoin('pix_code_turns as t', (join) =>
      join.onRef('t.tenant_id', '=', 'c.tenant_id').onRef('t.charge_id', '=', 'c.id'),
    )
    .select(['c.id', 'k.pix_copia_e_cola as codigo', 'k.valor', 't.falha'])
    .where('c.status', '=', 'aberta')
    .$if(id !== undefined, (found) => found.where('c.id', '=', id!))
    .$if(student_id !== undefined, (found) => found.where('c.student_id', '=', student_id!))
    .compile(),
);

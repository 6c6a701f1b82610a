import type { StoredVersion } from './contracts.projection.js';
import { type Kysely, sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import type { Contract, ContractKind, ContractList, ContractPage, ContractSummary } from './contracts.api.js';

const place = z.tuple([instant, id]);

export const ListContracts = defineQuery(
  'ListContracts',
  async ({ now, read }, { situacao, cursor, limit }: ContractList): Promise<ContractPage> => {
    const [after, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { active: situacao === 'ativos', after, last, limit: limit + 1, now };
    const rows = await read(listed(asked));
    const shown = rows.slice(0, limit);
    const end = shown.at(-1);
    return {
      items: shown.map(summary),
      next: rows.length > limit && end ? encodeCursor([end.criado_em.toISOString(), end.id]) : null,
    };
  },
);

function summary(row: {
  id: string;
  titulo: string | null;
  tipo: string;
  is_active: boolean;
  versao: number;
  assinaturas: number;
  aguardando: number;
  alterado_em: Date;
}): ContractSummary {
  const { id, is_active, versao, assinaturas, aguardando } = row;
  return {
    id,
    is_active,
    versao,
    assinaturas,
    aguardando,
    titulo: row.titulo ?? '',
    tipo: row.tipo as ContractKind,
    alterado_em: row.alterado_em.toISOString(),
  };
}

/** Counts how many students have signed and how many have yet to. */
const counted = (db: Kysely<DB>, now: Blanks<{ now: Date }>['now']) =>
  db
    .selectFrom('contracts as c')
    .select(['c.id', 'c.titulo', 'c.tipo', 'c.is_active', 'c.versao', 'c.alterado_em', 'c.criado_em'])
    .select(
      sql<number>`(select count(distinct r.student_id)::int from signature_requests r
        where r.tenant_id = c.tenant_id and r.contract_id = c.id and r.status = 'signed')`.as('assinaturas'),
    )
    .select(
      sql<number>`(select count(*)::int from signature_requests r
        where r.tenant_id = c.tenant_id and r.contract_id = c.id and r.status in ('sent', 'opened')
          and r.expires_at > ${now} and c.is_active)`.as('aguardando'),
    );

interface Listed {
  active: boolean;
  after?: string | undefined;
  last?: string | undefined;
  limit: number;
  now: Date;
}

const listed = statement((db, { active, after, last, limit, now }: Blanks<Listed>) =>
  counted(db, now)
    .where('c.is_active', '=', active)
    .$if(last !== undefined, (found) =>
      found.where(sql<boolean>`(c.criado_em, c.id) < (${after!}::timestamptz, ${last!}::uuid)`),
    )
    .orderBy('c.criado_em', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .compile(),
);

export const ShowContract = defineQuery(
  'ShowContract',
  async ({ now, read }, id: string): Promise<Contract> => {
    const [row] = await read(shown({ id, now }));
    if (!row) throw new Problem('contracts.not_found');
    const versions = row.versoes as StoredVersion[];
    const versoes = versions.map(({ titulo, conteudo, em }, at) => ({
      versao: at + 1,
      titulo: titulo ?? '',
      conteudo: conteudo ?? '',
      em,
      assinaturas: row.por_versao[at + 1] ?? 0,
    }));
    const { codigo_email, responsavel, lembretes } = row;
    return {
      ...summary(row),
      codigo_email,
      responsavel,
      lembretes,
      conteudo: versoes.at(-1)!.conteudo,
      versoes: versoes.reverse(),
    };
  },
);

const shown = statement((db, { id, now }: Blanks<{ id: string; now: Date }>) =>
  counted(db, now)
    .select(['c.versoes', 'c.codigo_email', 'c.responsavel', 'c.lembretes'])
    .select(
      sql<Record<number, number>>`coalesce((select jsonb_object_agg(s.versao, s.n) from (
        select r.versao, count(distinct r.student_id) as n from signature_requests r
        where r.tenant_id = c.tenant_id and r.contract_id = c.id and r.status = 'signed' group by 1) s), '{}')`.as(
        'por_versao',
      ),
    )
    .where('c.id', '=', id)
    .compile(),
);

import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { initialsOf } from '../../platform/portuguese.js';
import { guardianRole } from './age.api.js';
import { ContractLinks, type Found } from './contract-links.service.js';
import type { Verification } from './contracts.api.js';
import { lacksGuardian } from './guardian.js';
import { firstHash } from '../../platform/event-store/stored-events.js';
import type { SignedCopy } from './signature-request.js';

/** What anybody may see of a signature. */
@Injectable()
export class Signatures {
  constructor(
    private readonly database: Database,
    private readonly links: ContractLinks,
  ) {}

  /** By the code, with the zone to show its moments in. */
  async ofCode(code: string): Promise<Verification & { timezone: string }> {
    const found = await this.links.findCode(code);
    return { ...(await this.verify(found)), timezone: found.timezone };
  }

  /** By the hash of the PDF. */
  async ofFile(sha256: string): Promise<Verification> {
    return this.verify(await this.links.findFile(sha256));
  }

  /** @throws Problem 404 where it is not projected yet */
  private async verify({ tenantId, requestId, timezone }: Found): Promise<Verification> {
    const [row] = await this.database.read(
      tenantId,
      signed({ id: requestId, stream: `signature-request:${requestId}` }),
    );
    if (!row?.assinado_em) throw new Problem('contracts.code_not_found');
    const dia = dateOf(row.assinado_em, timezone);
    const role = row.responsavel && guardianRole(row.nascimento, dia);
    const signers = [role === 'representa' ? null : row.nome, row.responsavel?.nome ?? null];
    return {
      resultado:
        row.status === 'withdrawn'
          ? 'retirado'
          : row.substituido
            ? 'substituido'
            : lacksGuardian(row, timezone)
              ? 'sem_responsavel'
              : 'valido',
      codigo: this.links.codeOf(requestId),
      versao: row.versao,
      assinado_em: row.assinado_em.toISOString(),
      dia,
      iniciais: signers.flatMap((name) => (name === null ? [] : initialsOf(name))).join(' e '),
      conteudo_hash: row.conteudo_hash!,
      posicao: row.position,
      evento_hash: row.hash,
      carimbo_em: row.carimbo_em?.toISOString() ?? null,
    };
  }
}

const signed = statement((db, { id, stream }: Blanks<{ id: string; stream: string }>) =>
  db
    .selectFrom('signature_requests as r')
    .innerJoin('events as e', (join) =>
      join.onRef('e.tenant_id', '=', 'r.tenant_id').on('e.stream_id', '=', stream),
    )
    .select(['r.status', 'r.versao', 'r.assinado_em', 'r.nome', 'r.conteudo_hash', 'e.position'])
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .select(['r.carimbo_em', 'r.nascimento', 's.nascimento as recorded'])
    .select(sql<SignedCopy['responsavel']>`r.responsavel`.as('responsavel'))
    .select(sql<string>`${sql.raw(firstHash('e'))}`.as('hash'))
    .select(
      sql<boolean>`exists (select from signature_requests n where n.tenant_id = r.tenant_id
        and n.contract_id = r.contract_id and n.student_id = r.student_id and n.status = 'signed'
        and (n.versao, n.posicao) > (r.versao, r.posicao))`.as('substituido'),
    )
    .where('r.id', '=', id)
    .where('e.type', '=', 'ContractSigned')
    .compile(),
);

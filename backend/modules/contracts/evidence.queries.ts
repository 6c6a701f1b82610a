import { sql } from 'kysely';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { firstHash, storedEvents } from '../../platform/event-store/stored-events.js';
import type { SignedCopy } from './signature-request.js';
import type { Step } from './signed-copy.pdf.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

/** Events that the evidence of a signed copy lists. */
const steps = storedEvents({
  ...{ ContractSent: [1, 2], ContractReminded: [1, 2], ContractOpened: [1], ContractCodeSent: [1, 2] },
  ...{ ContractCodeMistyped: [1], ContractCodeConfirmed: [1], ContractRevoked: [1], ContractRestored: [1] },
  ContractSigned: [1, 2],
});

/**
 * A signature with the events that led to it: personal data comes from read tables, the events and their hashes from the log.
 */
export const evidenceOf = statement((db, { id, stream }: Blanks<{ id: string; stream: string }>) =>
  db
    .selectFrom('signature_requests as r')
    .innerJoin('tenants as t', 't.tenant_id', 'r.tenant_id')
    .innerJoin('events as e', (join) =>
      join
        .onRef('e.tenant_id', '=', 'r.tenant_id')
        .on('e.stream_id', '=', stream)
        .on('e.type', '=', 'ContractSigned'),
    )
    .select(['r.contract_id', 'r.student_id', 'r.versao', 'r.titulo', 'r.conteudo', 'r.nome', 'r.cpf'])
    .select(['r.telefone', 'r.nascimento', 'r.ip_address', 'r.navegador', 'r.meio', 'r.assinado_em'])
    .select([
      'r.conteudo_hash',
      'r.sal',
      'r.codigo_email',
      'r.codigo_confirmado_em',
      'r.arquivo_hash',
      't.timezone',
    ])
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .select('s.nascimento as recorded')
    .select('e.position as posicao')
    .select(sql<SignedCopy['responsavel']>`r.responsavel`.as('responsavel'))
    .select(sql<string>`r.consentimento::text`.as('consentimento'))
    .select(sql<string>`r.guardar_ate::text`.as('guardar_ate'))
    .select(sql<string>`${sql.raw(firstHash('e'))}`.as('evento_hash'))
    .select(trainersName.as('personal'))
    .select(
      sql<
        readonly Step[]
      >`(select jsonb_agg(jsonb_build_object('type', s.type, 'em', s.recorded_at, 'posicao', s.position,
            'canal', s.data ->> 'canal')
          order by s.version)
        from ${sql.raw(steps)} s where s.tenant_id = r.tenant_id and s.stream_id = ${stream} and s.position <= e.position)`.as(
        'steps',
      ),
    )
    .where('r.id', '=', id)
    .compile(),
);

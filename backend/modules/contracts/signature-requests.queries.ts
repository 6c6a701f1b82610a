import { Injectable } from '@nestjs/common';
import { type InferResult, type Kysely, sql } from 'kysely';
import * as z from 'zod/mini';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { type AtMoment, id, instant, withoutUnseen } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { guardianRole } from './age.api.js';
import { ContractLinks } from './contract-links.service.js';
import type {
  OwnContracts,
  RequestList,
  RequestPage,
  RequestState,
  Signable,
  SignatureRequest,
} from './contracts.api.js';
import { lacksGuardian } from './guardian.js';
import { maskedAddress } from './mailed-code.js';
import { fill } from './merge-fields.api.js';
import { type FieldValue, type SignedCopy, withdrawalEnd } from './signature-request.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { firstName } from '../../platform/portuguese.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

const inWords: Readonly<Record<string, RequestState>> = {
  sent: 'enviado',
  opened: 'aberto',
  signed: 'assinado',
  declined: 'recusado',
  revoked: 'cancelado',
  superseded: 'substituido',
  withdrawn: 'desistido',
};

interface Stored {
  status: string;
  expires_at: Date;
  /** Of the contract: once it is deactivated, its requests can no longer be signed. */
  is_active: boolean;
  assinado_em: Date | null;
  nascimento: string | null;
  responsavel: unknown;
  /** The student's birth date as recorded. */
  recorded: string | null;
}

interface At {
  now: Date;
  timezone: string;
}

export function stateOf(stored: Stored, { now, timezone }: At): RequestState {
  const { status, expires_at, is_active } = stored;
  const isOpen = status === 'sent' || status === 'opened';
  if (isOpen && expires_at <= now) return 'expirado';
  if (status === 'signed' && lacksGuardian(stored, timezone)) return 'sem_responsavel';
  return isOpen && !is_active ? 'inativo' : inWords[status]!;
}

/**
 * The status of `r`; `superseded` for a revoked one whose student has another link for the contract, or has signed its
 * version or a later one.
 */
export const status = sql<string>`case when r.status = 'revoked' and exists (
  select from signature_requests n where n.tenant_id = r.tenant_id and n.contract_id = r.contract_id
    and n.student_id = r.student_id and n.id <> r.id
    and (n.status in ('sent', 'opened') or (n.status = 'signed' and n.versao >= r.versao)))
  then 'superseded' else r.status end`;

/** The holder of a link in these states reads nothing by it. */
const over: readonly RequestState[] = ['cancelado', 'substituido', 'inativo', 'expirado'];

const iso = (at: Date | null) => at?.toISOString() ?? null;

const place = z.tuple([instant, id]);

export const ListRequests = defineQuery(
  'ListRequests',
  { links: ContractLinks },
  async (
    { context, now, read },
    { links },
    contractId: string,
    { cursor, limit }: RequestList,
  ): Promise<RequestPage> => {
    const [before, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const rows = await read(ofContract({ contractId, before, last, limit: limit + 1 }));
    if (rows.length === 0) throw new Problem('contracts.not_found');
    const found = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
    const shown = found.slice(0, limit);
    const end = shown.at(-1);
    return {
      items: shown.map((row) => shownRequest(row, links, { now, timezone: context.timezone })),
      next: found.length > limit && end ? encodeCursor([end.enviado_em!.toISOString(), end.id]) : null,
    };
  },
);

function shownRequest(
  row: InferResult<ReturnType<typeof ofContract>>[number] & { id: string },
  links: ContractLinks,
  at: { now: Date; timezone: string },
): SignatureRequest {
  const estado = stateOf({ ...row, expires_at: row.expires_at! }, at);
  const isOpen = estado === 'enviado' || estado === 'aberto';
  const url = isOpen ? links.urlOf(row.id) : null;
  const { number, greeting, whose } = signerOf(row, dateOf(at.now, at.timezone));
  const words = `${greeting} Segue “${row.titulo ?? ''}”${whose} para você ler e assinar: ${url}`;
  return {
    id: row.id,
    student_id: row.student_id!,
    student_nome: row.nome,
    versao: row.versao!,
    estado,
    enviado_em: row.enviado_em!.toISOString(),
    lembrado_em: iso(row.lembrado_em),
    aberto_em: iso(row.aberto_em),
    encerrado_em: iso(row.encerrado_em),
    expires_at: row.expires_at!.toISOString(),
    motivo: row.motivo,
    url,
    whatsapp: url && number ? whatsAppAddress(number, words) : null,
    tem_email: row.email !== null,
  };
}

interface Addressed {
  nome: string | null;
  whatsapp: string | null;
  /** Birth date. */
  recorded: string | null;
  responsavel_nome: string | null;
  responsavel_telefone: string | null;
}

/** To whom a prepared message goes: to the guardian of a minor, where one is recorded with a phone. */
export function signerOf(row: Addressed, today: string) {
  const first = (name: string | null) => firstName(name ?? '');
  const isGuardians = guardianRole(row.recorded, today) !== null && row.responsavel_telefone !== null;
  const name = first(isGuardians ? row.responsavel_nome : row.nome);
  const phone = isGuardians ? row.responsavel_telefone : row.whatsapp;
  return {
    number: phone?.replace(/\D/g, '') || null,
    greeting: name ? `Oi, ${name}!` : 'Oi!',
    whose: isGuardians ? ` de ${first(row.nome)}` : '',
  };
}

interface Listed {
  contractId: string;
  before?: string | undefined;
  last?: string | undefined;
  limit: number;
}

/** The title of the version that a request was sent with; joined by the aliases of the request and `c`. */
export const titleSent = (request: 'q' | 'r') =>
  sql<string | null>`c.versoes -> (${sql.ref(`${request}.versao`)} - 1) ->> 'titulo'`;

/** The requests of a contract; one row without a request where there are none. */
const ofContract = statement((db, { contractId, before, last, limit }: Blanks<Listed>) =>
  db
    .selectFrom('contracts as c')
    .leftJoin('signature_requests as r', (join) => {
      const all = join.onRef('r.tenant_id', '=', 'c.tenant_id').onRef('r.contract_id', '=', 'c.id');
      return last === undefined
        ? all
        : all.on(sql<boolean>`(r.enviado_em, r.id) < (${before!}::timestamptz, ${last}::uuid)`);
    })
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .select(['c.is_active', 's.nome', 's.whatsapp', 's.email', titleSent('r').as('titulo')])
    .select(['r.assinado_em', 'r.nascimento', 'r.responsavel', 's.nascimento as recorded'])
    .select(['s.responsavel_nome', 's.responsavel_telefone'])
    .select(['r.id', 'r.student_id', 'r.versao', 'r.expires_at', 'r.enviado_em', 'r.motivo'])
    .select(status.as('status'))
    .select(['r.lembrado_em', 'r.aberto_em', 'r.encerrado_em'])
    .where('c.id', '=', contractId)
    .orderBy('r.enviado_em', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .compile(),
);

/** Fields of the signed copy that a link alone does not show. */
const untold = {
  nome: null,
  cpf: null,
  telefone: null,
  ip_address: null,
  navegador: null,
  sal: null,
  nascimento: null,
  responsavel: null,
};

/** One request for reading and signing: for its student, for the holder of its link, or for the trainer. */
@Injectable()
export class Signables {
  constructor(
    private readonly database: Database,
    private readonly links: ContractLinks,
    private readonly clock: Clock,
  ) {}

  /** `byLink`: of a reader who has only the link, the CPF that they typed. */
  async show(
    { tenantId, studentId, timezone }: Pick<RequestContext, 'tenantId' | 'studentId' | 'timezone'>,
    id: string,
    byLink?: { cpf: string | null },
  ): Promise<Signable> {
    const [row] = await this.database.read(tenantId, one({ id, studentId: studentId ?? undefined }));
    if (!row) throw new Problem('contracts.request_not_found');
    const now = this.clock.now();
    const version = (row.versoes as { titulo: string | null; conteudo: string | null }[])[row.versao - 1];
    const values = Object.fromEntries(
      (row.campos as FieldValue[]).map(({ campo, texto }) => [campo, texto ?? '']),
    );
    const isSigned = row.assinado_em !== null;
    const estado = stateOf(row, { now, timezone });
    const isOver = !!studentId && (over.includes(estado) || (estado === 'recusado' && byLink !== undefined));
    const isVeiled = byLink !== undefined && isSigned && !isSigner(row, byLink.cpf);
    const isSent = row.codigo_expira_em !== null && row.codigo_expira_em > now;
    const address = (isSent && row.codigo_para) || row.email;
    const conteudo = isSigned ? (row.conteudo ?? '') : withoutUnseen(fill(version?.conteudo ?? '', values));
    return {
      id,
      personal: row.personal ?? '',
      titulo: (isSigned ? row.titulo : withoutUnseen(version?.titulo ?? '')) ?? '',
      conteudo: isOver || isVeiled ? '' : conteudo,
      versao: row.versao,
      estado,
      expires_at: row.expires_at.toISOString(),
      aluno:
        isOver || isVeiled || row.student_nome === null
          ? null
          : { nome: row.student_nome, whatsapp: byLink ? null : row.whatsapp },
      codigo_email:
        row.codigo_email && !isOver && !isVeiled
          ? {
              para: address && maskedAddress(address),
              enviado: isSent,
              confirmado: row.codigo_confirmado_em !== null,
            }
          : null,
      responsavel: row.responsavel_de_menor,
      papel_responsavel: guardianRole(row.recorded, dateOf(now, timezone)),
      prova:
        row.assinado_em && row.conteudo_hash
          ? this.proofOf(isVeiled ? { ...row, ...untold } : row, id, { timezone, now })
          : null,
      pede_cpf: isVeiled,
    };
  }

  private proofOf(
    row: {
      nome: string | null;
      cpf: string | null;
      telefone: string | null;
      ip_address: string | null;
      navegador: string | null;
      assinado_em: Date | null;
      conteudo_hash: string | null;
      sal: string | null;
      nascimento: string | null;
      responsavel: unknown;
      codigo_confirmado_em: Date | null;
      consentimento: string | null;
      arquivo_hash: string | null;
      status: string;
    },
    id: string,
    { timezone, now }: { timezone: string; now: Date },
  ): Signable['prova'] {
    const { nome, cpf, telefone, ip_address, navegador } = row;
    const assinado_em = row.assinado_em!.toISOString();
    const end = withdrawalEnd(assinado_em, timezone);
    return {
      nome,
      cpf,
      telefone,
      ip_address,
      navegador,
      assinado_em,
      conteudo_hash: row.conteudo_hash!,
      sal: row.sal,
      nascimento: row.nascimento,
      responsavel: row.responsavel as SignedCopy['responsavel'],
      codigo_confirmado_em: iso(row.codigo_confirmado_em),
      consentimento: row.consentimento!,
      codigo: this.links.codeOf(id),
      tem_pdf: row.arquivo_hash !== null,
      desistir_ate: row.status === 'signed' && now <= end ? end.toISOString() : null,
    };
  }
}

/** A link may be forwarded or found years later: a signed copy is shown only with the CPF of the signer or guardian. */
function isSigner(row: { cpf: string | null; responsavel: unknown }, cpf: string | null): boolean {
  const { cpf: ofGuardian = null } = (row.responsavel as SignedCopy['responsavel']) ?? {};
  return cpf !== null && (cpf === row.cpf || cpf === ofGuardian);
}

const requests = (db: Kysely<DB>) =>
  db
    .selectFrom('signature_requests as r')
    .innerJoin('contracts as c', (join) => sameTenant(join, 'c.id', 'r.contract_id'));

const one = statement((db, { id, studentId }: Blanks<{ id: string; studentId?: string | undefined }>) =>
  requests(db)
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .select(['c.versoes', 'c.is_active', 's.nome as student_nome', 's.whatsapp', 's.email'])
    .select('s.nascimento as recorded')
    .select(['c.codigo_email', 'c.responsavel as responsavel_de_menor'])
    .select([
      'r.sal',
      'r.nascimento',
      'r.responsavel',
      'r.codigo_email as codigo_para',
      'r.codigo_expira_em',
      'r.codigo_confirmado_em',
      'r.arquivo_hash',
    ])
    .select(status.as('status'))
    .select(['r.versao', 'r.campos', 'r.expires_at', 'r.titulo', 'r.conteudo', 'r.nome', 'r.cpf'])
    .select(['r.telefone', 'r.ip_address', 'r.navegador', 'r.assinado_em', 'r.conteudo_hash'])
    .select(sql<string | null>`r.consentimento::text`.as('consentimento'))
    .select(trainersName.as('personal'))
    .where('r.id', '=', id)
    .$if(studentId !== undefined, (found) => found.where('r.student_id', '=', studentId!))
    .compile(),
);

/** The most that a student sees; the trainer sees all. */
const MOST_OWN = 100;

/** Contracts that a student has to sign or has signed. */
export const ListContractsOf = defineQuery(
  'ListContractsOf',
  { past: PastTables },
  async ({ context }, { past }, { at }: AtMoment): Promise<OwnContracts> => {
    const { byLink = false } = context;
    const studentId = context.studentId!;
    const { now, read } = await past.at(context.tenantId, at, contractsOf(studentId));
    const rows = await read(ofStudent({ studentId, most: MOST_OWN }));
    const items = rows.map((row) => ({
      id: row.id,
      titulo: row.titulo ?? '',
      versao: row.versao,
      estado: stateOf(row, { now, timezone: context.timezone }),
      enviado_em: row.enviado_em.toISOString(),
      encerrado_em: iso(row.encerrado_em),
    }));
    // A link shows only the contract that it was sent for.
    const toSign = ({ estado }: (typeof items)[number]) => estado === 'enviado' || estado === 'aberto';
    const email = byLink ? rows[0]?.email : null;
    const codigo_para = email ? maskedAddress(email) : null;
    return { at, items: byLink ? items.filter(toSign) : items, codigo_para };
  },
);

/** What a student's contracts follow from; signatures are those that were asked of the student at any time. */
const contractsOf = (studentId: string): WantedTables => ({
  tables: ['signature_requests', 'contracts', 'students'],
  inClear: true,
  only: [{ of: 'signature_requests', field: 'student_id', first: studentId, last: studentId, streams: true }],
});

const ofStudent = statement((db, { studentId, most }: Blanks<{ studentId: string; most: number }>) =>
  requests(db)
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .select(['r.assinado_em', 'r.nascimento', 'r.responsavel', 's.nascimento as recorded', 's.email'])
    .select(['r.id', 'r.versao', 'r.status', 'r.expires_at', 'r.enviado_em', 'r.encerrado_em', 'c.is_active'])
    .select(sql<string | null>`coalesce(r.titulo, ${titleSent('r')})`.as('titulo'))
    .where('r.student_id', '=', studentId)
    .where('r.status', '<>', 'revoked')
    .where(sql<boolean>`(c.is_active or r.assinado_em is not null)`)
    .orderBy('r.enviado_em', 'desc')
    .orderBy('r.id', 'desc')
    .limit(most)
    .compile(),
);

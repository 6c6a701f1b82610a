import { TZDate } from '@date-fns/tz';
import { addDays, endOfDay, subDays } from 'date-fns';
import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { closings, type ClosedState } from './closed-requests.api.js';
import { REMIND_BEFORE_DAYS, WITHDRAWAL_DAYS } from './contracts.api.js';
import type { MergeField } from './merge-fields.api.js';
import type { Reassigned } from '../students/reassigned.js';
import { upcasters } from './upcasters.js';

/** `link`: the trainer passes the link on; `email`: it is mailed as well. */
export type Channel = 'link' | 'email';

export type DownloadedBy = 'personal' | 'aluno';

interface Ids {
  request_id: string;
  contract_id: string;
  student_id: string;
}

/** A merge field's value as it was when the contract was sent. */
export interface FieldValue {
  campo: MergeField;
  texto: string | null;
}

/** What was signed, by whom and how: kept for as long as the law requires. */
export interface SignedCopy {
  assinado_em: string;
  versao: number;
  /** Null once the retention period has ended for a forgotten person. */
  titulo: string | null;
  /** With all merge fields filled in. */
  conteudo: string | null;
  nome: string | null;
  cpf: string | null;
  telefone: string | null;
  /** Shortened, so that it does not identify a person. */
  ip_address: string | null;
  navegador: string | null;
  consent_data_processing: boolean;
  consent_terms: boolean;
  /** Version of the declarations that the signer agreed to: a date. */
  consentimento: string;
  /** SHA-256 in hexadecimal. */
  conteudo_hash: string;
  /** Random, hashed with the content, so that nobody can find the content by hashing guesses. Null before version 2. */
  sal: string | null;
  /** The student's, where the contract asks for it or a guardian signed: a calendar date. */
  nascimento: string | null;
  /** The person who signed for a minor, or beside one from 16 on. */
  responsavel: { nome: string | null; cpf: string | null; relacao: string | null } | null;
  /** When the mailed code was confirmed; null where none was required. */
  codigo_confirmado_em: string | null;
  /** Hash of the code by which the signature can be verified. */
  codigo_hash: string;
  /** Signed by the link, or in the student's account. */
  meio: 'link' | 'conta';
  /** Last day of the retention period. */
  guardar_ate: string;
}

export interface MadeCopy {
  /** SHA-256 of the PDF in hexadecimal. */
  arquivo_hash: string;
  /** The time of the PDF's time stamp; null without one, and before version 2. */
  carimbo_em: string | null;
}

export type SignatureRequestEvent =
  | {
      type: 'ContractSent';
      data: Ids & {
        versao: number;
        token_hash: string;
        expires_at: string;
        canal: Channel;
        /** When the first reminder is due. */
        lembrete_em: string;
        campos: FieldValue[];
      };
    }
  | { type: 'ContractOpened'; data: Ids }
  /** `numero` counts the codes of a request from 1 on; `email` is the student's recorded address. */
  | {
      type: 'ContractCodeSent';
      data: Ids & { numero: number; email: string | null; enviado_em: string; expira_em: string };
    }
  | { type: 'ContractCodeConfirmed'; data: Ids & { numero: number; confirmado_em: string } }
  | { type: 'ContractCodeMistyped'; data: Ids & { numero: number } }
  | { type: 'ContractSigned'; data: Ids & SignedCopy }
  | { type: 'ContractCopyMade'; data: Ids & MadeCopy }
  /** Recorded for the first download by each. */
  | { type: 'ContractDownloaded'; data: Ids & { por: DownloadedBy } }
  | { type: 'ContractDeclined'; data: Ids & { motivo: string | null } }
  /** `lembrete_em`: when the next reminder is due; null after the last one. */
  | {
      type: 'ContractReminded';
      data: Ids & { canal: Channel; automatico: boolean; lembrete_em: string | null };
    }
  | { type: 'ContractRevoked'; data: Ids }
  | { type: 'ContractRestored'; data: Ids }
  | { type: 'ContractWithdrawn'; data: Ids }
  /** What was signed stays as it was signed. */
  | { type: 'ContractReassigned'; data: Ids & Reassigned };

/** A code that was mailed to the student. It is derived from the request's id, its number and the master key. */
export interface MailedCode {
  numero: number;
  enviado_em: string;
  expira_em: string;
  erros: number;
  confirmado_em: string | null;
}

export type SignatureRequestState =
  | { status: 'unknown' }
  | (Ids & {
      status: 'sent' | 'opened' | 'signed' | 'declined' | 'revoked' | 'withdrawn';
      /** The student has opened it. */
      aberto: boolean;
      versao: number;
      expires_at: string;
      campos: readonly FieldValue[];
      /** Null until signed. */
      assinado_em: string | null;
      /** As signed. */
      nascimento: string | null;
      responsavel: SignedCopy['responsavel'];
      /** The last code that was mailed. */
      codigo: MailedCode | null;
      /** Hash of the PDF; null until it is written. */
      arquivo_hash: string | null;
      baixado_por: readonly DownloadedBy[];
      /** When the next reminder is due; null after the last one. */
      lembrete_em: string | null;
    });
export type ExistingRequest = Exclude<SignatureRequestState, { status: 'unknown' }>;

const become = {
  ContractDeclined: 'declined',
  ContractRevoked: 'revoked',
  ContractWithdrawn: 'withdrawn',
} as const;

const student = ({ student_id }: Ids) => student_id;

export const signatureRequest: Aggregate<SignatureRequestState, SignatureRequestEvent> = {
  name: 'signature-request',
  initialState: { status: 'unknown' },
  evolve(state, { type, data }) {
    if (type === 'ContractSent') {
      const { token_hash: _hash, canal: _canal, ...sent } = data;
      return {
        status: 'sent',
        aberto: false,
        assinado_em: null,
        nascimento: null,
        responsavel: null,
        codigo: null,
        arquivo_hash: null,
        baixado_por: [],
        ...sent,
      };
    }
    if (state.status === 'unknown') return state;
    switch (type) {
      case 'ContractSigned': {
        const { assinado_em, nascimento, responsavel } = data;
        return { ...state, status: 'signed', assinado_em, nascimento, responsavel };
      }
      case 'ContractOpened':
        return { ...state, status: 'opened', aberto: true };
      case 'ContractRestored':
        return { ...state, status: state.aberto ? 'opened' : 'sent' };
      case 'ContractDeclined':
      case 'ContractRevoked':
      case 'ContractWithdrawn':
        return { ...state, status: become[type] };
      case 'ContractCodeSent': {
        const { numero, enviado_em, expira_em } = data;
        return { ...state, codigo: { numero, enviado_em, expira_em, erros: 0, confirmado_em: null } };
      }
      case 'ContractCodeConfirmed':
        return state.codigo
          ? { ...state, codigo: { ...state.codigo, confirmado_em: data.confirmado_em } }
          : state;
      case 'ContractCodeMistyped':
        return state.codigo
          ? { ...state, codigo: { ...state.codigo, erros: state.codigo.erros + 1 } }
          : state;
      case 'ContractCopyMade':
        return { ...state, arquivo_hash: data.arquivo_hash };
      case 'ContractDownloaded':
        return { ...state, baixado_por: [...state.baixado_por, data.por] };
      case 'ContractReminded':
        return { ...state, lembrete_em: data.lembrete_em };
      case 'ContractReassigned':
        return { ...state, student_id: data.student_id };
    }
  },
  events: {
    ContractSent: {
      schemaVersion: 2,
      upcasters: upcasters.ContractSent,
      uses: ({ student_id }) => ({ student: student_id }),
      personal: { person: student, fields: ['campos[].texto'] },
    },
    ContractOpened: { schemaVersion: 1, uses: 'nothing new' },
    ContractCodeSent: {
      schemaVersion: 2,
      upcasters: upcasters.ContractCodeSent,
      uses: 'nothing new',
      personal: { person: student, fields: ['email'], since: 2 },
    },
    ContractCodeConfirmed: { schemaVersion: 1, uses: 'nothing new' },
    ContractCodeMistyped: { schemaVersion: 1, uses: 'nothing new' },
    ContractSigned: {
      schemaVersion: 2,
      upcasters: upcasters.ContractSigned,
      uses: 'nothing new',
      personal: {
        person: student,
        fields: [
          ...(['titulo', 'conteudo', 'nome', 'cpf', 'telefone', 'ip_address', 'navegador'] as const),
          ...(['sal', 'nascimento', 'responsavel.nome', 'responsavel.cpf', 'responsavel.relacao'] as const),
        ],
        retention: {
          name: 'contracts',
          what: 'Contratos assinados',
          why: 'podem ser exigidos como prova por cinco anos (Código Civil, art. 206)',
          until: ({ guardar_ate }) => guardar_ate,
        },
      },
    },
    ContractCopyMade: {
      schemaVersion: 2,
      upcasters: upcasters.ContractCopyMade,
      uses: 'nothing new',
    },
    ContractDownloaded: { schemaVersion: 1, uses: 'nothing new' },
    ContractDeclined: {
      schemaVersion: 1,
      uses: 'nothing new',
      personal: { person: student, fields: ['motivo'] },
    },
    ContractReminded: {
      schemaVersion: 2,
      upcasters: upcasters.ContractReminded,
      uses: 'nothing new',
    },
    ContractRevoked: { schemaVersion: 1, uses: 'nothing new' },
    ContractRestored: { schemaVersion: 1, uses: 'nothing new' },
    ContractWithdrawn: { schemaVersion: 1, uses: 'nothing new' },
    ContractReassigned: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
  },
};

export const idsOf = ({ request_id, contract_id, student_id }: Ids): Ids => ({
  request_id,
  contract_id,
  student_id,
});

/** @throws Problem 404 where it does not exist */
export function existingRequest(state: SignatureRequestState): ExistingRequest {
  if (state.status === 'unknown') throw new Problem('contracts.request_not_found');
  return state;
}

/** Why a request can no longer be signed; null for one that waits for its student. */
export function whyClosed({ status, expires_at }: ExistingRequest, now: Date): ClosedState | null {
  switch (status) {
    case 'signed':
      return 'assinado';
    case 'withdrawn':
      return 'desistido';
    case 'declined':
      return 'recusado';
    case 'revoked':
      return 'cancelado';
    case 'sent':
    case 'opened':
      return Date.parse(expires_at) <= now.getTime() ? 'expirado' : null;
  }
}

/** A request that waits for its student. @throws Problem 409 for any other */
export function openRequest(state: SignatureRequestState, now: Date): ExistingRequest {
  const request = existingRequest(state);
  const why = whyClosed(request, now);
  if (why !== null) throw new Problem(closings[why].code);
  return request;
}

/** Records only the first time that the student opens it. */
export function decideOpen(state: SignatureRequestState, now: Date): SignatureRequestEvent[] {
  const request = existingRequest(state);
  if (request.status !== 'sent' || Date.parse(request.expires_at) <= now.getTime()) return [];
  return [{ type: 'ContractOpened', data: idsOf(request) }];
}

export function decideSign(
  state: SignatureRequestState,
  copy: SignedCopy,
  now: Date,
): SignatureRequestEvent[] {
  return [{ type: 'ContractSigned', data: { ...idsOf(openRequest(state, now)), ...copy } }];
}

/** Records the PDF once. */
export function decideKeepCopy(state: SignatureRequestState, made: MadeCopy): SignatureRequestEvent[] {
  const request = existingRequest(state);
  if (request.assinado_em === null) throw new Problem('contracts.not_signed');
  if (request.arquivo_hash !== null) return [];
  return [{ type: 'ContractCopyMade', data: { ...idsOf(request), ...made } }];
}

export function decideDownload(state: SignatureRequestState, por: DownloadedBy): SignatureRequestEvent[] {
  const request = existingRequest(state);
  if (request.assinado_em === null) throw new Problem('contracts.not_signed');
  if (request.arquivo_hash === null) throw new Problem('contracts.copy_not_ready');
  return request.baixado_por.includes(por)
    ? []
    : [{ type: 'ContractDownloaded', data: { ...idsOf(request), por } }];
}

export function decideDecline(
  state: SignatureRequestState,
  motivo: string,
  now: Date,
): SignatureRequestEvent[] {
  return [{ type: 'ContractDeclined', data: { ...idsOf(openRequest(state, now)), motivo } }];
}

/** A reminder that the trainer sends. */
export function decideRemind(
  state: SignatureRequestState,
  canal: Channel,
  now: Date,
): SignatureRequestEvent[] {
  return [reminded(openRequest(state, now), { canal, automatico: false }, now)];
}

/** An automatic reminder by mail, where one is due: each is sent once, and none once it can no longer be signed. */
export function decideRemindByItself(state: SignatureRequestState, now: Date): SignatureRequestEvent[] {
  const request = existingRequest(state);
  const isOpen = request.status === 'sent' || request.status === 'opened';
  if (!isOpen || Date.parse(request.expires_at) <= now.getTime()) return [];
  if (request.lembrete_em === null || Date.parse(request.lembrete_em) > now.getTime()) return [];
  return [reminded(request, { canal: 'email', automatico: true }, now)];
}

/** Replaces all reminders that were due before it. */
function reminded(
  request: ExistingRequest,
  how: { canal: Channel; automatico: boolean },
  now: Date,
): SignatureRequestEvent {
  const last = subDays(request.expires_at, REMIND_BEFORE_DAYS).toISOString();
  const lembrete_em = [request.lembrete_em, last].find((due) => due !== null && due > now.toISOString());
  return {
    type: 'ContractReminded',
    data: { ...idsOf(request), ...how, lembrete_em: lembrete_em ?? null },
  };
}

/** Does nothing where it can no longer be signed. @throws Problem 409 where it is signed */
export function decideRevoke(state: SignatureRequestState): SignatureRequestEvent[] {
  const request = existingRequest(state);
  if (request.status === 'signed') throw new Problem('contracts.already_signed');
  if (request.status === 'withdrawn') throw new Problem('contracts.withdrawn');
  return request.status === 'sent' || request.status === 'opened'
    ? [{ type: 'ContractRevoked', data: idsOf(request) }]
    : [];
}

/**
 * Undoes a revocation. Does nothing if the request can be signed. @throws Problem 409 if it could not be signed even
 * without the revocation
 */
export function decideRestore(state: SignatureRequestState, now: Date): SignatureRequestEvent[] {
  const request = existingRequest(state);
  if (request.status !== 'revoked') {
    openRequest(state, now);
    return [];
  }
  if (Date.parse(request.expires_at) <= now.getTime()) throw new Problem('contracts.expired');
  return [{ type: 'ContractRestored', data: idsOf(request) }];
}

/**
 * The last instant at which a signature can be withdrawn from: the day of the signature does not count, and the last day counts
 * to its end in the trainer's time zone (Código Civil, art. 132).
 */
export const withdrawalEnd = (signedAt: string, timezone: string): Date =>
  new Date(+endOfDay(addDays(new TZDate(signedAt, timezone), WITHDRAWAL_DAYS)));

export function decideWithdraw(
  state: SignatureRequestState,
  timezone: string,
  now: Date,
): SignatureRequestEvent[] {
  const request = existingRequest(state);
  if (request.status === 'withdrawn') return [];
  if (request.status !== 'signed' || !request.assinado_em) throw new Problem('contracts.not_signed');
  if (now > withdrawalEnd(request.assinado_em, timezone)) throw new Problem('contracts.too_late_to_withdraw');
  return [{ type: 'ContractWithdrawn', data: idsOf(request) }];
}

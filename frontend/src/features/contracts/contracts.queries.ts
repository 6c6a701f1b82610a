import { useQuery } from '@tanstack/react-query';
import type {
  ContractPage,
  ContractSummary,
  OwnContracts,
  RequestPage,
  Sending,
  Signable,
  Signature,
  SignatureRequest,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { formatCpf } from '../../../../backend/modules/students/cpf.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read } from '../../lib/calls.js';
import { useCommand, useSend, useSendTo } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import { CONTRACTS } from './contract-reads.js';

/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-contracts', []);

export function useContracts(active: boolean) {
  const situacao = active ? 'ativos' : 'inativos';
  return usePaged<ContractSummary, ContractPage>([CONTRACTS, 'list', situacao], (cursor, signal) =>
    read('GET /contracts', { query: { situacao, cursor }, signal }),
  );
}

/** Contracts that can be sent. */
export const useContractChoices = () =>
  useAnswer([CONTRACTS, 'choices'], 'GET /contracts', { query: { situacao: 'ativos', limit: 100 } });

export const useContract = (id: string) =>
  useAnswer([CONTRACTS, 'one', id], 'GET /contracts/:id', { of: [id] });

/** Contracts that a student has to sign or has signed. */
export const useContractsOf = (student_id: string, at: string | undefined) =>
  useQuery({
    queryKey: [at ? PAST : CONTRACTS, 'student', student_id, at],
    queryFn: ({ signal }) => http.get<OwnContracts>('/signature-requests', { student_id, at }, signal),
  });

export const useChangeContract = (id: string) => useSend('PATCH /contracts/:id', id);

export const useSendContract = (id: string) => useSend('POST /contracts/:id/send', id);

/** What a sending will do, as it is chosen now; not asked while nobody is chosen. */
export const useSendingPreview = (id: string, alunos: Sending['alunos']) =>
  useQuery({
    queryKey: [CONTRACTS, 'preview', id, alunos],
    queryFn: ({ signal }) => read('POST /contracts/:id/send/preview', { of: [id], body: { alunos }, signal }),
    enabled: alunos === 'todos' || alunos.length > 0,
    placeholderData: (previous) => previous,
  });

export const useRequests = (id: string) =>
  usePaged<SignatureRequest, RequestPage>([CONTRACTS, 'requests', id], (cursor, signal) =>
    read('GET /contracts/:id/requests', { of: [id], query: { cursor, limit: 10 }, signal }),
  );

export const useRemindSigner = () => useSendTo('POST /signature-requests/:id/remind');

/** Students who are due to be reminded by WhatsApp. */
export const useContractReminders = () =>
  useAnswer([CONTRACTS, 'reminders'], 'GET /signature-requests/reminders');

/** Students to send a contract to, searched by name. */
export const useRecipients = (q: string) =>
  useQuery({
    queryKey: [CONTRACTS, 'recipients', q],
    queryFn: ({ signal }) => read('GET /students', { query: { q, situacao: 'ativos', limit: 20 }, signal }),
    placeholderData: (previous) => previous,
  });

/** Who reads a contract: the trainer, or its student with an account. */
export interface Reader {
  as: 'trainer' | 'student';
  id: string;
}

const pathOf = {
  trainer: (id: string) => `/signature-requests/${id}`,
  student: (id: string) => `/student/signature-requests/${id}`,
};

const signablePath = ({ as, id }: Reader) => pathOf[as](id);

/** The PDF of a signature. */
export const fetchPdf = (reader: Reader): Promise<Blob> => http.file(`${signablePath(reader)}/pdf`);

/** Cached for the student to read offline, without CPF, phone or evidence. */
const ownOffline = cachedOffline<Signable>({
  ofPerson: true,
  kept: ({ conteudo, prova, aluno, ...shown }) => ({
    ...shown,
    conteudo: prova?.cpf ? conteudo.replaceAll(formatCpf(prova.cpf), '___.___.___-__') : conteudo,
    prova: null,
    aluno: aluno && { nome: aluno.nome, whatsapp: null },
  }),
});

export const useSignable = (reader: Reader) =>
  useQuery({
    queryKey: [CONTRACTS, 'signable', reader.as, reader.id],
    ...(reader.as === 'student' && { persister: ownOffline }),
    queryFn: ({ signal }) => http.get<Signable>(signablePath(reader), undefined, signal),
  });

type Step =
  | { to: 'open' | 'withdraw' | 'code' }
  | ({ to: 'sign' } & Signature)
  | { to: 'confirm-code'; codigo: string }
  | { to: 'decline'; motivo: string };

/** `confirmado`: whether the typed code was right. */
interface Done {
  confirmado?: boolean;
  link?: string | null;
}

/** The actions of the signer. */
export const useSigning = ({ id }: Reader) =>
  useCommand({
    send: ({ to, ...body }: Step, key) =>
      http.post<Done>(`${pathOf.student(id)}/${to}`, key, Object.keys(body).length > 0 ? body : undefined),
  });

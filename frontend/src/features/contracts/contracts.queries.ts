import { queryOptions, useQuery } from '@tanstack/react-query';
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
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { usePaged } from '../../lib/paged.js';
import { CONTRACTS } from './contract-reads.js';

const ASK_MS = 10_000;

export function useContracts(active: boolean) {
  const situacao = active ? 'ativos' : 'inativos';
  return usePaged<ContractSummary, ContractPage>([CONTRACTS, 'list', situacao], (cursor, signal) =>
    read('GET /contracts', { query: { situacao, cursor }, signal }),
  );
}

/** Contracts that can be sent. */
export const useContractChoices = () =>
  useQuery({
    queryKey: [CONTRACTS, 'choices'],
    queryFn: ({ signal }) => read('GET /contracts', { query: { situacao: 'ativos', limit: 100 }, signal }),
  });

export const useContract = (id: string) =>
  useQuery({
    queryKey: [CONTRACTS, 'one', id],
    queryFn: ({ signal }) => read('GET /contracts/:id', { of: [id], signal }),
  });

/** Contracts that a student has to sign or has signed. */
export const useContractsOf = (student_id: string) =>
  useQuery({
    queryKey: [CONTRACTS, 'student', student_id],
    queryFn: ({ signal }) => http.get<OwnContracts>('/signature-requests', { student_id }, signal),
  });

export const useCreateContract = () => useSend('POST /contracts');

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

export const useRemindSigner = () =>
  useCommand({
    send: ({ id, canal }: { id: string; canal: Sending['canal'] }, key) =>
      write('POST /signature-requests/:id/remind', key, { of: [id], body: { canal } }),
  });

/** Students who are due to be reminded by WhatsApp. */
export const useContractReminders = () =>
  useQuery({
    queryKey: [CONTRACTS, 'reminders'],
    queryFn: ({ signal }) => read('GET /signature-requests/reminders', { signal }),
  });

export const useRevokeRequest = () =>
  useCommand({
    send: (id: string, key) => write('DELETE /signature-requests/:id', key, { of: [id] }),
  });

export const useRestoreRequest = () =>
  useCommand({
    send: (id: string, key) => write('POST /signature-requests/:id/restore', key, { of: [id] }),
  });

/** Students to send a contract to, searched by name. */
export const useRecipients = (q: string) =>
  useQuery({
    queryKey: [CONTRACTS, 'recipients', q],
    queryFn: ({ signal }) => read('GET /students', { query: { q, situacao: 'ativos', limit: 20 }, signal }),
    placeholderData: (previous) => previous,
  });

/** Who reads a contract: the trainer, its student with an account, or the holder of its link. */
export type Reader =
  | { as: 'trainer' | 'student'; id: string }
  /** `cpf`: the signer's, typed where the link alone does not show the content. */
  | { as: 'link'; token: string; cpf?: string | undefined };

const pathOf = {
  trainer: (id: string) => `/signature-requests/${id}`,
  student: (id: string) => `/student/signature-requests/${id}`,
};

const signablePath = (reader: Reader) =>
  reader.as === 'link'
    ? `/signature-links/${encodeURIComponent(reader.token)}`
    : pathOf[reader.as](reader.id);

/** The PDF of a signature. */
export const fetchPdf = (reader: Reader): Promise<Blob> =>
  reader.as === 'link'
    ? http.file('/signature-links/pdf', undefined, { token: reader.token, cpf: reader.cpf })
    : http.file(`${signablePath(reader)}/pdf`);

/** Cached for the student to read offline, without CPF, phone or evidence. */
const ownOffline = cachedOffline<Signable>({
  ofPerson: true,
  kept: ({ conteudo, prova, ...shown }) => ({
    ...shown,
    conteudo: prova?.cpf ? conteudo.replaceAll(formatCpf(prova.cpf), '___.___.___-__') : conteudo,
    prova: null,
    aluno: null,
  }),
});

/** What a link shows to those who type the signer's CPF. Not cached, because the server counts the tries. */
export const signedByLink = (token: string, cpf: string) =>
  queryOptions({
    queryKey: [CONTRACTS, 'signable', 'link', token, cpf],
    queryFn: ({ signal }) => http.question<Signable>('/signature-links/read', { token, cpf }, signal),
    staleTime: Infinity,
  });

export const useSignedByLink = (token: string, cpf: string | undefined) =>
  useQuery({ ...signedByLink(token, cpf ?? ''), enabled: cpf !== undefined });

/** Whether the PDF of a copy signed by a link is ready: asked again at growing intervals until it is. */
export const usePdfIsMade = (token: string, enabled: boolean): boolean => {
  const { data } = useQuery({
    queryKey: [CONTRACTS, 'pdf-made', token],
    queryFn: ({ signal }) => http.get<Signable>(signablePath({ as: 'link', token }), undefined, signal),
    enabled,
    refetchInterval: ({ state: { data: last, dataUpdateCount } }) =>
      last?.prova?.tem_pdf ? false : Math.min(ASK_MS, 1_000 * 2 ** dataUpdateCount),
  });
  return data?.prova?.tem_pdf ?? false;
};

export const useSignable = (reader: Reader, enabled = true) =>
  useQuery({
    queryKey: [CONTRACTS, 'signable', reader.as, reader.as === 'link' ? reader.token : reader.id],
    ...(reader.as === 'student' && { persister: ownOffline }),
    queryFn: ({ signal }) => http.get<Signable>(signablePath(reader), undefined, signal),
    enabled,
    // There are no hints without an account: changes by the trainer or another window are polled for.
    refetchInterval: ({ state: { data } }) =>
      reader.as === 'link' && (data?.estado === 'enviado' || data?.estado === 'aberto') ? ASK_MS : false,
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

/** The actions of the signer. A link's token is sent in the body. */
export const useSigning = (reader: Reader) =>
  useCommand({
    send: ({ to, ...body }: Step, key) =>
      reader.as === 'link'
        ? http.post<Done>(`/signature-links/${to}`, key, {
            token: reader.token,
            ...(to === 'withdraw' && { cpf: reader.cpf }),
            ...body,
          })
        : http.post<Done>(
            `${pathOf.student(reader.id)}/${to}`,
            key,
            Object.keys(body).length > 0 ? body : undefined,
          ),
  });

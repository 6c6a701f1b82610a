import { useQuery } from '@tanstack/react-query';
import type {
  AccountDeletionBody,
  ExportState,
  PersonProof,
} from '../../../../backend/modules/accounts/own-data/own-data.api.js';
import { useAnswer } from '../../lib/answer.js';
import { write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';

/** Interval of checks whether the export is ready. */
const ASK_MS = 2_000;

export function useExport() {
  return useQuery({
    queryKey: ['account', 'exports'],
    queryFn: ({ signal }) => http.get<ExportState>('/account/exports', undefined, signal),
    refetchInterval: ({ state }) => (state.data?.exportacao?.situacao === 'preparando' ? ASK_MS : false),
  });
}

export const useNewExport = () =>
  useCommand({
    send: (proof: PersonProof, key) => http.post<{ id: string }>('/account/exports', key, proof),
  });

export function useDeletionPreview() {
  return useAnswer(['account', 'deletion'], 'GET /account/deletion');
}

/** Refreshes nothing: the account that it would be read with is gone. */
export const useDeleteAccount = () =>
  useCommand({
    send: (body: AccountDeletionBody, key) => write('POST /account/deletion', key, { body }),
    topics: [],
  });

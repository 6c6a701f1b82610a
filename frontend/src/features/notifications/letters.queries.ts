import { useQuery } from '@tanstack/react-query';
import type { LetterLink, LetterScope } from '../../../../backend/modules/notifications/letters.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const LETTERS = reads('letters', []);

export const useLetterLink = (token: string) =>
  useQuery({
    queryKey: [LETTERS, token],
    queryFn: ({ signal }) =>
      http.get<LetterLink>(`/letter-links/${encodeURIComponent(token)}`, undefined, signal),
  });

export const useSwitchLetters = (token: string) =>
  useCommand({
    send: (change: { alvo: LetterScope; ativo: boolean }, key) =>
      http.post('/letter-links', key, { token, ...change }),
    topics: [LETTERS],
  });

import { useQuery } from '@tanstack/react-query';
import type { LetterScope } from '../../../../backend/modules/letters/letters.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const LETTERS = reads('letters', []);

export const useLetterLink = (token: string) =>
  useQuery({
    queryKey: [LETTERS, token],
    queryFn: ({ signal }) => read('GET /letter-links/:token', { of: [token], signal }),
  });

export const useSwitchLetters = (token: string) =>
  useCommand({
    send: (change: { alvo: LetterScope; ativo: boolean }, key) =>
      write('POST /letter-links', key, { body: { token, ...change } }),
  });

import { useQuery } from '@tanstack/react-query';
import { read, write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const INTEGRITY = reads('integrity', []);
/** Interval of looks at a check that runs. */
const ASK_MS = 1_500;

export function useIntegrity() {
  return useQuery({
    queryKey: [INTEGRITY],
    queryFn: ({ signal }) => read('GET /integrity', { signal }),
    refetchInterval: ({ state }) =>
      state.data?.verificacoes.some(({ concluida_em }) => concluida_em === null) ? ASK_MS : false,
  });
}

export const useNewCheck = () =>
  useCommand({
    send: (_input: undefined, key) => write('POST /integrity/checks', key, {}),
    topics: [INTEGRITY],
  });

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { auth } from '../../lib/auth.js';
import { refresh } from '../../lib/topics.js';
import { accountTopics } from './account.queries.js';

type Client = Awaited<ReturnType<typeof auth>>;

/** Runs a change of the account with the auth client, then refreshes the account's queries. */
export function useAccountChange() {
  const queries = useQueryClient();
  return useCallback(
    async <Result>(change: (client: Client) => Promise<Result>): Promise<Result> => {
      const result = await change(await auth());
      await refresh(queries, accountTopics);
      return result;
    },
    [queries],
  );
}

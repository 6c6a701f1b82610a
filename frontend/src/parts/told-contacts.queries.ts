import { useQuery } from '@tanstack/react-query';
import { read } from '../lib/calls.js';
import { reads } from '../lib/topics.js';

const TOLD = reads('told-contacts', ['students']);

/** What students changed in their own accounts, and the trainer is still to answer. */
export const useToldContacts = () =>
  useQuery({
    queryKey: [TOLD],
    queryFn: ({ signal }) => read('GET /told-contacts', { signal }),
    select: ({ items }) => items,
  });

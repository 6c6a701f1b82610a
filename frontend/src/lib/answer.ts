import { type QueryKey, useQuery } from '@tanstack/react-query';
import { type Address, type Given, type Read, read } from './calls.js';

/** The answer to a call that changes nothing, read again when a topic changes that its key follows (`reads`). */
export const useAnswer = <A extends Address>(queryKey: QueryKey, address: A, ...[options]: Given<Read<A>>) =>
  useQuery({
    queryKey,
    queryFn: ({ signal }) => read(address, ...([{ ...options, signal }] as unknown as Given<Read<A>>)),
  });

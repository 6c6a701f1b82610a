import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { type Address, type Answer, type Input, type Of, write, type Write } from './calls.js';
import { takeTopics } from './http.js';
import { isQueued, showAsRead } from './pending.js';
import { ProblemError } from './problem.js';
import { refresh } from './topics.js';

/** A fresh `Idempotency-Key`. `crypto.randomUUID` is missing on plain http addresses, so it is not used. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

interface Command<Input, Answer> {
  send: (input: Input, idempotencyKey: string) => Promise<Answer>;
  /** Of a write outside the event store: the topics that it changes, so that not everything is refreshed. */
  topics?: readonly string[];
}

/**
 * A write. The key belongs to the input: repeating the same input after a failure with unknown outcome repeats the key,
 * so it cannot take effect twice; after a success or a refusal, or with another input, a new key is made. After a success
 * the topics that the server names are refreshed, or everything where it names none.
 */
export function useCommand<Input, Answer>({
  send,
  topics,
}: Command<Input, Answer>): UseMutationResult<Answer, Error, Input> {
  const client = useQueryClient();
  const keys = useRef(new Map<string, string>());
  return useMutation({
    mutationFn: (input: Input) => {
      const intention = JSON.stringify(input);
      const key = keys.current.get(intention) ?? newKey();
      keys.current.set(intention, key);
      return send(input, key);
    },
    onSuccess: (answer, input) => {
      const key = keys.current.get(JSON.stringify(input)) ?? '';
      keys.current.delete(JSON.stringify(input));
      // A queued write has changed nothing on the server yet.
      const changed = isQueued(answer) ? [] : (takeTopics(key) ?? topics ?? null);
      void refresh(client, changed).finally(() => showAsRead(key));
    },
    onError: (error, input) => {
      showAsRead(keys.current.get(JSON.stringify(input)) ?? '');
      if (error instanceof ProblemError && error.status < 500) keys.current.delete(JSON.stringify(input));
    },
  });
}

/** A command whose input is the body of this call. `of`: the named parts of its path. */
export const useSend = <A extends Address>(address: A, ...of: Of<A>) =>
  useCommand<Input<A>, Answer<A>>({
    send: (body, key) => write(address, key, { of, body } as unknown as Write<A>),
  });

/** Addresses with one part, which says what is changed. */
type OneOfMany = { [A in Address]: Of<A> extends [string] ? A : never }[Address];
type To<A extends Address> = Input<A> extends void ? string : { id: string } & Input<A>;

/** A command whose input says which one it changes: by its id alone, or beside the fields of the body where the call has one. */
export const useSendTo = <A extends OneOfMany>(address: A) =>
  useCommand<To<A>, Answer<A>>({
    send: (to: string | { id: string }, key) => {
      if (typeof to === 'string') return write(address, key, { of: [to] } as unknown as Write<A>);
      const { id, ...body } = to;
      return write(address, key, { of: [id], body } as unknown as Write<A>);
    },
  });

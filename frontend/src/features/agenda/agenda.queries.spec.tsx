import { expect, it } from '@jest/globals';
import { QueryClient, useQueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { open } from '../../../spec/screen.js';
import { listed, useSession } from './agenda.queries.js';
import { SESSIONS } from './session-reads.js';

it('a session of a list is read again where a change of it is known since', async () => {
  const client = new QueryClient();
  client.setQueryData([SESSIONS, 'range', 'from', 'to'], [{ id: 'a' }], { updatedAt: 1000 });
  const known = () => listed(client, ({ id }) => id === 'a');
  expect(known()).toEqual({ sessions: [{ id: 'a' }], at: 1000 });
  await client.invalidateQueries();
  expect(known()).toEqual({ sessions: [{ id: 'a' }], at: 0 });
});

const used = { id: 'a', inicio: '2026-11-12T10:00:00.000Z', usou_credito: true };

function Whose() {
  const client = useQueryClient();
  useState(() => {
    client.setDefaultOptions({ queries: { staleTime: 30_000 } });
    client.setQueryData([SESSIONS, 'range', 'from', 'to'], [used]);
  });
  return <p>{useSession('a', false).data?.credito_de ?? 'ninguém'}</p>;
}

it('a session of a list that used a credit is read by itself, which says whose it was', async () => {
  open(<Whose />, { answers: { 'GET /sessions/a': { ...used, credito_de: 'Ana' } } });
  await screen.findByText('Ana');
});

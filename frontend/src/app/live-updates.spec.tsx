import { expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import type { LiveHandlers } from '../lib/live.js';

let heard: LiveHandlers['onHint'] = () => undefined;
let heardElsewhere: LiveHandlers['onHintElsewhere'] = () => undefined;
jest.unstable_mockModule('../lib/live.js', () => ({
  listen: (_place: unknown, { onHint, onHintElsewhere }: LiveHandlers) => {
    heard = onHint;
    heardElsewhere = onHintElsewhere;
    return () => undefined;
  },
}));

it.each([
  ['personal', 'Agenda atualizada. Financeiro atualizado.'],
  ['aluno', 'Aulas atualizadas. Pagamentos atualizados.'],
] as const)('announces changes to screen readers in the words of the area: %s', async (role, words) => {
  const { default: LiveUpdates } = await import('./live-updates.js');
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <LiveUpdates tenantId="tenant" studentId={null} role={role} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByRole('status');
  act(() =>
    ['sessions', 'transactions'].forEach((topic) => heard({ tenantId: 'tenant', topic, position: 1 })),
  );
  await screen.findByText(words);
});

it.each([
  ['charges', ['own-charges']],
  ['payers', ['own-charges']],
  ['notifications', ['notifications-elsewhere']],
  ['sessions', []],
])('reads again what a change of %s of another student of the account concerns', async (topic, stale) => {
  const { default: LiveUpdates } = await import('./live-updates.js');
  const client = new QueryClient();
  const kinds = ['own-charges', 'notifications-elsewhere', 'own-sessions'];
  for (const kind of kinds) client.setQueryData([kind], {});
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <LiveUpdates tenantId="tenant" studentId="ana" role="aluno" />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByRole('status');
  act(() => heardElsewhere({ tenantId: 'tenant', topic, position: 1, studentId: 'bia' }));
  expect(kinds.filter((kind) => client.getQueryState([kind])?.isInvalidated)).toEqual(stale);
});

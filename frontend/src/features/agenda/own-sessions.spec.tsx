import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { OwnSession } from '../../../../backend/modules/student-area/own-sessions.api.js';
import { open } from '../../../spec/screen.js';
import { OwnSessions } from './own-sessions.js';

const session = (place: string, more: Partial<OwnSession>): OwnSession => ({
  ...{ id: place, location_nome: place, compartilhada: false, com: [], pedido: null },
  ...{ inicio: '2030-11-04T12:00:00.000Z', fim: '2030-11-04T13:00:00.000Z' },
  ...{ sozinho_ate: '2030-11-03T12:00:00.000Z', confirmado: true, a_confirmar: false },
  ...more,
});

it('says which sessions the trainer has yet to confirm, and which the student', async () => {
  const items = [
    session('Parque', {}),
    session('Praia', { confirmado: false }),
    session('Quadra', { confirmado: false, a_confirmar: true }),
  ];
  open(<OwnSessions />, { answers: { 'GET /student/sessions': { items, mostra_nome: false, ferias: [] } } });
  await screen.findByText('Parque');
  await screen.findByText('Praia · aguardando a confirmação do personal');
  await screen.findByText('Quadra');
  expect(screen.getAllByRole('button', { name: /^Confirmar presença/ })).toHaveLength(1);
});

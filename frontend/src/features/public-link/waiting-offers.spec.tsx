import { expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { WaitingPerson } from '../../../../backend/modules/public-link/waitlist.api.js';
import { open, takeBack } from '../../../spec/screen.js';
import { useOffersToSend, WaitingOffers } from './waiting-offers.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a20';
const person: WaitingPerson = {
  id: ID,
  student_id: ID,
  nome: 'Duda Espera',
  aluno: null,
  servico_nome: null,
  location_nome: 'Parque',
  de: '2026-11-03',
  ate: '2026-11-06',
  periodos: ['noite'],
  pulado: false,
  por_email: false,
  criado_em: '2026-11-02T11:00:00.000Z',
  oferta: {
    numero: 2,
    inicio: '2026-11-04T21:00:00.000Z',
    fim: '2026-11-04T22:00:00.000Z',
    ate: '2026-11-02T12:00:00.000Z',
    enviada: false,
    texto: 'Oi, Duda! Abriu um horário',
    link: 'https://wa.me/5521980000001?text=Oi',
  },
};
const of = (nome: string, more: Partial<WaitingPerson>) => ({ ...person, nome, id: nome, ...more });

function Page() {
  return <WaitingOffers items={useOffersToSend()} />;
}

it('shows the offers that nobody has told the person of, and records those that are sent', async () => {
  const marked = jest.fn((_body: unknown) => ({ id: ID }));
  const items = [
    of('Por e-mail', { por_email: true }),
    of('Já enviada', { oferta: { ...person.oferta!, enviada: true } }),
    of('Sem oferta', { oferta: null }),
    person,
  ];
  const user = open(<Page />, { answers: { 'GET /waitlist': { items }, 'PUT /sent': marked } });
  await screen.findByText('Duda Espera');
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('aria-label'))).toEqual([
    'Enviar pelo WhatsApp: Duda Espera',
  ]);
  await screen.findByText('Oi, Duda! Abriu um horário');
  await user.click(screen.getByRole('link'));
  expect(await takeBack()).toBe('Oferta enviada');
  await waitFor(() =>
    expect(marked.mock.calls).toEqual([[{ oferta: 2, enviada: true }], [{ oferta: 2, enviada: false }]]),
  );
});

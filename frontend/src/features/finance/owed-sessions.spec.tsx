import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { open } from '../../../spec/screen.js';
import { OwedSessionsLine, OwedSessionsSheet } from './owed-sessions.js';

const none = () => undefined;
const ana = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a12';
const total = {
  alunos: 1,
  sessoes: 21,
  valor: 189_000,
  sem_valor: 4,
  recebido: 420_000,
  dadas: { sessoes: 26, valor: 231_000 },
  sem_sessao: { sessoes: 1, valor: 9_000 },
  meta_reserva: 100_000,
};
const lot = { charge_id: ana, plano: 'Pacote 8', expira_em: '2026-12-20' };
const lotes = [
  { id: ana, origem: 'compra', sessoes: 21, valor: 180_000, ...lot },
  { id: 'b', origem: 'entrada', sessoes: 0, valor: 9_000, ...lot, expira_em: null },
];
const items = [{ id: ana, nome: 'Ana Souza', sessoes: 21, valor: 189_000, lotes }];
const answers = (answer: object) => ({ 'GET /finance/owed-sessions': answer });

it('one line says how many sessions are owed, and how much money that is', async () => {
  open(<OwedSessionsLine month="2026-11" moment={null} onOpen={none} />, {
    answers: answers({ items, next: null, total }),
  });
  const line = await screen.findByRole('button', { name: /Você deve 21 sessões/ });
  expect(line.textContent).toContain('1.890,00');
});

it('the sheet says what the reserve lacks, whose the sessions are, and what the month earned', async () => {
  open(<OwedSessionsSheet opened month="2026-11" moment={null} onClose={none} />, {
    answers: answers({ items, next: null, total }),
  });
  await screen.findByText(/21 sessões já pagas e ainda não dadas, de 1 aluno\./);
  await screen.findByText(/Sua meta de reserva é R\$\s1\.000,00: faltam R\$\s890,00/);
  await screen.findByText('21 sessões · Pacote 8 · até 20/12/2026');
  await screen.findByText('pagamento parcial, créditos ainda não liberados · Pacote 8');
  expect(screen.getByText('Ganho com 26 sessões').nextElementSibling?.textContent).toContain('2.310,00');
  await screen.findByText(/Fora desta conta: 4 créditos sem valor/);
});

it('of a past moment, it says what was owed then, and leads to that moment only', async () => {
  const moment = { em: '2026-12-10', at: '2026-12-11T02:59:59.999Z', day: '2026-12-10', time: null };
  open(
    <>
      <OwedSessionsLine month="2026-11" moment={moment} onOpen={none} />
      <OwedSessionsSheet opened month="2026-11" moment={moment} onClose={none} />
    </>,
    { answers: answers({ at: moment.at, items, next: null, total }) },
  );
  await screen.findByText('Você devia 21 sessões');
  await screen.findByText(
    /É o que você devolveria se parasse nesse momento\. A meta de reserva era R\$\s1\.000,00\./,
  );
  const links = (await screen.findAllByRole('link')).map((link) => link.getAttribute('href'));
  expect(links).toEqual(lotes.map(() => `/cobrancas?cobranca=${ana}&em=2026-12-10`));
  expect(screen.queryByRole('button', { name: 'Baixar CSV' })).toBeNull();
});

it('where nothing is owed, both say so', async () => {
  const nothing = { ...total, alunos: 0, sessoes: 0, valor: 0 };
  open(
    <>
      <OwedSessionsLine month="2026-11" moment={null} onOpen={none} />
      <OwedSessionsSheet opened month="2026-11" moment={null} onClose={none} />
    </>,
    { answers: answers({ items: [], next: null, total: nothing }) },
  );
  await waitFor(() => expect(screen.getAllByText('Nenhuma sessão paga a dar')).toHaveLength(2));
});

import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';

jest.unstable_mockModule('../../lib/owner.js', () => ({
  owner: () => ({ userId: 'user', tenantId: 'tenant' }),
}));
const { button, field, NOTHING, open } = await import('../../../spec/screen.js');
const { default: VacationPanel } = await import('./vacation-panel.js');
const { default: WeekPanel } = await import('./week-panel.js');

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a16';
const RECOVERED = 'Recuperamos o que você tinha digitado.';

it('what was typed of a vacation, and decided on its sessions, survives a reload', async () => {
  const hit = {
    id: ID,
    student_id: ID,
    student_nome: 'Ana Souza',
    inicio: '2026-12-21T10:00:00.000Z',
    fim: '2026-12-21T11:00:00.000Z',
    location_nome: null,
    destino: null,
  };
  const preview = { sessoes: [hit], alunos_com_creditos: 0, dias: 11, dias_iguais: true };
  const answers = { 'GET /vacations': NOTHING, 'GET /preview': preview };
  const user = open(<VacationPanel />, { answers });
  await user.type(await field('Data de início'), '21/12/2026');
  await user.type(await field('Data de término'), '31/12/2026');
  await user.type(await field('Descrição'), 'Praia');
  await user.click(await screen.findByRole('checkbox', { name: /Ana Souza/ }));

  open(<VacationPanel />, { answers, again: true });
  await screen.findByText(RECOVERED);
  expect((await field('Data de início')).value).toBe('21/12/2026');
  expect((await field('Descrição')).value).toBe('Praia');
  await screen.findByRole('checkbox', { name: /Ana Souza.*será mantida na agenda/ });
});

it('what was changed in the week survives a reload, but not over hours that were saved since', async () => {
  const panel = <WeekPanel onDone={() => undefined} />;
  const hours = (versao: number) => ({ 'GET /availability': { horarios: [], versao, excecoes: [] } });
  const user = open(panel, { answers: hours(1) });
  await user.click(await button('Segunda 9:00–17:00'));
  await user.click(await button('Pausa'));

  open(panel, { answers: hours(1), again: true });
  await button('Segunda 9:00–17:00 · pausa 12–13');
  await screen.findByText(RECOVERED);

  open(panel, { answers: hours(2), again: true });
  await button('Segunda 9:00–17:00');
});

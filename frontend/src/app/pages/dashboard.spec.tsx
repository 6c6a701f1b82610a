import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { NOTHING, open } from '../../../spec/screen.js';
import Dashboard from './dashboard.js';

it('money that is late comes before what can wait, so that it is not folded away', async () => {
  const taken = { plano: true, aluno: true, agendamento: true, recebimento: true };
  open(<Dashboard />, {
    answers: {
      'GET /dashboard': {
        hoje: 0,
        esta_semana: 0,
        total_alunos: 1,
        locais_ativos: 1,
        proximas_sessoes: [],
        primeiros_passos: { ...taken, local: true, pix: true, link: true },
      },
      'GET /free-times': { livres: [], bloqueios: [] },
      'GET /visits': { ...NOTHING, items: [{ id: 'v', confirmado: false }] },
      'GET /receivables': { falta: 9_000, vencido: 9_000 },
      'GET /reminders/waiting': { total: 5 },
    },
  });
  const chips = async () =>
    [...(await screen.findByRole('group', { name: 'Pendências' })).children]
      .map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))
      .filter((words) => /\w /.test(words));
  await waitFor(async () =>
    expect(await chips()).toEqual(['1 para confirmar', 'R$ 90,00 vencidos', '5 lembretes']),
  );
});

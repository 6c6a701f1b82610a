import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, offered, open, said } from '../../../spec/screen.js';
import ClassForm from './class-form.js';
import type { ShownSession } from './pending-session.js';

const settings = { nome: 'Funcional', vagas: 6, ate_horas: 2, minimo_alunos: null, minimo_horas: 2 };
const show = (found: object, sent: unknown[]) =>
  open(
    <ClassForm
      session={{ id: 's' } as ShownSession}
      onDone={() => sent.push('done')}
      onBack={() => undefined}
    />,
    {
      answers: {
        'GET /sessions/s/class': { so_esta: null, todas: null, aulas: null, fila: [], ...found },
        'PUT /sessions/s/class': (body: unknown) => (sent.push(body), { id: 'g' }),
      },
    },
  );

it('opens weekly hours with a minimum and says what that does, and takes it back', async () => {
  const sent: unknown[] = [];
  const user = show({ aulas: 8 }, sent);
  await screen.findByText(/^Vale para 8 sessões já agendadas e para as que vierem\./);
  await user.type(await screen.findByLabelText('Nome da turma'), 'Funcional');
  await user.selectOptions(await screen.findByLabelText('Mínimo para acontecer'), '3');
  await screen.findByText(/Com menos de 3 alunos 2 h antes, a sessão é cancelada sozinha, sem custo/);
  await user.click(await button('Abrir para alunos'));
  const { takeBack } = await offered();
  const set = { ...settings, minimo_alunos: 3 };
  expect(sent).toEqual([{ escopo: 'todas', aberta: true, ...set }, 'done']);
  await takeBack();
  expect(sent.at(-1)).toEqual({ escopo: 'todas', aberta: false, ...set, se_ainda: { aberta: true, ...set } });
});

it('closes an hour as it was set, and asks for a name before it opens one', async () => {
  const sent: unknown[] = [];
  let user = show({ so_esta: { aberta: true, ...settings } }, sent);
  await user.click(await button('Fechar turma'));
  expect((await said())[0]).toBe('Turma fechada para alunos');
  expect(sent).toEqual([{ escopo: 'so_esta', aberta: false, ...settings }, 'done']);
  user = show({}, sent);
  await user.click(await button('Abrir para alunos'));
  await screen.findByText('Dê um nome à turma');
  expect(sent).toHaveLength(2);
});

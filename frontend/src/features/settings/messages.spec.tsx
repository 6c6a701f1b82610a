import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { defaultSettings, type ShownSettings } from '../../../../backend/modules/settings/settings.api.js';
import { button, field, open, said, takeBack, TROUBLE } from '../../../spec/screen.js';
import { GoalsPage } from './goals-page.js';
import OnboardingDialog from './onboarding-dialog.js';
import { questions } from './questions.js';

const settings = {
  ...defaultSettings,
  moeda: 'BRL',
  fuso_horario: 'America/Sao_Paulo',
  completed_at: null,
} as ShownSettings;

it.each<[string, unknown, [string, string?]]>([
  ['are saved', { id: 'x' }, ['Configurações salvas']],
  ['cannot be saved', TROUBLE, ['Erro ao salvar', 'Não foi possível salvar as configurações.']],
])('settings %s', async (_, answer, words) => {
  const user = open(<GoalsPage advisor={null} />, {
    answers: { 'GET /settings': settings, 'PUT /settings': answer },
  });
  const goal = await field('Meta mensal');
  await user.clear(goal);
  await user.type(goal, '9000');
  await user.click(await button('Salvar'));
  expect(await said()).toEqual(words);
});

it('the undo of settings puts them back only while they stand', async () => {
  const sent: unknown[] = [];
  const user = open(<GoalsPage advisor={null} />, {
    answers: {
      'GET /settings': settings,
      'PUT /settings': (body: unknown) => sent.push(body) && { id: 'x' },
    },
  });
  const goal = await field('Meta mensal');
  await user.clear(goal);
  await user.type(goal, '9000');
  await user.click(await button('Salvar'));
  expect(await takeBack()).toBe('Configurações salvas');
  await waitFor(() => expect(sent).toHaveLength(2));
  const saved = { ...defaultSettings, meta_mensal: 900_000 };
  expect(sent).toEqual([saved, { ...defaultSettings, se_ainda: saved }]);
});

it.each([
  ['12,5', 'Informe um número inteiro'],
  ['doze', 'Informe um número'],
  ['-5', 'O valor mínimo é 0'],
  ['99999999999', 'O valor máximo é 100'],
])('a share of %s says "%s"', async (typed, words) => {
  const user = open(<GoalsPage advisor={null} />, { answers: { 'GET /settings': settings } });
  const share = await field('Imposto (%)');
  await user.clear(share);
  await user.type(share, typed);
  await user.click(await button('Salvar'));
  await screen.findByText(words);
});

it('choices of the onboarding fill its answer, and an amount that cannot be saved is refused at once', async () => {
  const nothing = () => undefined;
  localStorage.clear();
  const user = open(<OnboardingDialog onSaved={nothing} onClose={nothing} onSignOut={nothing} />, {
    answers: {},
  });
  await user.click(await button('Começar Configuração'));
  await user.type(await field(questions[0]!.text), '20{Enter}');
  await user.click(await button('Presencial'));
  await user.click(await button('Em dupla'));
  expect((await field(questions[1]!.text)).getAttribute('value')).toBe('Presencial, Em dupla');
  expect((await button('Em dupla')).getAttribute('aria-pressed')).toBe('true');
  await user.click(await button('Presencial'));
  await user.click(await button('Enviar'));
  const ticket = await field(questions[2]!.text);
  expect(screen.getByRole('log').textContent).toMatch(/Em dupla$/);
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Respostas' })).toBeNull());
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar' }).disabled).toBe(false),
  );
  await user.type(ticket, '200000 mil');
  await screen.findByText(/^R\$.200\.000\.000,00, certo\?$/);
  await user.type(ticket, '{Enter}');
  await screen.findByText('Use no máximo R$ 100.000.000,00');
});

it('the onboarding shows an error if its answers are not saved, and a success after the next attempt', async () => {
  const nothing = () => undefined;
  const answers: Record<string, unknown> = { 'POST /onboarding': TROUBLE };
  const user = open(<OnboardingDialog onSaved={nothing} onClose={nothing} onSignOut={nothing} />, {
    answers,
  });
  await user.click(await button('Começar Configuração'));
  const sent = { count: '20', money: '8k', text: 'online', list: 'pix' };
  for (const { text, kind } of questions) {
    const answer = await field(text);
    const keyboard = kind === 'count' ? 'numeric' : null;
    expect(answer.getAttribute('inputmode')).toBe(keyboard);
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar' }).disabled).toBe(false),
    );
    if (kind === 'yes-no') await user.click(await button('Sim'));
    else await user.type(answer, `${sent[kind]}{Enter}`);
  }
  // Less in a month than today: the last answer is sent by the second tap.
  await screen.findByText(/^R\$.1\.333,33 por mês, menos que os R\$.8\.000,00 de hoje\? Confira\.$/);
  await user.click(await button('Está certo'));
  expect(await said()).toEqual(['Erro ao salvar', 'Não foi possível salvar seu perfil. Tente novamente.']);
  answers['POST /onboarding'] = { id: 'x' };
  await user.click(await button('Salvar respostas'));
  expect(await said()).toEqual([
    'Onboarding concluído!',
    'Seu perfil financeiro foi configurado com sucesso.',
  ]);
});

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
  const user = open(<GoalsPage history={null} advisor={null} />, {
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
  const user = open(<GoalsPage history={null} advisor={null} />, {
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
  const user = open(<GoalsPage history={null} advisor={null} />, { answers: { 'GET /settings': settings } });
  const share = await field('Imposto (%)');
  await user.clear(share);
  await user.type(share, typed);
  await user.click(await button('Salvar'));
  await screen.findByText(words);
});

it('the onboarding shows an error if its answers are not saved, and a success after the next attempt', async () => {
  const nothing = () => undefined;
  const answers: Record<string, unknown> = { 'POST /onboarding': TROUBLE };
  const user = open(<OnboardingDialog onSaved={nothing} onClose={nothing} onSignOut={nothing} />, {
    answers,
  });
  await user.click(await button('Começar Configuração'));
  for (const { text, kind } of questions) {
    const answer = await field(text);
    const keyboard = kind === 'count' ? 'numeric' : kind === 'money' ? 'decimal' : null;
    expect(answer.getAttribute('inputmode')).toBe(keyboard);
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar' }).disabled).toBe(false),
    );
    await user.type(answer, `${kind === 'yes-no' ? 'sim' : '20'}{Enter}`);
  }
  expect(await said()).toEqual(['Erro ao salvar', 'Não foi possível salvar seu perfil. Tente novamente.']);
  answers['POST /onboarding'] = { id: 'x' };
  await user.click(await button('Salvar respostas'));
  expect(await said()).toEqual([
    'Onboarding concluído!',
    'Seu perfil financeiro foi configurado com sucesso.',
  ]);
});

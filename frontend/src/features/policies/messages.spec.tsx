import { expect, it } from '@jest/globals';
import type { Policy } from '../../../../backend/modules/policies/policies.api.js';
import { button, open, Refusal, said } from '../../../spec/screen.js';
import { EditPolicySheet } from './edit-policy-sheet.js';
import PoliciesPage from './policies-page.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a14';
const policy = {
  location_id: ID,
  location_nome: 'Academia',
  cancel_limite_horas: 24,
  taxa_percent: 0,
  queima_credito: false,
} as Policy;

it.each<[string, unknown, [string, string?]]>([
  ['is saved', { id: ID }, ['Política atualizada']],
  // Spec 2, section 8: a policy update error shows the error message.
  [
    'is refused with the message of the refusal',
    new Refusal(404, { code: 'locations.not_found', title: 'Local não encontrado' }),
    ['Local não encontrado'],
  ],
])('a policy %s', async (_, answer, words) => {
  const user = open(<EditPolicySheet policy={policy} onClose={() => undefined} />, {
    answers: {
      [`PUT /locations/${ID}/policy`]: answer,
      'GET /what-if/policy': { passado: { texto: 'Nada.' }, notas: [] },
    },
  });
  await user.click(await button('Salvar política'));
  expect(await said()).toEqual(words);
});

it('the address of editing opens the only policy', async () => {
  open(<PoliciesPage />, {
    answers: { 'GET /policies': { items: [policy], next: null } },
    at: '/ajustes/politicas?editar=',
  });
  expect(await button('Salvar política')).toBeDefined();
});

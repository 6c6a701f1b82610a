import { expect, it } from '@jest/globals';
import { trainerPages } from '../pages.js';
import { isForm } from './areas.js';

/** By what the paths of pages say: those that bring something new, and those that change one. */
const FORM = /\/(nov[oa]|edit\w*|importar|configuracoes|conta|seguranca)(\/|$)/;

it('quick actions are on no page that is a form', () => {
  const forms = Object.keys(trainerPages).filter((path) => FORM.test(path));
  expect(forms).toContain('/ajustes/contratos-termos/:id/editar');
  expect(forms.filter((path) => !isForm(path))).toEqual([]);
});

it.each(['/', '/agenda', '/alunos', '/alunos/:id', '/financeiro', '/planos', '/locais', '/cobrancas'])(
  'quick actions are on %s',
  (path) => expect(isForm(path)).toBe(false),
);

import { expect, it } from '@jest/globals';
import { trainerPages } from '../pages.js';
import { isForm } from './areas.js';

/** Pages with a form, recognised by their paths: for something new or for a change. */
const FORM = /\/(nov[oa]|edit\w*|importar|configuracoes|conta|seguranca)(\/|$)/;

it('pages with a form have no quick actions', () => {
  const forms = Object.keys(trainerPages).filter((path) => FORM.test(path));
  expect(forms).toContain('/ajustes/contratos-termos/:id/editar');
  expect(forms.filter((path) => !isForm(path))).toEqual([]);
});

it.each(['/', '/agenda', '/alunos', '/alunos/:id', '/financeiro', '/planos', '/locais', '/cobrancas'])(
  'quick actions are on %s',
  (path) => expect(isForm(path)).toBe(false),
);

import { expect, it, jest } from '@jest/globals';
import { consents, type Signable } from '../../../../backend/modules/contracts/contracts.api.js';

jest.unstable_mockModule('../../lib/owner.js', () => ({
  owner: () => ({ userId: 'user', tenantId: 'tenant', studentId: 'ana' }),
}));
const { field, open } = await import('../../../spec/screen.js');
const { SignForm } = await import('./sign-form.js');

it('the name is filled in, and what was typed is there on coming back, but no document and no agreement', async () => {
  const contract = {
    aluno: { nome: 'Ana Souza', whatsapp: null },
    codigo_email: null,
    responsavel: false,
    papel_responsavel: 'representa',
  } as Signable;
  const form = (
    <SignForm contract={contract} reader={{ as: 'student', id: 'one' }} isRead onCpf={() => undefined} />
  );
  const user = open(form);
  expect((await field('Nome completo do aluno *')).value).toBe('Ana Souza');
  await user.type(await field('Nome completo do aluno *'), ' Lima');
  await user.type(await field('Telefone *'), '11943214321');
  await user.type(await field('CPF do aluno *'), '52998224725');
  await user.type(await field('Nome completo do responsável *'), 'Marta Lima');
  await user.type(await field('CPF do responsável *'), '11144477735');
  await user.click(await field(consents.dados));
  expect(JSON.stringify([localStorage, sessionStorage])).not.toMatch(/529|111\.?444/);
  open(form, { again: true });
  for (const [label, value] of [
    ['Nome completo do aluno *', 'Ana Souza Lima'],
    ['Telefone *', '(11) 94321-4321'],
    ['CPF do aluno *', ''],
    ['Nome completo do responsável *', 'Marta Lima'],
    ['CPF do responsável *', ''],
  ] as const)
    expect([label, (await field(label)).value]).toEqual([label, value]);
  expect((await field(consents.dados)).checked).toBe(false);
});

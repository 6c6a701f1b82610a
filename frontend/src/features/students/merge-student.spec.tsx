import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { MergePreview } from '../../../../backend/modules/merging/merging.api.js';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { button, open, said, takeBack } from '../../../spec/screen.js';
import { MergeStudent } from './merge-student.js';

const [ANA, BIA, MERGE] = [1, 2, 3].map((n) => `7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a1${n}`) as [
  string,
  string,
  string,
];
const ana = { id: ANA, nome: 'Ana Souza', arquivado: false, juntados: [] } as unknown as KnownStudent;
const bia = { id: BIA, nome: 'Bia Lima', creditos: 3, arquivado: true, esquecido: false };

const preview: MergePreview = {
  fica: { id: ANA, nome: 'Ana Souza' },
  sai: { id: BIA, nome: 'Bia Lima' },
  impedimentos: [],
  dados: [{ campo: 'telefone', fica: '+5511943214321', outro: '+5521988887777' }],
  sessoes_futuras: 1,
  sessoes_passadas: 4,
  horarios_fixos: 0,
  saldo: 8,
  cobrancas_abertas: 1,
  valor_aberto: 12_000,
  recebido: 0,
  recibos: 0,
  contratos: 0,
  anotacoes: 0,
  mensalidade: null,
  creditos: [{ quantidade: 3, expira_em: '2090-01-10', reposicao: false }],
  acesso: [],
};

const answers = (announced: MergePreview, sent: (body: unknown) => unknown = () => ({ id: MERGE })) => ({
  'GET /sessions/recent-students': { items: [] },
  'GET /students': { items: [bia, ana], next: null, total: 2 },
  [`GET /students/${BIA}`]: bia,
  [`GET /students/${ANA}/merge`]: announced,
  [`POST /students/${ANA}/merge`]: sent,
  [`POST /student-merges/${MERGE}/undo`]: { id: BIA },
});

async function choose(announced: MergePreview, sent?: (body: unknown) => unknown) {
  const user = open(<MergeStudent student={ana} />, { answers: answers(announced, sent) });
  await user.click(await button('Mais opções'));
  await user.click(await screen.findByText('Juntar com outro cadastro'));
  await user.click(await button(/Bia Lima/));
  return user;
}

it('what passes is shown before two records are merged, which is undone from the toast', async () => {
  const sent = jest.fn((_body: unknown) => ({ id: MERGE }));
  const user = await choose(preview, sent);
  for (const text of ['1 a fazer, 4 passadas', '3 até 10/01/2090', '8 créditos', 'R$ 120,00 em 1 cobrança'])
    await screen.findByText((shown) => shown.replaceAll('\u00a0', ' ') === text);
  await screen.findByText('o outro tem (21) 98888-7777');
  expect(screen.queryByRole('button', { name: /Ana Souza/ })).toBeNull();
  await user.click(await button('Juntar'));
  expect(await takeBack()).toBe('Cadastros juntados');
  expect(sent.mock.calls).toEqual([[{ com: BIA }]]);
  expect(await said()).toEqual(['Junção desfeita']);
});

it('namesakes among the records are told apart by their phones', async () => {
  const [whatsapp, other] = ['+5511943214321', '+5521988887777'];
  const namesakes = [
    { ...bia, whatsapp },
    { ...bia, id: MERGE, nome: 'bia lima', whatsapp: null, telefone: other },
    { ...bia, id: 'x', nome: 'Caio Reis', whatsapp: other },
  ];
  const items = { items: namesakes, next: null, total: 3 };
  open(<MergeStudent student={ana} />, {
    answers: { ...answers(preview), 'GET /students': items },
    at: '/?juntar=',
  });
  await button(/Bia Lima.*\(11\) 94321-4321/);
  await button(/bia lima.*\(21\) 98888-7777/);
  expect((await button(/Caio Reis/)).textContent).not.toContain('98888');
});

it('an address opens it with the other record chosen', async () => {
  open(<MergeStudent student={ana} />, { answers: answers(preview), at: `/?juntar=${BIA}` });
  await screen.findByText('o outro tem (21) 98888-7777');
  expect((await button('Juntar')).hasAttribute('disabled')).toBe(false);
});

it('what stands in the way is said, and nothing can be merged', async () => {
  await choose({
    ...preview,
    impedimentos: ['Ana Souza e Bia Lima têm mensalidade: encerre uma das duas antes.'],
  });
  await screen.findByText('Ana Souza e Bia Lima têm mensalidade: encerre uma das duas antes.');
  expect((await button('Juntar')).hasAttribute('disabled')).toBe(true);
});

import { describe, expect, it } from '@jest/globals';
import { Menu } from '@mantine/core';
import { screen } from '@testing-library/react';
import type {
  BulkChange,
  ListedStudent,
  NewStudent,
  Student,
} from '../../../../backend/modules/students/students.api.js';
import { MAX_TAGS, studentErrors } from '../../../../backend/modules/students/students.api.js';
import { type Answers, button, field, open, Refusal, said, takeBack, TROUBLE } from '../../../spec/screen.js';
import type { UserEvent } from '@testing-library/user-event';
import EditStudentPage from './edit-student-page.js';
import NewStudentPage from './new-student-page.js';
import SelectStudents from './select-students.js';
import { StudentMenuItems } from './student-menu-items.js';
import { StudentsPage } from './students-page.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a11';
const ana = {
  id: ID,
  nome: 'Ana Souza',
  whatsapp: '+5511943214321',
  telefone: '+5511943214321',
  email: null,
  plano_id: null,
  plano: null,
  observacoes: null,
  creditos: 0,
  arquivado: false,
  esquecido: false,
  etiquetas: [],
  criado_em: '2026-11-02T12:00:00.000Z',
} satisfies Student;
const invited = { inviteUrl: 'https://rende.example/convite/x' };
const none = () => null;
const PLAN = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a33';
const plan = { id: PLAN, nome: 'Mensal 8', creditos: 8, valor: 48_000, tipo: 'mensal', is_active: true };
const plans = { 'GET /plans': { items: [plan] } };
const choose = async (user: UserEvent, name: string) => {
  const option = await screen.findByRole('option', { name: 'Mensal 8 - 8 créditos' });
  const [none] = screen.getAllByRole('option');
  await user.selectOptions(option.closest('select')!, name === 'Sem plano' ? none! : option);
};

async function register(answers: Answers) {
  const path = '/alunos/novo';
  const user = open(<NewStudentPage />, { answers, at: path, path });
  await user.type(await field('Nome completo *'), 'Ana Souza');
  await user.type(await field('WhatsApp *'), '11943214321');
  await user.click(await button('Cadastrar Aluno'));
  return user;
}

describe('a new student', () => {
  it('is registered, and the link is copied or sent', async () => {
    const user = await register({ 'POST /students': { id: ID }, 'POST /invites': invited });
    expect(await said()).toEqual(['Aluno criado']);
    await screen.findByText('Aluno cadastrado com sucesso!');
    await user.click(await button('Copiar Link'));
    expect(await said()).toEqual(['Link copiado para a área de transferência!']);
    await user.click(screen.getByRole('link', { name: 'Enviar WhatsApp' }));
    expect(await said()).toEqual(['Link de convite aberto no WhatsApp!']);
  });

  it('is registered even if the link cannot be made', async () => {
    await register({ 'POST /students': { id: ID }, 'POST /invites': TROUBLE });
    expect(await said()).toEqual(['Aluno criado']);
    expect(await said()).toEqual(['Erro', 'Não foi possível gerar o link de convite.']);
    await button('Gerar Link de Convite');
  });

  it('can be refused, and the form keeps its values', async () => {
    await register({ 'POST /students': TROUBLE });
    expect(await said()).toEqual(['Erro ao criar aluno', 'Ocorreu um erro inesperado.']);
    expect((await field('Nome completo *')).value).toBe('Ana Souza');
  });

  it('needs a name and a number', async () => {
    const user = open(<NewStudentPage />);
    await user.type(await field('Nome completo *'), 'A');
    await user.type(await field('WhatsApp *'), '119432');
    await user.click(await button('Cadastrar Aluno'));
    await screen.findByText('Nome deve ter pelo menos 2 caracteres');
    await screen.findByText('WhatsApp inválido');
  });
});

it('a monthly plan asks a new student for the start and the due day of its agreement', async () => {
  const sent: NewStudent[] = [];
  const answers = { 'POST /invites': invited, 'POST /students': (body: NewStudent) => sent.push(body) };
  const user = open(<NewStudentPage />, { answers: { ...plans, ...answers } });
  await user.type(await field('Nome completo *'), 'Ana Souza');
  await user.type(await field('WhatsApp *'), '11943214321');
  expect(screen.queryByLabelText('Dia do vencimento *')).toBeNull();
  await choose(user, 'Mensal 8');
  await screen.findByText('Mensalidade de R$ 480,00: a cobrança sai sozinha no dia 1 de cada mês, às 6:00.');
  await user.clear(await field('Mensalidade desde *'));
  await user.type(await field('Mensalidade desde *'), '01/12/2026');
  await user.clear(await field('Dia do vencimento *'));
  await user.type(await field('Dia do vencimento *'), '32');
  await user.click(await button('Cadastrar Aluno'));
  await screen.findByText('Use um dia de 1 a 31');
  await user.clear(await field('Dia do vencimento *'));
  await user.type(await field('Dia do vencimento *'), '10');
  await user.click(await button('Cadastrar Aluno'));
  expect(await said()).toEqual(['Aluno criado']);
  const mensalidade = { valor: 48_000, desde: '2026-12-01', ate: null, vence_dia: 10 };
  expect(sent).toMatchObject([{ plano_id: PLAN, mensalidade }]);
});

describe('an existing student', () => {
  const path = '/alunos/edit/:id';
  const edited = (answers: Answers) =>
    open(<EditStudentPage />, {
      answers: {
        'GET /access': { convite: null, conta: null, area: null },
        [`GET /students/${ID}`]: ana,
        ...answers,
      },
      at: `/alunos/edit/${ID}`,
      path,
    });

  it.each<[string, unknown, [string, string?]]>([
    ['is changed', { id: ID }, ['Aluno atualizado']],
    ['cannot be changed', TROUBLE, ['Erro ao atualizar aluno', 'Ocorreu um erro inesperado.']],
    [
      'is gone meanwhile',
      new Refusal(404, { code: 'students.not_found', title: studentErrors['students.not_found'].title }),
      ['Erro ao atualizar aluno', 'Aluno não encontrado'],
    ],
  ])('%s', async (_, answer, words) => {
    const user = edited({ [`PATCH /students/${ID}`]: answer });
    await user.type(await field('Nome completo *'), ' Lima');
    await user.click(await button('Salvar'));
    expect(await said()).toEqual(words);
  });

  it.each<[string, unknown, [string, string?]]>([
    ['is removed', { id: ID }, ['Aluno excluído', 'O aluno foi removido com sucesso.']],
    ['cannot be removed', TROUBLE, ['Erro ao excluir', 'Não foi possível excluir o aluno.']],
    [
      'has what belongs to it',
      new Refusal(409, { code: 'students.in_use', title: studentErrors['students.in_use'].title }),
      [
        'Erro ao excluir',
        'Não é possível remover o aluno: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
      ],
    ],
  ])('%s', async (_, answer, words) => {
    const user = edited({ [`DELETE /students/${ID}`]: answer });
    await user.click(await button('Excluir'));
    expect(await said()).toEqual(words);
  });

  it.each<[string, object | null, string, object, object]>([
    [
      'an agreement comes with a monthly plan, and goes with the undo',
      null,
      'Mensal 8',
      { plano_id: PLAN, mensalidade: { valor: 48_000, ate: null, vence_dia: 5 } },
      { plano_id: null, mensalidade: null, se_ainda: { plano_id: PLAN, mensalidade: { vence_dia: 5 } } },
    ],
    [
      'an agreement ends with its plan, and comes back with the undo',
      { plano_id: PLAN, valor: 40_000, desde: '2026-11-01', ate: null, vence_dia: 8 },
      'Sem plano',
      { plano_id: null },
      {
        plano_id: PLAN,
        mensalidade: { plano_id: PLAN, valor: 40_000, vence_dia: 8 },
        se_ainda: { plano_id: null, mensalidade: null },
      },
    ],
  ])('%s', async (_, mensalidade, choice, change, undo) => {
    const sent: unknown[] = [];
    const user = open(<EditStudentPage />, {
      answers: {
        ...plans,
        'GET /access': { convite: null, conta: null, area: null },
        [`GET /students/${ID}`]: { ...ana, plano_id: mensalidade && PLAN, mensalidade },
        [`PATCH /students/${ID}`]: (body: unknown) => sent.push(body),
      },
      at: `/alunos/edit/${ID}`,
      path,
    });
    await choose(user, choice);
    if (mensalidade) await screen.findByText(/A mensalidade de R\$ 400,00 é encerrada/);
    await user.click(await button('Salvar'));
    expect(await takeBack()).toBe('Aluno atualizado');
    expect(await said()).toEqual(['Alteração desfeita']);
    expect(sent).toMatchObject([change, undo]);
  });

  it('cannot be loaded', async () => {
    edited({ [`GET /students/${ID}`]: TROUBLE });
    await screen.findByText('Erro ao carregar aluno');
  });

  it('gets a link from the menu of the list', async () => {
    const user = open(
      <Menu opened>
        <Menu.Dropdown>
          <StudentMenuItems student={ana} renewItem={null} onRestore={() => undefined} />
        </Menu.Dropdown>
      </Menu>,
      { answers: { 'POST /invites': invited } },
    );
    await user.click(await screen.findByRole('menuitem', { name: 'Gerar Link de Convite' }));
    expect(await said()).toEqual(['Link copiado!', 'Envie o convite para Ana Souza.']);
  });
});

it('shows an error if the list of students cannot be loaded', async () => {
  open(<StudentsPage renew={none} renewItem={none} pending={none} />, {
    answers: { 'GET /students': TROUBLE },
  });
  await screen.findByText('Erro ao carregar alunos');
});

it('searches for what the address says', async () => {
  open(<StudentsPage renew={none} renewItem={none} pending={none} />, { at: '/alunos?busca=ana' });
  expect((await field('Buscar aluno')).value).toBe('ana');
  await screen.findByText('Nenhum resultado encontrado');
});

describe('several students', () => {
  const BIA = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a12';
  const listed: ListedStudent = { ...ana, proxima: null, ultima: null, divida: 0, pausado_ate: null };

  const selection = (
    students: ListedStudent[],
    total = students.length,
    standing: 'ativos' | 'arquivados' = 'ativos',
  ) => (
    <SelectStudents
      listed={students}
      total={total}
      lookedFor={{ q: '', standing }}
      onDone={() => undefined}
    />
  );

  it('are undone only for those who changed', async () => {
    const sent: unknown[] = [];
    const students = [listed, { ...listed, id: BIA, nome: 'Bia Lima' }];
    const user = open(selection(students), {
      answers: {
        'POST /students/bulk': (body: unknown) => {
          sent.push(body);
          return { alterados: [BIA] };
        },
      },
    });
    await user.click(await field('Marcar todos (2)'));
    await user.click(await button('Inativar'));
    expect(await takeBack()).toBe('1 aluno inativado');
    expect(await said()).toEqual(['Alteração desfeita']);
    expect(sent).toEqual([
      { acao: 'inativar', ids: [ID, BIA] },
      { acao: 'reativar', ids: [BIA] },
    ]);
  });

  it('get one message, with the first name of each', async () => {
    const user = open(selection([listed, { ...listed, id: BIA, nome: 'Bia Lima' }]));
    await user.click(await field('Marcar todos (2)'));
    await user.click(await button('Mensagem'));
    const text = await field('Mensagem');
    await user.clear(text);
    await user.type(text, '{{nome}, amanhã não tem treino.');
    for (const name of ['Ana', 'Bia']) await screen.findByText(`${name}, amanhã não tem treino.`);
    const links = screen.getAllByRole('link').map((link) => decodeURIComponent(link.getAttribute('href')!));
    expect(links).toContain('https://wa.me/5511943214321?text=Bia, amanhã não tem treino.');
  });

  it('come back once it was said what goes with it', async () => {
    const sent: unknown[] = [];
    const students = [listed, { ...listed, id: BIA, nome: 'Bia Lima' }];
    const user = open(selection(students, 2, 'arquivados'), {
      answers: {
        [`GET /students/${ID}/restore/preview`]: { efeitos: ['Ana volta', 'a mensalidade volta'] },
        [`GET /students/${BIA}/restore/preview`]: { efeitos: ['Bia volta'] },
        'POST /students/bulk': (body: unknown) => {
          sent.push(body);
          return { alterados: [ID, BIA] };
        },
      },
    });
    await user.click(await field('Marcar todos (2)'));
    await user.click(await button('Reativar'));
    await screen.findByText('Ana Souza: a mensalidade volta');
    await screen.findByText('Bia volta');
    expect(sent).toEqual([]);
    await user.click(await button('Reativar 2 alunos'));
    expect(await said()).toEqual(['2 alunos reativados']);
    expect(sent).toEqual([{ acao: 'reativar', ids: [ID, BIA] }]);
  });

  it('include all who match, even if the list is not completely loaded, and change in portions', async () => {
    const students = Array.from({ length: 230 }, (_, at) => ({
      ...listed,
      id: `7b0a3a52-9d0b-4a39-8a3a-${String(at).padStart(12, '0')}`,
      nome: `Aluno ${at}`,
    }));
    const sent: number[] = [];
    const user = open(selection(students.slice(0, 50), students.length), {
      answers: {
        'GET /students': { items: students, next: null, total: students.length },
        'POST /students/bulk': ({ ids }: BulkChange) => {
          sent.push(ids.length);
          return { alterados: ids };
        },
      },
    });
    await user.click(await field('Marcar todos (230)'));
    await screen.findByText('230 marcados');
    await user.click(await field('Aluno 7'));
    await screen.findByText('229 marcados');
    await user.click(await button('Inativar'));
    expect(await takeBack()).toBe('229 alunos inativados');
    expect(await said()).toEqual(['Alteração desfeita']);
    expect(sent).toEqual([100, 100, 29, 100, 100, 29]);
  });

  it('are undone as far as they changed, if a portion fails', async () => {
    const students = Array.from({ length: 130 }, (_, at) => ({
      ...listed,
      id: `7b0a3a52-9d0b-4a39-8a3a-${String(at).padStart(12, '0')}`,
      nome: `Aluno ${at}`,
    }));
    const sent: [string, number][] = [];
    const user = open(selection(students), {
      answers: {
        'POST /students/bulk': ({ acao, ids }: BulkChange) => {
          sent.push([acao, ids.length]);
          return ids.length < 100 ? TROUBLE : { alterados: ids };
        },
      },
    });
    await user.click(await field('Marcar todos (130)'));
    await user.click(await button('Inativar'));
    expect(await takeBack()).toBe('Erro ao atualizar alunos');
    expect(await said()).toEqual(['Alteração desfeita']);
    await screen.findByText('30 marcados');
    expect(sent).toEqual([
      ['inativar', 100],
      ['inativar', 30],
      ['reativar', 100],
    ]);
  });

  it.each([
    ['have it', ['Corrida'], 'Todos já estavam assim.'],
    [
      'have the most there may be',
      Array.from({ length: MAX_TAGS }, (_, at) => `Etiqueta ${at}`),
      'Quem ainda não tem esta etiqueta já tem 10, o máximo por aluno.',
    ],
  ])('get no tag if they %s', async (_, etiquetas, why) => {
    const user = open(selection([{ ...listed, etiquetas }]), {
      answers: { 'GET /students/tags': { items: [] }, 'POST /students/bulk': { alterados: [] } },
    });
    await user.click(await field('Ana Souza'));
    await user.click(await button('Etiquetar'));
    await user.type(await field('Nova etiqueta'), 'corrida{Enter}');
    expect(await said()).toEqual(['Nenhum aluno mudou', why]);
  });
});

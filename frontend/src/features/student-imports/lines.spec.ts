import { describe, expect, it } from '@jest/globals';
import '../../../../backend/modules/students/phone-abroad.api.js';
import { birthOfCell, creditsOf, dayOfCell, phonesOf, standingOf } from './cells.js';
import { tableOf } from './columns.js';
import {
  IMPORT_BYTES,
  IMPORT_VALUES,
} from '../../../../backend/modules/student-imports/student-imports.api.js';
import { importIdOf, type PreviewLine, portionsOf, previewOf, unknownPlans } from './lines.js';

const PLAN = '1f2b7a52-44ab-4a50-8a0b-3f6d9bb4e0f2';
const fieldsOf = (...rows: string[][]) => tableOf(rows, ['Pacote 10']).columns.map(({ field }) => field);

describe('the field of a column', () => {
  it.each([
    [['Aluno', 'Celular', 'E-MAIL', 'Pacote', 'Saldo de aulas', 'Vencimento', 'Obs.', 'Status']],
    [['NOME COMPLETO', 'WhatsApp', 'email', 'Plano', 'Créditos', 'Válido até', 'Anotações', 'Situação']],
  ])('is recognised by its title: %j', (header) => {
    expect(fieldsOf(header, [])).toEqual([
      'nome',
      'whatsapp',
      'email',
      'plano',
      'creditos',
      'validade',
      'observacoes',
      'situacao',
    ]);
  });

  it('is the CPF if the title says so, even if the content looks like phones', () => {
    const rows = [
      ['Nome', 'CPF'],
      ['Ana', '11943214321'],
    ];
    expect(fieldsOf(...rows)).toEqual(['nome', 'cpf']);
    expect(fieldsOf(['Nome', 'WhatsApp', 'CPF do responsável'], [])).toEqual(['nome', 'whatsapp', null]);
  });

  it.each([
    [['10', 'dia 5', 'Todo dia 31'], 'vence_dia'],
    [['31/12/2030', '47848', ''], 'validade'],
    [[''], 'validade'],
  ])('is the day of payment if the cells of "Vencimento" are days of the month: %j is %j', (cells, field) => {
    const rows = cells.map((cell) => ['Ana', '11943214321', cell]);
    expect(fieldsOf(['Nome', 'WhatsApp', 'Vencimento'], ...rows)[2]).toBe(field);
  });

  it('is recognised by titles about other people', () => {
    expect(
      fieldsOf([
        'Nome',
        'Celular',
        'Dt. Nasc.',
        'Contato de emergência',
        'Telefone de emergência',
        'Responsável',
        'Tags',
      ]),
    ).toEqual([
      'nome',
      'whatsapp',
      'nascimento',
      'emergencia_nome',
      'emergencia_telefone',
      'responsavel_nome',
      'etiquetas',
    ]);
  });

  it('is recognised by the titles of Google’s exported address book', () => {
    const contact = ['E-mail 1 - Label', 'E-mail 1 - Value', 'Phone 1 - Label', 'Phone 1 - Value'];
    expect(
      fieldsOf(['First Name', 'Middle Name', 'Last Name', 'Notes', ...contact, 'Phone 2 - Value']),
    ).toEqual([
      'nome',
      'nome_do_meio',
      'sobrenome',
      'observacoes',
      null,
      'email',
      null,
      'whatsapp',
      'telefone',
    ]);
    expect(fieldsOf(['Name', 'Given Name', 'Family Name', 'E-mail 1 - Type', 'E-mail 1 - Value'])).toEqual([
      'nome',
      null,
      null,
      null,
      'email',
    ]);
  });

  it('is recognised below a title of the sheet, each field once', () => {
    const table = tableOf(
      [
        ['Meus alunos de 2026', '', ''],
        ['Nome', 'Telefone', 'Nome'],
        ['Ana', '1', 'x'],
      ],
      [],
    );
    expect(table.columns.map(({ field }) => field)).toEqual(['nome', 'telefone', null]);
    expect(table.rows).toEqual([['Ana', '1', 'x']]);
  });

  it('is recognised by its content if there are no titles', () => {
    const rows = [
      ['1', 'Ana Souza', '11 94321-4321', 'Pacote 10', 'ana@exemplo.com.br'],
      ['2', 'Bia Lima', '(21) 98765-4321', 'pacote 10'],
    ];
    const table = tableOf(rows, ['Pacote 10']);
    expect(table.columns.map(({ field }) => field)).toEqual([null, 'nome', 'whatsapp', 'plano', 'email']);
    expect(table.columns[1]).toMatchObject({ title: 'Coluna 2' });
    expect(table.rows).toHaveLength(2);
  });
});

describe('a cell', () => {
  it.each([
    ['(11) 94321-4321', '', '+5511943214321'],
    ['011 94321-4321', '', '+5511943214321'],
    ['(011) 94321-4321', '', '+5511943214321'],
    ['0xx11 94321-4321', '', '+5511943214321'],
    ['55 11 94321-4321', '', '+5511943214321'],
    ['94321-4321', '11', '+5511943214321'],
    ['3333-4444 / 94321-4321', '21', '+552133334444', '+5521943214321'],
    ['011 94321-4321 ::: 11 3265-4321', '', '+5511943214321', '+551132654321'],
    ['ver no grupo; 11943214321', '', '+5511943214321'],
    ['+351 912 345 678 / 94321-4321', '11', '+351912345678', '+5511943214321'],
    ['94321-4321', ''],
    ['1,432123E+10', '11'],
  ])('with the phone %j (area %j) is %j', (cell, ddd, ...phones) => {
    expect(phonesOf(cell, ddd)).toEqual(phones);
  });

  it.each([
    ['31/12/2030', '2030-12-31'],
    ['1/2/30', '2030-02-01'],
    ['2030-12-31T00:00:00', '2030-12-31'],
    ['47848', '2030-12-31'],
    ['31.12.2030', '2030-12-31'],
    ['31/02/2030', null],
    ['logo', null],
  ])('with the day %j is %j', (cell, day) => {
    expect(dayOfCell(cell)).toBe(day);
  });

  it.each([
    ['17/05/85', '1985-05-17'],
    ['17/05/12', '2012-05-17'],
    ['29/02/1940', '1940-02-29'],
    ['1990-05-17', '1990-05-17'],
    ['14670', '1940-02-29'],
    ['maio', null],
  ])('with the birth %j is %j', (cell, day) => {
    expect(birthOfCell(cell, '2026-11-23')).toBe(day);
  });

  it.each([
    ['8', '', [{ quantidade: 8, expira_em: null }]],
    ['8,0', '31/12/2030', [{ quantidade: 8, expira_em: '2030-12-31' }]],
    ['8 créditos', '', [{ quantidade: 8, expira_em: null }]],
    [
      '8 até 31/12/2030 + 2',
      '',
      [
        { quantidade: 8, expira_em: '2030-12-31' },
        { quantidade: 2, expira_em: null },
      ],
    ],
    ['0', '', []],
    ['', '', []],
    ['8/10', '', null],
    ['-3', '', null],
    ['8', 'logo', null],
    ['R$ 1.234,56', '', null],
  ])('with the credits %j until %j is %j', (cell, until, lots) => {
    expect(creditsOf(cell, until)).toEqual(lots);
  });

  it.each([
    ['', 'ativo'],
    ['Sim', 'ativo'],
    ['Inativo', 'inativo'],
    ['não', 'inativo'],
    ['excluido', 'excluido'],
  ])('with the status %j is %j', (cell, standing) => {
    expect(standingOf(cell)).toBe(standing);
  });
});

const preview = (rows: string[][], around: Partial<Parameters<typeof previewOf>[1]> = {}): PreviewLine[] =>
  previewOf(tableOf(rows, ['Pacote 10']), {
    ddd: '',
    plans: new Map([['pacote 10', PLAN]]),
    chosen: {},
    known: new Map(),
    today: '2030-06-01',
    monthly: new Map<string, number>(),
    agreed: { desde: '2030-06-01', vence_dia: 5 },
    ...around,
  });

describe('a line', () => {
  it('becomes a student with plan and credits', () => {
    const [line] = preview([
      ['Nome', 'Sobrenome', 'WhatsApp', 'Email', 'Plano', 'Créditos', 'Validade', 'Obs', 'Situação'],
      [
        'Ana',
        'Souza',
        '11943214321',
        'Ana@Exemplo.com.br',
        'PACOTE 10',
        '8',
        '31/12/2030',
        'manhãs',
        'inativa',
      ],
    ]);
    expect(line).toMatchObject({ linha: 1, nome: 'Ana Souza', errors: [], double: null });
    expect(line!.body).toEqual({
      linha: 1,
      aluno: {
        nome: 'Ana Souza',
        whatsapp: '+5511943214321',
        email: 'ana@exemplo.com.br',
        plano_id: PLAN,
        observacoes: 'manhãs',
      },
      inativo: true,
      saldo: [{ quantidade: 8, expira_em: '2030-12-31' }],
    });
  });

  it('of Google’s address book keeps what a student has no second field for in the notes', () => {
    const [ana, bia] = preview([
      ['First Name', 'Middle Name', 'Last Name', 'Labels', 'Notes', 'Birthday', 'E-mail 1 - Label'].concat([
        'E-mail 1 - Value',
        'Phone 1 - Label',
        'Phone 1 - Value',
      ]),
      ['Ana', 'Maria', 'Souza', '* myContacts ::: Manhã', 'Joelho', '--05-17', '* '].concat([
        'ana@x.com ::: a@y.com',
        'Mobile',
        '+55 11 98765-7777',
      ]),
      ['Bia', '', 'Lima', '* myContacts', '', '', '', '', 'Mobile', '011 98765-7778 ::: 11 3265-4321'],
    ]);
    expect(ana).toMatchObject({ nome: 'Ana Maria Souza', errors: [] });
    expect(ana!.body).toMatchObject({
      aluno: {
        email: 'ana@x.com',
        whatsapp: '+5511987657777',
        observacoes: 'Joelho\nOutro e-mail: a@y.com\nAniversário: 17/05',
      },
      etiquetas: ['Manhã'],
    });
    expect(bia!.body).toMatchObject({
      aluno: { whatsapp: '+5511987657778', observacoes: 'Outro telefone: (11) 3265-4321' },
    });
    expect(bia!.body).not.toHaveProperty('etiquetas');
  });

  it('has the numbers of a spreadsheet that writes them with a fraction', () => {
    const [line] = preview([
      ['Nome', 'Celular', 'Nascimento', 'Créditos', 'CPF'],
      ['Ana', '11987654321.0', '14670.0', '8.0', '52998224725.0'],
    ]);
    expect(line!.body).toMatchObject({
      aluno: { whatsapp: '+5511987654321', nascimento: '1940-02-29', cpf: '52998224725' },
      saldo: [{ quantidade: 8 }],
    });
  });

  it.each([
    [{ WhatsApp: '123' }, ['WhatsApp inválido: 123']],
    [{ WhatsApp: '11 8765-4321' }, ['Faltou o 9? (11) 98765-4321: 11 8765-4321']],
    [{ WhatsApp: '+351 912' }, ['Confira o número (Portugal): faltam dígitos: +351 912']],
    [{ WhatsApp: '' }, ['Informe o WhatsApp com DDD']],
    [{ Nome: 'A' }, ['Nome deve ter pelo menos 2 caracteres']],
    [{ Créditos: 'muitos' }, ['Créditos não reconhecidos: muitos']],
    [{ Créditos: '8', Validade: '31/05/2030' }, ['A validade dos créditos já passou']],
    [{ Situação: 'excluido' }, ['Aluno excluído']],
  ])('with %j shows what is wrong', (wrong, errors) => {
    const right = {
      Nome: 'Ana',
      WhatsApp: '11943214321',
      Email: '',
      Créditos: '',
      Validade: '',
      Situação: '',
    };
    const cells = { ...right, ...wrong };
    const [line] = preview([Object.keys(cells), Object.values(cells)]);
    expect(line).toMatchObject({ errors, body: null });
  });

  it('is imported without what is wrong in cells that a student can do without, which go into the notes', () => {
    const [line] = preview([
      ['Nome', 'WhatsApp', 'Email', 'Nascimento', 'CPF', 'Telefone de emergência', 'Telefone do responsável'],
      ['Ana', '11943214321', 'ana@', 'maio', '111.111.111-11', '123', '456'],
    ]);
    expect(line!.errors).toEqual([]);
    const cells = ['111.111.111-11', '123', '456', 'ana@', 'maio'];
    expect(line!.wrong.map(({ cell }) => cell).toSorted()).toEqual(cells);
    expect(line!.noted).toContain('E-mail vai para as observações: ana@');
    expect(line!.body!.aluno.observacoes!.split('\n').toSorted()).toEqual([
      'CPF: 111.111.111-11',
      'Data de nascimento: maio',
      'E-mail: ana@',
      'Telefone de emergência: 123',
      'Telefone do responsável: 456',
    ]);
    const [late] = preview([
      ['Nome', 'WhatsApp', 'Nascimento'],
      ['Ana', '11943214321', '31/12/2099'],
    ]);
    expect(late!.body!.aluno).toMatchObject({ nome: 'Ana', observacoes: 'Data de nascimento: 31/12/2099' });
  });

  it('has the agreed price of a monthly plan, in the formats of sheets', () => {
    const priced = (cells: object, monthly = [PLAN]) => {
      const right = { Nome: 'Ana', WhatsApp: '11943214321', Plano: 'Pacote 10' };
      const all = { ...right, ...cells };
      const [line] = preview([Object.keys(all), Object.values(all)], {
        monthly: new Map(monthly.map((id) => [id, 40_000])),
      });
      return line!.body ? [line!.body.mensalidade, line!.facts.at(-1)] : line!.errors;
    };
    const agreed = { valor: 123_456, desde: '2030-06-01', ate: null, vence_dia: 5 };
    expect(priced({ Mensalidade: 'R$ 1.234,56' })).toEqual([agreed, 'mensalidade R$\u00a01.234,56']);
    expect(priced({ Valor: '1234.56', Validade: '' })).toEqual([agreed, 'mensalidade R$\u00a01.234,56']);
    const days = { 'Início do plano': '47484', 'Fim do plano': '31/12/30', 'Dia do pagamento': 'dia 10' };
    expect(priced({ 'Valor mensal (R$)': '1.234,56', ...days })[0]).toEqual({
      ...agreed,
      desde: '2030-01-01',
      ate: '2030-12-31',
      vence_dia: 10,
    });
    expect(priced({ Mensalidade: '0' })).toEqual([undefined, 'Pacote 10']);
    expect(priced({ Mensalidade: '300' }, [])).toEqual([
      undefined,
      'valor fica de fora: o plano não é mensal',
    ]);
    expect(priced({ Mensalidade: '300', Plano: 'Mensal 2x' })).toEqual([
      undefined,
      'valor fica de fora: escolha um plano mensal',
    ]);
    expect(priced({ Mensalidade: '1,234' })).toEqual(['Valor não reconhecido: 1,234']);
    expect(priced({ Mensalidade: '300', 'Início do plano': 'logo' })).toEqual([
      'Data da mensalidade não reconhecida: logo',
    ]);
    expect(priced({ Mensalidade: '300', 'Dia do pagamento': '32' })).toEqual(['Use um dia de 1 a 31']);
    const other = { Plano: '', Mensalidade: '1.234,56', 'Plano da mensalidade': 'pacote 10' };
    expect(priced(other)).toEqual([
      { ...agreed, plano_id: PLAN },
      'mensalidade R$\u00a01.234,56 do plano pacote 10',
    ]);
    expect(priced({ ...other, Plano: 'Pacote 10' })[0]).toEqual(agreed);
    const atPlan = { ...agreed, valor: 40_000 };
    expect(priced({})).toEqual([atPlan, 'mensalidade R$\u00a0400,00']);
    expect(priced({ 'Dia do pagamento': '10' })[0]).toEqual({ ...atPlan, vence_dia: 10 });
    expect(priced({ Situação: 'inativo' })).toEqual([undefined, 'Pacote 10']);
  });

  it('names who has the same phone: a student or an earlier line', () => {
    const known = { id: 'caio', nome: 'Caio Lima', arquivado: false };
    const lines = preview(
      [
        ['Nome', 'WhatsApp'],
        ['Ana', '11943214321'],
        ['Bia', '(11) 94321-4321'],
        ['Caio', '21987654321'],
      ],
      {
        known: new Map([['+5521987654321', known]]),
      },
    );
    const same = 'WhatsApp';
    expect(lines.map(({ double }) => double)).toEqual([
      null,
      { same, as: 'Ana (linha 1)' },
      { same, as: 'Caio Lima', known },
    ]);
  });

  it('names the earlier line with the same CPF, even without leading zeros; invalid CPFs are not compared', () => {
    const lines = preview([
      ['Nome', 'WhatsApp', 'CPF'],
      ['Ana', '11943214321', '012.345.678-90'],
      ['Ana Souza', '11943214322', '1234567890'],
      ['Bia', '11943214323', '000.000.000-00'],
      ['Caio', '11943214324', '000.000.000-00'],
      ['Ana', '11943214321', '012.345.678-90'],
    ]);
    const as = 'Ana (linha 1)';
    expect(lines.map(({ double }) => double)).toEqual([
      null,
      { same: 'CPF', as },
      null,
      null,
      { same: 'WhatsApp', as },
    ]);
  });

  it('has the plan that was chosen for an unknown plan name', () => {
    const rows = [
      ['Nome', 'WhatsApp', 'Plano'],
      ['Ana', '11943214321', 'Ouro'],
      ['Bia', '11943214322', 'ouro'],
      ['Caio', '11943214323', 'pacote 10'],
    ];
    expect(unknownPlans(tableOf(rows, []), new Map([['pacote 10', PLAN]]))).toEqual(['Ouro']);
    const plans = (chosen: Record<string, string>) =>
      preview(rows, { chosen }).map(({ body }) => body!.aluno.plano_id);
    expect(plans({})).toEqual([null, null, PLAN]);
    expect(plans({ ouro: PLAN })).toEqual([PLAN, PLAN, PLAN]);
    const agreed = tableOf(
      [
        [...rows[0]!, 'mensalidade_plano'],
        [...rows[3]!, 'Prata'],
      ],
      [],
    );
    expect(unknownPlans(agreed, new Map([['pacote 10', PLAN]]))).toEqual(['Prata']);
  });
});

describe('sending', () => {
  const bodies = (count: number, observacoes = 'x') =>
    preview([
      ['Nome', 'WhatsApp', 'Obs'],
      ...Array.from({ length: count }, (_, n) => ['Ana', `119${10_000_000 + n}`, observacoes]),
    ]).flatMap(({ body }) => body ?? []);

  it('happens in portions that fit into a request, each line once and in order', () => {
    const all = bodies(120);
    expect(portionsOf(all).map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(portionsOf(all).flat()).toEqual(all);
    for (const notes of ['é'.repeat(2000), '{'.repeat(200)])
      for (const linhas of portionsOf(bodies(240, notes))) {
        expect(Buffer.byteLength(JSON.stringify({ linhas }))).toBeLessThan(IMPORT_BYTES);
        const bare = JSON.stringify({ linhas }, (_, value: unknown) =>
          typeof value === 'string' ? '' : value,
        );
        expect(bare.match(/[,{[]/g)!.length).toBeLessThan(IMPORT_VALUES);
      }
    expect(portionsOf([])).toEqual([]);
  });

  it('uses an id derived from the lines and the attempt', () => {
    const ids = [bodies(2), bodies(3)].flatMap((lines) =>
      [0, 1].map((attempt) => importIdOf(lines, attempt)),
    );
    expect(new Set(ids).size).toBe(4);
    expect(importIdOf(bodies(2), 0)).toBe(ids[0]);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });
});

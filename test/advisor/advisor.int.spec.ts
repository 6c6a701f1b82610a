import { describe, expect, it } from '@jest/globals';
import { addDays } from 'date-fns';
import { BY_TENANT } from '../../backend/modules/advisor/advisor.controller.js';
import { RateLimits } from '../../backend/platform/http/rate-limit.js';
import { brl } from '../../backend/platform/portuguese.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { ask, told, user } from './asking.js';
import { live, sums } from './business.js';

const database = await testDatabase();
const app = await sharedApp(new SetClock(new Date('2026-11-21T12:00:00Z')));
const trainer = await signUp(app);
const { ana, bia } = await live(trainer);
await caughtUp(database);

const sumsOf = (mes: string) => sums(database, trainer, mes);
const month = (mes: string, figura: string) => `/financeiro?mes=${mes}&figura=${figura}`;

describe('the answer to a question', () => {
  it("arrives word by word, as a stream in OpenAI's format, and its figures link to the pages that count them", async () => {
    const { recebido } = await sumsOf('2026-11');
    const answer = await trainer.api.request<string>('POST', '/api/v1/financial-advisor', {
      body: { messages: [user('quanto recebi esse mês?')] },
      idempotencyKey: null,
    });
    expect(answer.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const { text, figures, pieces } = told(answer.body);
    expect(text).toBe(
      `Em novembro, você recebeu ${brl(recebido)} em 4 receitas. O previsto para o mês é ${brl(43_000)}.`,
    );
    expect(figures[0]).toEqual({ text: brl(recebido), fonte: month('2026-11', 'recebido') });
    expect(pieces).toBeGreaterThan(10);
  });

  it('about days and weeks is their sum in the log, with the page of their lines', async () => {
    const link = (figura: string, de: string, ate: string, part = '') =>
      `/financeiro?mes=${ate.slice(0, 7)}&figura=${figura}&de=${de}&ate=${ate}${part}`;
    const expected: [
      question: string,
      text: string,
      fonte: string,
      figura: string,
      de: string,
      ate: string,
    ][] = [
      ['quanto recebi hoje?', 'Hoje, você recebeu R$.', '', 'recebido', '2026-11-21', '2026-11-21'],
      ['quanto recebi dia 2?', 'Em 02/11, você recebeu R$.', '', 'recebido', '2026-11-02', '2026-11-02'],
      [
        'quanto gastei essa semana',
        'Nesta semana, as despesas somam R$.',
        '',
        'despesas',
        '2026-11-15',
        '2026-11-21',
      ],
      [
        ...([
          'quanto recebi de 2 a 4 de outubro?',
          'De 02/10 a 04/10, você recebeu R$.',
          '',
          'recebido',
        ] as const),
        ...(['2026-10-02', '2026-10-04'] as const),
      ],
      [
        ...([
          'quanto entrou no pix de 2 a 4 de outubro?',
          'De 02/10 a 04/10, você recebeu R$ em Pix.',
        ] as const),
        ...(['&meio=pix', 'recebido', '2026-10-02', '2026-10-04'] as const),
      ],
      [
        ...([
          'quanto a Ana pagou dia 3 de outubro?',
          'Ana Souza pagou R$ em 03/10.',
          `&aluno=${ana}`,
        ] as const),
        ...(['recebido', '2026-10-03', '2026-10-03'] as const),
      ],
      [
        ...([
          'quanto era de imposto de 1 a 2 de outubro?',
          'Separe R$ de imposto do que você recebeu de 01/10 a 02/10.',
        ] as const),
        ...(['', 'imposto', '2026-10-01', '2026-10-02'] as const),
      ],
    ];
    for (const [question, words, part, figura, de, ate] of expected) {
      const { recebido, despesas, imposto } = await sums(
        database,
        trainer,
        (data) => de <= data && data <= ate,
      );
      const amount = brl({ recebido, despesas, imposto }[figura]!);
      const { text, figures } = await ask(trainer.api, question);
      expect([question, text]).toEqual([question, words.replace('R$', amount)]);
      expect(figures).toContainEqual({ text: amount, fonte: link(figura, de, ate, part) });
    }
    const due = await ask(trainer.api, 'quanto vou receber semana que vem?');
    expect(due.text).toBe('De 22/11 a 28/11, o previsto é R$\u00a0180,00.');
    expect(due.figures).toEqual([
      { text: 'R$\u00a0180,00', fonte: link('previsto', '2026-11-22', '2026-11-28') },
    ]);
    expect((await ask(trainer.api, 'compare 1 a 3 de outubro com 1 a 3 de novembro')).text).toMatch(
      /^De 01\/10 a 03\/10 → de 01\/11 a 03\/11:\n• Recebido: R\$\u00a0[\d.,]+ → R\$\u00a0/,
    );
  });

  it('about old debts counts only those as old as asked', async () => {
    const { api } = await signUp(app);
    const { student } = agendaOf(api);
    const [carla, davi] = [await student('Carla Nunes'), await student('Davi Reis')];
    for (const [student_id, valor, vencimento] of [
      [carla, 10_000, '2026-09-10'],
      [carla, 20_000, '2026-11-10'],
      [davi, 40_000, '2026-10-22'],
    ] as const)
      await api.post('/charges', { student_id, descricao: 'Pacote', valor, vencimento });
    await caughtUp(database);
    const { text, figures } = await ask(api, 'quem está atrasado há mais de um mês?');
    expect(text).toBe(
      'Em atraso há 31 dias ou mais, são R$\u00a0100,00:\n• Carla Nunes: R$\u00a0100,00, desde 10/09',
    );
    expect(figures.map(({ fonte }) => fonte)).toEqual(['/cobrancas', ...Array(3).fill(`/alunos/${carla}`)]);
    expect((await ask(api, 'quem deve há 30 dias?')).text).toMatch(
      /^Em atraso há 30 dias ou mais, são R\$\u00a0500,00:/,
    );
    expect((await ask(api, 'quem deve há mais de 90 dias?')).text).toBe(
      'Ninguém está em atraso há 91 dias ou mais.',
    );
  });

  it('is one for each question of the message', async () => {
    const { recebido, despesas } = await sumsOf('2026-10');
    const { text } = await ask(trainer.api, 'quanto recebi em outubro e quanto gastei?');
    expect(text).toBe(
      `Em outubro, você recebeu ${brl(recebido)} em 4 receitas.\n\nEm outubro, as despesas somaram ${brl(despesas)}.`,
    );
  });

  it('continues from the previous question', async () => {
    const { despesas } = await sumsOf('2026-09');
    const { text } = await ask(trainer.api, 'quanto gastei em outubro?', 'e em setembro?');
    expect(text).toBe(`Em setembro, as despesas somaram ${brl(despesas)}.`);
    expect((await ask(trainer.api, 'quanto gastei em outubro?', 'e ontem?')).text).toBe(
      'Ontem, as despesas somaram R$\u00a00,00.',
    );
    const taxes = ['quanto paguei de imposto este mês?', 'e em setembro?'];
    expect((await ask(trainer.api, ...taxes)).text).toBe(
      'Em setembro, não há despesas da categoria Impostos.',
    );
    const { recebido } = await sumsOf('2026-10');
    const paid = await ask(trainer.api, 'quem já pagou?', 'e mês passado?');
    expect(paid.text).toBe(`Em outubro, 1 aluno pagou:\n• Ana Souza: ${brl(recebido)}`);
  });

  it('waits for what its caller has just written', async () => {
    const other = await signUp(app);
    expect((await ask(other.api, 'quanto guardar?')).text).toBe(
      'Ainda não há dados de recebimento este mês.',
    );
    await other.api.post('/transactions', {
      tipo: 'receita',
      descricao: 'x',
      valor: 100_000,
      metodo_pagamento: 'pix',
      data: '2026-11-20',
    });
    const asked = () =>
      other.api.post<string>(
        '/financial-advisor',
        { messages: [user('quanto guardar?')] },
        { headers: { 'Rende-After': String(Math.max(...other.positions.values())) } },
      );
    let answer = await asked();
    while (answer.headers.get('Rende-Stale') === 'true') answer = await asked();
    expect(told(answer.body).text).toBe(
      'Guarde R$\u00a0200,00: 20% dos R$\u00a01.000,00 recebidos em novembro.',
    );
  });

  it('lists what the advisor can do if no figure supports an answer', async () => {
    for (const question of [
      'qual a capital da França?',
      'devo comprar bitcoin?',
      '<script>alert(1)</script>',
    ]) {
      const { text, figures, exemplos, ato } = await ask(trainer.api, question);
      expect(text).toMatch(/^Isso eu não sei responder\./);
      expect([figures, ato]).toEqual([[], undefined]);
      expect(exemplos).toContain('Quem está devendo?');
    }
    for (const [question, reply] of [
      ['qual o ticket médio de ontem?', /^Isso só calculo em meses inteiros\./],
      ['quanto recebi em 31/02?', /^Não entendi de que dias você fala\./],
      ['recebi 200 da Ana mês passado', /^Em que dia\?/],
      ['recebi 3x de 100 da Ana', /^Registro um valor de cada vez, sem parcelas\./],
      ['quanto recebi? quanto gastei? quem deve? qual o lucro? qual a meta?', /^Respondo até 4 perguntas/],
    ] as const) {
      const { text, figures, ato } = await ask(trainer.api, question);
      expect([text, figures, ato]).toEqual([expect.stringMatching(reply), [], undefined]);
    }
    expect((await ask(trainer.api, 'quanto a Zuleika deve?')).text).toBe(
      'Não encontrei Zuleika entre os seus alunos.',
    );
  });

  it('about missing students counts neither new nor paused ones', async () => {
    // The log has the time of the database.
    const later = await startApp({ clock: new SetClock(addDays(new Date(), 25)) });
    const other = await signUp(later);
    const { student } = agendaOf(other.api);
    const [caio, davi] = [await student('Caio Lima'), await student('Davi Reis')];
    const pause = (id: string) =>
      other.api.put(`/students/${id}/pause`, { ate: addDays(new Date(), 40).toISOString().slice(0, 10) });
    await pause(davi);
    await caughtUp(database);
    const { figures } = await ask(other.api, 'quem está sumindo?');
    expect(figures).toEqual([
      { text: 'Caio Lima', fonte: `/alunos/${caio}` },
      { text: 'nenhuma sessão feita', fonte: `/alunos/${caio}` },
    ]);
    await pause(caio);
    await caughtUp(database);
    expect((await ask(other.api, 'quem está sumindo?')).text).toBe(
      'Ninguém está sumindo: sem contar novos e pausados, ninguém está há semanas sem sessão e sem nada agendado, nem vem metade do que vinha.',
    );
    await later.close();
  });

  it('counts who did not show up, by student', async () => {
    const { api } = await signUp(app);
    const { student, book, cancel } = agendaOf(api);
    const [caio, davi] = [await student('Caio Lima'), await student('Davi Reis')];
    const missed = async (student_id: string, day: number, motivo = 'falta') =>
      cancel(await book({ student_id, inicio: on(day)(7), fim: on(day)(8) }), { motivo });
    for (const day of [2, 3]) await missed(davi, day);
    await missed(caio, 4);
    await missed(caio, 5, 'personal');
    await caughtUp(database);
    expect((await ask(api, 'quem faltou mais esse mês')).text).toBe(
      'Em novembro, 2 alunos faltaram:\n• Davi Reis: 2 faltas\n• Caio Lima: 1 falta',
    );
    expect((await ask(api, 'quantas faltas o Davi teve em novembro?')).text).toBe(
      'Davi Reis faltou 2 vezes em novembro.',
    );
    expect((await ask(api, 'quem faltou em outubro?')).text).toBe('Em outubro, ninguém faltou.');
  });

  it('includes archived students, who may have debts, but prefers active ones', async () => {
    const { api } = await signUp(app);
    const { student } = agendaOf(api);
    const carla = await student('Carla Nunes');
    const owed = { descricao: 'Pacote', valor: 20_000, vencimento: '2026-11-10' };
    const { id: charge_id } = (await api.post('/charges', { student_id: carla, ...owed })).body;
    await api.post(`/students/${carla}/archive`);
    await caughtUp(database);
    expect((await ask(api, 'quem está devendo?')).text).toMatch('Carla Nunes: R$\u00a0200,00');
    expect((await ask(api, 'quanto a Carla deve?')).figures).toEqual([
      { text: 'Carla Nunes', fonte: `/alunos/${carla}` },
      { text: 'R$\u00a0200,00', fonte: `/alunos/${carla}` },
      { text: '1 cobrança', fonte: `/alunos/${carla}` },
      { text: '10/11', fonte: `/alunos/${carla}` },
    ]);
    expect((await ask(api, 'recebi 200 da Carla')).ato).toMatchObject({ tipo: 'pagamento', charge_id });
    const other = await student('Carla Reis');
    await caughtUp(database);
    expect((await ask(api, 'quanto a Carla deve?')).figures).toEqual([
      { text: 'Carla Reis', fonte: `/alunos/${other}` },
    ]);
  });
});

describe('an order', () => {
  const events = async () =>
    (
      await database.query<{ n: number }>('select count(*)::int as n from events where tenant_id = $1', [
        trainer.tenantId,
      ])
    )[0]!.n;

  it('is a card with the body of the ordinary command, and asking writes nothing', async () => {
    const before = await events();
    const days = { data: '2026-11-21', metodo_pagamento: 'pix' };
    const acts = [
      [
        'recebi 200 da Ana',
        {
          tipo: 'lancamento',
          agora: true,
          corpo: {
            tipo: 'receita',
            valor: 20_000,
            descricao: 'Mensalidade',
            student_id: ana,
            ...days,
          },
        },
      ],
      [
        'entrada de R$\u00a01.234,56',
        {
          tipo: 'lancamento',
          agora: true,
          corpo: { valor: 123_456, descricao: 'Recebimento', student_id: null },
        },
      ],
      ['recebi 180 da Ana', { tipo: 'pagamento', corpo: { valor: 18_000, ...days } }],
      [
        'gastei 80 com gasolina',
        {
          tipo: 'lancamento',
          agora: true,
          corpo: { tipo: 'despesa', valor: 8_000, descricao: 'Gasolina', categoria: 'transporte' },
        },
      ],
      [
        'cobrar 150 da Beatriz',
        { tipo: 'cobranca', corpo: { student_id: bia, valor: 15_000, vencimento: '2026-11-24' } },
      ],
      [
        'gera uma cobrança pra Ana',
        { tipo: 'cobranca', corpo: { student_id: ana, valor: 64_000, descricao: 'Pacote 8' } },
      ],
      ['marca a cobrança da Beatriz como paga', { tipo: 'pagamento', corpo: { valor: 25_000 } }],
      [
        'agenda a Ana amanhã às 7h',
        { tipo: 'sessao', corpo: { student_id: ana, inicio: on(22)(7), fim: on(22)(8) } },
      ],
    ] as const;
    for (const [order, ato] of acts)
      expect([order, (await ask(trainer.api, order)).ato]).toMatchObject([order, ato]);
    for (const order of [
      'a Ana não me pagou 200',
      'a Ana pagou 200 mas devolvi',
      'marca a cobrança da Zuleika como paga',
    ])
      expect([order, (await ask(trainer.api, order)).ato]).toEqual([order, undefined]);
    // The end of a long message is not read, and may take back what is.
    const long = `recebi 200 da Ana${' '.repeat(1_000)}mas devolvi`;
    expect((await ask(trainer.api, long)).ato).toMatchObject({ tipo: 'lancamento', agora: false });
    expect(await events()).toBe(before);
  });

  it('is done once by the command of its card, however often that is sent', async () => {
    const { ato } = await ask(trainer.api, 'cobrar 150 da Beatriz');
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => trainer.api.post('/charges', ato!.corpo, { idempotencyKey: 'card-1' })),
    );
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1);
  });
});

describe('a refusal', () => {
  it('contains its text as `error`, as clients of the specification read it', async () => {
    const refused = async (body: unknown, api = trainer.api) => {
      const answer = await api.request<{ error: string; code: string }>('POST', '/api/v1/financial-advisor', {
        body,
        idempotencyKey: null,
      });
      return [answer.status, answer.body.code, answer.body.error];
    };
    expect(await refused({ messages: [] })).toEqual([400, 'validation', 'Há campos inválidos']);
    expect(await refused({ messages: [{ role: 'system', content: 'x' }] })).toEqual([
      400,
      'validation',
      expect.any(String),
    ]);
    expect(await refused({ messages: [user('x'), { role: 'assistant', content: 'y' }] })).toEqual([
      400,
      'validation',
      expect.any(String),
    ]);
  });

  it('follows after sixty questions in a minute, and says when to ask again', async () => {
    const eager = await signUp(app);
    const once = () =>
      eager.api.request<{ error: string }>('POST', '/api/v1/financial-advisor', {
        body: { messages: [user('oi')] },
        idempotencyKey: null,
      });
    for (let n = 0; n < 60; n += 1) expect((await once()).status).toBe(200);
    const { status, body, headers } = await once();
    expect([status, body.error]).toEqual([429, expect.stringMatching(/^Tente de novo em \d+ /)]);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await ask(trainer.api, 'oi')).text).toMatch(/^Respondo sobre o seu dinheiro/);
    // And after twice as many of the whole tenant, by any user.
    const limits = app.nest.get(RateLimits);
    const others = Array.from({ length: 120 - 61 }, () => limits.isWithin(BY_TENANT, eager.tenantId));
    expect(await Promise.all(others)).not.toContain(false);
    expect(await limits.isWithin(BY_TENANT, eager.tenantId)).toBe(false);
  });
});

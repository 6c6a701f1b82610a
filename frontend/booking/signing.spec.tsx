import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, waitFor } from '@testing-library/react';
import { consents, type Signable } from '../../backend/modules/contracts/contracts.api.js';
import { signingPage } from '../../backend/modules/contracts/signing-page.html.js';

const CPF = '529.982.247-25';
const open = {
  id: 'r',
  personal: 'Bruna Dias',
  titulo: 'Termo',
  conteudo: '<p>CPF {{cpf}}</p>',
  versao: 1,
  estado: 'aberto',
  expires_at: '2026-12-02T12:00:00.000Z',
  aluno: { nome: 'Lia Prado', whatsapp: null },
  codigo_email: null,
  responsavel: false,
  papel_responsavel: null,
  prova: null,
  pede_cpf: false,
} satisfies Signable;
const prova = {
  nome: null,
  cpf: null,
  telefone: null,
  assinado_em: '2026-11-20T12:00:00.000Z',
  ip_address: null,
  navegador: null,
  conteudo_hash: 'a'.repeat(64),
  sal: null,
  nascimento: null,
  responsavel: null,
  codigo_confirmado_em: null,
  consentimento: consents.versao,
  codigo: 'K7QM-2XWD-9ABC-HJ4P',
  tem_pdf: false,
  desistir_ate: '2026-11-28T02:59:59.000Z',
} satisfies Signable['prova'];
const veiled = { estado: 'assinado', conteudo: '', aluno: null, prova, pede_cpf: true } as const;
const signed = { estado: 'assinado', prova: { ...prova, nome: 'Lia Prado' } } as const;

/** What the server would write. */
const pageOf = (more: Partial<Signable> = {}, token = 'x') =>
  signingPage({
    contract: { ...open, ...more },
    token,
    timezone: 'America/Sao_Paulo',
    today: '2026-11-21',
    siteUrl: 'https://rende.example',
  });

interface Sent {
  path: string;
  body: Record<string, unknown>;
  key: string | undefined;
}
type Given = Response | ((sent: Sent) => Response);
const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const refusal = (status: number, body: object = {}) => json(body, status);

/** What the server answers to each request, by the end of its path; others fail. */
let answers: Record<string, Given> = {};
let sent: Sent[] = [];
globalThis.fetch = (address, { body, headers } = {}) => {
  const path = (address as string).replace('/api/v1/signature-links/', '');
  const key = (headers as Record<string, string> | undefined)?.['Idempotency-Key'];
  const one = { path, body: body ? (JSON.parse(body as string) as Sent['body']) : {}, key };
  sent.push(one);
  const answer = answers[path];
  if (!answer) return Promise.reject(new TypeError('Failed to fetch'));
  return Promise.resolve(typeof answer === 'function' ? answer(one) : answer);
};
const bodies = (path: string) => sent.filter((one) => one.path === path).map(({ body }) => body);

/** Called when the end of the text comes into view. */
let read: () => void;
globalThis.IntersectionObserver = class {
  constructor(seen: IntersectionObserverCallback) {
    const entries = [{ isIntersecting: true } as IntersectionObserverEntry];
    read = () => seen(entries, this as unknown as IntersectionObserver);
  }
  observe = () => undefined;
} as unknown as typeof IntersectionObserver;
/** Gives the page what another tab has told. */
let hear: (data: object) => void = () => undefined;
const told: object[] = [];
globalThis.BroadcastChannel = class {
  postMessage = (data: object) => void told.push(data);
  addEventListener = (_: string, listener: (event: { data: object }) => void) => {
    hear = (data) => listener({ data });
  };
} as unknown as typeof BroadcastChannel;
const timers: ReturnType<typeof setTimeout>[] = [];
const later = globalThis.setTimeout;
globalThis.setTimeout = ((work: () => void, pause?: number) => {
  const timer = later(work, pause);
  timers.push(timer);
  return timer;
}) as typeof setTimeout;
/** Ends the looks from time to time: those of earlier visits would look at the page of a later one. */
function stopLooking(): void {
  for (const timer of timers.splice(0)) clearTimeout(timer);
}
const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);

const find = <Found extends HTMLElement = HTMLElement>(selector: string) =>
  document.querySelector<Found>(selector)!;
const field = (name: string) => find<HTMLInputElement>(`[name="${name}"]`);
const text = () => find('main').textContent.replace(/\s+/g, ' ');
const submit = () => find<HTMLButtonElement>('#sign [type="submit"]');
const type = (name: string, value: string) => fireEvent.input(field(name), { target: { value } });
const shows = (words: string) => waitFor(() => expect(text()).toContain(words));

async function visit(page: string): Promise<void> {
  document.body.innerHTML = new DOMParser().parseFromString(page, 'text/html').body.innerHTML;
  // Each visit runs the script anew.
  jest.resetModules();
  const { signing } = await import('./signing.js');
  signing();
}
function fillIn(): void {
  type('cpf', '52998224725');
  type('telefone', '11943214321');
  for (const name of ['consent_data_processing', 'consent_terms']) fireEvent.click(field(name));
}

beforeEach(() => {
  stopLooking();
  answers = {};
  sent = [];
  told.length = 0;
  sessionStorage.clear();
  online.mockReturnValue(true);
});

describe('a contract that is opened by its link', () => {
  it('is recorded as opened the first time', async () => {
    await visit(pageOf({ estado: 'enviado' }));
    expect(bodies('open')).toEqual([{ token: 'x' }]);
    sent = [];
    await visit(pageOf());
    expect(sent).toEqual([]);
  });

  it('is signed after it was read to its end, with what was typed, and then gives the copy', async () => {
    answers = { sign: json({ id: 'r' }), read: json({ pagina: pageOf(signed) }) };
    await visit(pageOf());
    expect(field('nome').value).toBe('Lia Prado');
    expect([submit().disabled, find('#missing').textContent]).toEqual([
      true,
      'Leia o texto até o fim para assinar.',
    ]);
    read();
    expect([submit().disabled, find('#missing').textContent]).toEqual([false, '']);
    fillIn();
    expect(find('.paper').textContent).toBe(`CPF ${CPF}`);
    fireEvent.submit(find('#sign'));
    await shows('Pronto, Lia.');
    expect(bodies('sign')).toEqual([
      {
        token: 'x',
        nome: 'Lia Prado',
        cpf: CPF,
        telefone: '(11) 94321-4321',
        nascimento: null,
        responsavel: null,
        codigo: null,
        consent_data_processing: true,
        consent_terms: true,
        consentimento: consents.versao,
      },
    ]);
    expect(bodies('read')).toEqual([{ token: 'x', cpf: CPF }]);
    expect(document.activeElement).toBe(find('h1'));
    expect(told).toEqual([{ token: 'x', cpf: CPF }]);
    await waitFor(() => expect(find('#said').textContent).toBe('Contrato assinado com sucesso'));
    expect(sessionStorage.length).toBe(0);
  });

  it('is not signed without a connection', async () => {
    await visit(pageOf());
    read();
    online.mockReturnValue(false);
    fireEvent(window, new Event('offline'));
    expect([submit().disabled, find('#offline').hidden]).toEqual([true, false]);
    online.mockReturnValue(true);
    fireEvent(window, new Event('online'));
    expect([submit().disabled, find('#offline').hidden]).toEqual([false, true]);
  });

  it('asks for the guardian of a minor, by the typed birth date', async () => {
    await visit(pageOf({ responsavel: true }));
    read();
    fillIn();
    const asked = () => !find('#guardian').hidden && find('#role').textContent;
    expect(asked()).toBe(false);
    type('nascimento', '21112008');
    expect(asked()).toBe(false);
    type('nascimento', '22112008');
    expect(asked()).toBe('O aluno tem menos de 18 anos: aluno e responsável assinam juntos.');
    type('nascimento', '04052020');
    expect(asked()).toBe('O aluno tem menos de 16 anos: quem assina é o responsável.');
    type('responsavel/nome', 'Márcia Lima');
    type('responsavel/cpf', '11144477735');
    type('responsavel/nascimento', '10061985');
    type('responsavel/relacao', 'Mãe');
    fireEvent.submit(find('#sign'));
    await waitFor(() => expect(bodies('sign')).toHaveLength(1));
    expect(bodies('sign')[0]).toMatchObject({
      nascimento: '2020-05-04',
      responsavel: { nome: 'Márcia Lima', cpf: '111.444.777-35', nascimento: '1985-06-10', relacao: 'Mãe' },
    });
  });

  it('says what is wrong at each field, and focuses the first', async () => {
    const errors = [
      { pointer: '/telefone', detail: 'Informe o telefone com DDD' },
      { pointer: '/responsavel/cpf', detail: 'CPF inválido' },
      { pointer: '/consentimento', detail: 'As declarações mudaram. Atualize a página e leia de novo.' },
    ];
    answers = { sign: () => refusal(400, { errors }) };
    await visit(pageOf({ papel_responsavel: 'assiste' }));
    read();
    fireEvent.submit(find('#sign'));
    await shows('As declarações mudaram.');
    expect(find('[id="wrong-responsavel/cpf"]').textContent).toBe('CPF inválido');
    expect(document.activeElement).toBe(field('responsavel/cpf'));
    await waitFor(() => expect(find('[aria-disabled]')).toBeNull());
    type('responsavel/cpf', '1');
    expect(find('[id="wrong-responsavel/cpf"]')).toBeNull();
    expect(text()).toContain('Informe o telefone com DDD');
  });

  it.each([
    ['#sign', 'sign', 'Erro ao assinar contrato. Tente de novo.'],
    ['#decline', 'decline', 'Erro ao recusar contrato. Tente de novo.'],
    ['#send-code', 'code', 'Erro ao enviar e-mail. Tente de novo.'],
    ['#confirm-code', 'confirm-code', 'Erro ao confirmar o código. Tente de novo.'],
  ])('says of %s what was not done', async (id, path, words) => {
    answers = { [path]: () => refusal(500) };
    await visit(pageOf({ codigo_email: { para: 'l…@x.br', enviado: true, confirmado: false } }));
    type('codigo', '123456');
    const button = find(id);
    if (button.tagName === 'FORM') fireEvent.submit(button);
    else fireEvent.click(button);
    await waitFor(() => expect(find('#said').textContent).toBe(words));
  });

  it('is signed with the code that was mailed, of which another can be asked for', async () => {
    answers = {
      code: () => json({ id: 'r' }),
      'confirm-code': ({ body }) => json({ id: 'r', confirmado: body.codigo === '654321' }),
    };
    await visit(pageOf({ codigo_email: { para: 'l…@x.br', enviado: false, confirmado: false } }));
    read();
    expect(find('#missing').textContent).toBe('Confirme o código enviado por e-mail para assinar.');
    expect(find('#typing').hidden).toBe(true);
    for (let times = 1; times <= 2; times += 1) {
      fireEvent.click(find('#send-code'));
      await waitFor(() => expect(bodies('code')).toHaveLength(times));
      await waitFor(() => expect(find('[aria-disabled]')).toBeNull());
    }
    // A repeated key would be answered without a mail.
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
    expect(find('#code-said').textContent).toBe('Email enviado!');
    expect(find('#send-code').textContent).toBe('Enviar outro código');
    const confirm = find<HTMLButtonElement>('#confirm-code');
    type('codigo', '12345');
    expect(confirm.disabled).toBe(true);
    type('codigo', '123 456');
    fireEvent.click(confirm);
    await shows('Código incorreto. Confira ou peça outro.');
    await waitFor(() => expect(find('[aria-disabled]')).toBeNull());
    type('codigo', '654321');
    fireEvent.click(confirm);
    await shows('Código confirmado');
    expect(submit().disabled).toBe(false);
    fireEvent.submit(find('#sign'));
    await waitFor(() => expect(bodies('sign')).toMatchObject([{ codigo: '654321' }]));
  });

  it('is declined with a reason, and then says so', async () => {
    answers = {
      decline: json({ id: 'r' }),
      '/assinar/x': new Response(pageOf({ estado: 'recusado', conteudo: '', aluno: null })),
    };
    await visit(pageOf());
    type('motivo', 'Vou mudar de cidade.');
    fireEvent.submit(find('#decline'));
    await shows('Este contrato foi recusado');
    await shows('Contrato recusado. Seu personal vê o motivo.');
    expect(bodies('decline')).toEqual([{ token: 'x', motivo: 'Vou mudar de cidade.' }]);
    expect(sessionStorage.length).toBe(0);
  });

  it('says that it was signed or taken back meanwhile', async () => {
    answers = {
      sign: refusal(409, { title: 'O link de assinatura foi cancelado' }),
      x: json({ estado: 'cancelado', prova: null }),
      '/assinar/x': new Response(pageOf({ estado: 'cancelado', conteudo: '', aluno: null })),
    };
    await visit(pageOf());
    stopLooking();
    read();
    fillIn();
    fireEvent.submit(find('#sign'));
    await shows('Este link foi cancelado');
    expect(document.title).toBe('Este link foi cancelado · Bruna Dias');
    expect(sent.map(({ path }) => path)).toEqual(['sign', 'x', '/assinar/x']);
  });

  it('keeps what was typed on a reload, for this link alone, but no document and no consent', async () => {
    await visit(pageOf());
    fillIn();
    type('motivo', 'Ainda não sei');
    await visit(pageOf());
    const kept = () => [field('cpf').value, field('consent_terms').checked, field('motivo').value];
    expect(kept()).toEqual(['', false, 'Ainda não sei']);
    expect(JSON.stringify(sessionStorage)).not.toContain(CPF);
    await visit(pageOf({}, 'y'));
    expect(kept()).toEqual(['', false, '']);
  });

  it('shows the copy in another tab as soon as it is signed', async () => {
    answers = { read: json({ pagina: pageOf(signed) }) };
    await visit(pageOf());
    hear({ token: 'y', cpf: CPF });
    hear({ token: 'x', cpf: CPF });
    await shows('Pronto, Lia.');
    expect(sent).toHaveLength(1);
  });

  it.each([
    [
      'with the CPF that was typed here',
      true,
      { read: () => json({ pagina: pageOf(signed) }) },
      'Pronto, Lia.',
    ],
    ['asking for the CPF', false, {}, 'Contrato assinado'],
  ])('shows what happened elsewhere when somebody comes back, %s', async (_, isTyped, more, words) => {
    answers = {
      x: () => json({ estado: 'assinado', prova: { tem_pdf: false } }),
      '/assinar/x': () => new Response(pageOf(veiled)),
      ...more,
    };
    await visit(pageOf());
    if (isTyped) fillIn();
    fireEvent(document, new Event('visibilitychange'));
    await shows(words);
  });
});

describe('a signed contract', () => {
  const openSigned = async () => {
    answers = { ...answers, read: () => json({ pagina: pageOf(signed) }) };
    await visit(pageOf(veiled));
    type('cpf', '52998224725');
    fireEvent.submit(find('#read'));
    await shows('Pronto, Lia.');
  };
  const pdf = () => find<HTMLButtonElement>('#pdf button');

  it('is shown with the CPF of who signed, and with no other', async () => {
    answers = { read: () => refusal(403, { title: 'Este não é o CPF de quem assinou' }) };
    await visit(pageOf(veiled));
    type('cpf', '15350946056');
    fireEvent.submit(find('#read'));
    await waitFor(() => expect(find('#said').textContent).toBe('Este não é o CPF de quem assinou'));
    expect(bodies('read')).toEqual([{ token: 'x', cpf: '153.509.460-56' }]);
    await openSigned();
    expect(sessionStorage.length).toBe(0);
  });

  it('has its PDF as soon as that is made, and says if it cannot be had', async () => {
    answers = { x: () => json({ estado: 'assinado', prova: { tem_pdf: true } }) };
    await openSigned();
    expect([pdf().disabled, pdf().textContent.trim()]).toEqual([true, 'Preparando o PDF…']);
    await waitFor(() => expect([pdf().disabled, pdf().textContent]).toEqual([false, 'Baixar PDF']));
    answers.pdf = refusal(500);
    fireEvent.submit(find('#pdf'));
    await waitFor(() => expect(find('#said').textContent).toBe('Erro ao baixar o PDF. Tente de novo.'));
    expect(bodies('pdf')).toEqual([{ token: 'x', cpf: CPF }]);
  });

  it('can be withdrawn from, and then says so', async () => {
    await openSigned();
    answers = { withdraw: () => refusal(500) };
    fireEvent.submit(find('#withdraw'));
    await waitFor(() =>
      expect(find('#said').textContent).toBe('Erro ao desistir do contrato. Tente de novo.'),
    );
    await waitFor(() => expect(find('[aria-disabled]')).toBeNull());
    answers = {
      withdraw: json({ id: 'r' }),
      read: json({ pagina: pageOf({ ...signed, estado: 'desistido' }) }),
    };
    fireEvent.submit(find('#withdraw'));
    await shows('Houve desistência deste contrato');
    await shows('Desistência registrada. Seu personal vê a desistência no histórico do contrato.');
    expect(bodies('withdraw')[0]).toEqual({ token: 'x', cpf: CPF });
  });
});

// Everything that opens over a page: sheets, pickers, menus, toasts; also pages without answers. Each entry, for `shots.mjs`,
// is the picture's name, the address to begin at, and the function that opens it there. Changes to data are undone, or remain
// with the demonstration trainer.
import { locations } from './business.mjs';

const seen = (locator) => locator.filter({ visible: true }).first();
const button = (page, name) => seen(page.getByRole('button', { name }));
const press = (name) => (page) => button(page, name).click();
const sheet = (page) => page.getByRole('dialog');
const pressIn = (name) => (page) => sheet(page).getByRole('button', { name }).click();
const steps =
  (...all) =>
  async (page) => {
    for (const step of all) await step(page);
  };
/** Asks the advisor, and waits for the answer. */
const asking = (text) => async (page) => {
  const field = page.getByLabel('Sua pergunta');
  await field.fill(text);
  await field.press('Enter');
  await sheet(page).getByText(text).last().waitFor();
  await page.getByRole('button', { name: 'Parar' }).waitFor({ state: 'detached' });
};
const fill = (label, text) => (page) => page.getByLabel(label, { exact: true }).fill(text);
const toast = (page) => seen(page.locator('[data-sonner-toast], [data-said]')).waitFor();

/** Every route of the API except the signed-in user's. */
const api = (pathname) => pathname.startsWith('/api/v1/') && pathname !== '/api/v1/me';
const unanswered = (page) =>
  page.route(
    ({ pathname }) => api(pathname),
    () => undefined,
  );
const failing = (page) =>
  page.route(
    ({ pathname }) => api(pathname),
    (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"status":500}' }),
  );

/** The Tuesday `weeks` weeks from this one: the demonstration always has scheduled sessions next week, and done ones last week. */
const tuesday = (weeks) => {
  const today = new Date();
  return new Date(today.getTime() + (weeks * 7 + 2 - today.getDay()) * 86_400_000).toISOString().slice(0, 10);
};
const coming = `/agenda?modo=dia&dia=${tuesday(1)}`;
const past = `/agenda?modo=dia&dia=${tuesday(-1)}`;
const booking = `${coming}&novo=agendamento&em=${tuesday(1)}`;

const session = (page) => seen(page.getByRole('button', { name: /^(Agendada|Realizada|Cancelada)/ })).click();
/** Opens a done session at a location whose policy charges for missed sessions. */
const chargedSession = async (page) => {
  const charging = locations.filter(({ policy }) => policy).map(({ nome }) => nome);
  for (const each of await page
    .getByRole('button', { name: /^Realizada/ })
    .filter({ visible: true })
    .all()) {
    await each.click();
    await sheet(page).getByRole('button', { name: 'Mais opções' }).waitFor();
    const isSettled = await sheet(page).getByRole('button', { name: 'Reabrir sessão' }).isVisible();
    const words = await sheet(page).innerText();
    if (isSettled && charging.some((name) => words.includes(name))) return;
    await page.keyboard.press('Escape');
    await sheet(page).waitFor({ state: 'detached' });
  }
  throw new Error('the demonstration has no session to charge for on that day');
};
const chooseStudent = async (page) => {
  const restored = page.getByRole('button', { name: 'Descartar' });
  if (await restored.isVisible()) await restored.click();
  await seen(page.getByRole('list', { name: 'Alunos' }).getByRole('button')).click();
  await sheet(page).getByText('Trocar').waitFor();
};

const link = (name) => (page) => seen(page.getByRole('link', { name })).click();
const CONTRACTS = '/ajustes/contratos-termos';
const openContract = steps(link(/^Abrir /), (page) =>
  page.getByText('Assinaturas', { exact: true }).waitFor(),
);
/** Opens a signature request of the contract, by its state. */
const openCopy = (state) =>
  steps(
    openContract,
    (page) =>
      page
        .locator('li')
        .filter({ hasText: state })
        .last()
        .getByRole('link', { name: /^Ver o contrato de/ })
        .first()
        .click(),
    (page) => page.getByRole('region', { name: 'Texto do contrato' }).waitFor(),
  );
/** Opens the page of the student's signing link. */
const openLink = async (page) => {
  await openContract(page);
  const href = await seen(page.getByRole('link', { name: /^Enviar WhatsApp a/ })).getAttribute('href');
  await page.goto(/\/assinar\/\S+/.exec(decodeURIComponent(href))[0]);
  await page.getByRole('region', { name: 'Texto do contrato' }).waitFor();
};

const pages = ['/', '/agenda', '/alunos', '/financeiro', '/planos', '/ajustes/conta'];

export const signedOut = [
  ['recuperar-senha', '/auth', press('Esqueci minha senha')],
  ['entrar-erros', '/auth', press(/^Entrar$/)],
  [
    'entrar-recusado',
    '/auth',
    steps(fill('E-mail', 'ana@example.com'), fill('Senha', 'nenhuma'), press(/^Entrar$/), toast),
  ],
  ['cadastro-erros', '/auth?aba=cadastro', press(/^Criar conta$/)],
  // The link of a mail, opened in another browser than the one that requested it.
  ['confirmar-email', '/auth#token=nenhum&type=signup', async () => {}],
  [
    'confirmar-email-recusado',
    '/auth?entrar#token=nenhum&type=magiclink',
    steps(fill('E-mail', 'ana@example.com'), press('Continuar'), (page) =>
      page.getByText('Confira o e-mail.').waitFor(),
    ),
  ],
];

export const formOf = (student) => student.replace('/alunos/', '/alunos/edit/');

/** `student`: the address of a student with credits, sessions and a plan. */
export const overlays = (student) => [
  ['sessao', coming, session],
  ['sessao-editar', coming, steps(session, pressIn('Editar'))],
  ['sessao-mais', coming, steps(session, press('Mais opções'))],
  ['sessao-cancelar', coming, steps(session, press('Cancelar'))],
  ['sessao-realizada', past, session],
  [
    // Only a session that has begun can be missed: a done session is reopened for the picture, then completed again.
    'sessao-cancelar-custa',
    past,
    steps(chargedSession, pressIn('Reabrir sessão'), pressIn('Faltou')),
    steps(pressIn('Voltar'), pressIn('Marcar como feita'), toast),
  ],
  ['agendar', booking, chooseStudent],
  ['agendar-erros', booking.replaceAll(tuesday(1), tuesday(2)), steps(pressIn('Agendar'), toast)],
  ['agendar-calendario', booking, steps(chooseStudent, press('Abrir calendário'))],
  ['agendar-horario', booking, steps(chooseStudent, press('Escolher o horário'))],
  [
    'agendar-ocupado',
    booking,
    steps(
      chooseStudent,
      fill('Horário de início', '06:00'),
      fill('Horário de término', '11:00'),
      pressIn('Agendar'),
    ),
  ],
  ['agenda-menu', '/agenda', press(/^(Mais|Configurações) da agenda$/)],
  ['horarios', '/agenda?abrir=horarios', (page) => sheet(page).getByText('Exceções por data').waitFor()],
  ['ferias', '/agenda?abrir=ferias', (page) => sheet(page).getByText('Férias ativas').waitFor()],
  ['ferias-erros', '/agenda?abrir=ferias', steps(press('Ativar férias'), toast)],
  [
    'ferias-sessoes',
    '/agenda?abrir=ferias',
    steps(
      ...['Data de início', 'Data de término'].map((label) =>
        fill(label, tuesday(1).split('-').reverse().join('/')),
      ),
      (page) => sheet(page).getByText('Remarcar', { exact: true }).click(),
      // Which of them fit a week later depends on the day.
      (page) =>
        sheet(page)
          .getByText(/remarcada para|será mantida/)
          .first()
          .waitFor(),
    ),
  ],
  ['tarefa', '/agenda?ver=tarefas', press(/^Renovar o seguro/)],
  ['tarefa-editar', '/agenda?ver=tarefas', steps(press(/^Conferir quem/), press('Editar'))],
  ['tarefa-nova', '/agenda?ver=tarefas&novo=tarefa', () => undefined],
  ['tarefa-erros', '/agenda?ver=tarefas&novo=tarefa', pressIn('Criar tarefa')],
  ['tarefa-menu', '/agenda?ver=tarefas', press(/^Mais ações de/)],
  ['lista-nova', '/agenda?ver=tarefas', press('Criar nova lista')],
  [
    'lista-excluir',
    '/agenda?ver=tarefas',
    steps(
      (page) => seen(page.getByRole('link', { name: /^Compras/ })).click(),
      press('Mais ações da lista Compras'),
      (page) => page.getByRole('menuitem', { name: 'Excluir lista' }).click(),
    ),
  ],
  ['aluno-menu', '/alunos', press(/^Mais ações/)],
  [
    'aluno-inativado',
    '/alunos',
    steps(press(/^Mais ações/), (page) => page.getByRole('menuitem', { name: 'Inativar' }).click(), toast),
    press('Desfazer'),
  ],
  ['alunos-inativos', '/alunos', (page) => page.getByText('Inativos').click()],
  ['alunos-nenhum', '/alunos', (page) => page.getByPlaceholder(/Buscar/).fill('ninguém assim')],
  ['aluno-erros', '/alunos/novo', press('Cadastrar Aluno')],
  ['creditos-ajustar', `${student}?aba=extrato`, press('Ajustar')],
  ['creditos-usar', `${student}?aba=extrato`, press('Dar baixa em 1 crédito')],
  ['aluno-renovar', student, press('Renovar')],
  [
    'aluno-renovado',
    student,
    steps(press('Renovar'), pressIn('Outra forma'), pressIn('Só renovar'), toast),
    press('Desfazer'),
  ],
  [
    'aluno-dossie',
    student,
    steps(press('Mais opções'), (page) => page.getByRole('menuitem', { name: 'Dossiê' }).click()),
  ],
  [
    'aluno-juntar',
    student,
    steps(press('Mais opções'), (page) => page.getByRole('menuitem', { name: /Juntar/ }).click()),
  ],
  ['aluno-convite', formOf(student), press('Gerar Link de Convite'), press('Cancelar convite')],
  ['aluno-pausar', formOf(student), press('Pausar')],
  [
    'alunos-varios',
    '/alunos',
    steps(press('Mais opções'), (page) => page.getByRole('menuitem', { name: 'Selecionar vários' }).click()),
  ],
  ['aluno-esquecer', formOf(student), press(/Apagar dados do aluno/)],
  ['lancamento-erros', '/financeiro?novo=lancamento', press('Registrar receita')],
  ['lancamento-despesa', '/financeiro?novo=despesa', (page) => sheet(page).getByLabel('Categoria').waitFor()],
  ['numero', '/financeiro', press(/Ver de onde vem/)],
  ['do-previsto', '/financeiro?figura=do_previsto', () => undefined],
  ['sessoes-a-dar', '/financeiro', press(/Você deve/)],
  [
    'transacao',
    '/financeiro',
    (page) => {
      const history = page.getByRole('region', { name: 'Histórico de transações' });
      return seen(history.locator('section button, tbody button')).click();
    },
  ],
  [
    'consultor',
    '/financeiro?consultor=aberto',
    steps(asking('Quem está devendo?'), asking('Quanto recebi de agosto a outubro?')),
  ],
  ['consultor-cartao', '/financeiro?consultor=aberto', asking('anota 80 de gasolina')],
  ['financeiro-mes-vazio', '/financeiro?mes=2023-02', () => undefined],
  ['plano-editar', '/planos', press('Editar')],
  ['plano-erros', '/planos/novo', press('Cadastrar Plano')],
  ['local-editar', '/locais', press('Editar')],
  ['local-outro-fuso', '/locais/novo', (page) => page.getByLabel('UF').fill('AC')],
  ['local-erros', '/locais/novo', press('Cadastrar Local')],
  ['politica-editar', '/ajustes/politicas', press('Editar política')],
  ['trocar-email', '/ajustes/conta', press('Trocar e-mail')],
  ['trocar-senha', '/ajustes/conta', press('Trocar senha')],
  ['ligar-verificacao', '/ajustes/seguranca', press('Ativar verificação')],
  ['pedir-copia', '/ajustes/dados', press(/Exportar meus dados|Pedir uma cópia nova/)],
  ['excluir-conta', '/ajustes/dados', press('Excluir minha conta')],
  ['contrato', CONTRACTS, openContract],
  [
    'contrato-editar',
    CONTRACTS,
    steps(openContract, link('Editar'), (page) => page.getByLabel('Título *').waitFor()),
  ],
  [
    'contrato-novo',
    `${CONTRACTS}/novo`,
    steps(press('Contrato de prestação de serviço'), (page) => page.getByText('1. Partes').waitFor()),
  ],
  [
    'contrato-enviar',
    CONTRACTS,
    steps(openContract, press('Enviar para assinar'), (page) =>
      sheet(page).getByLabel('Buscar aluno').waitFor(),
    ),
  ],
  [
    'contrato-comparar',
    CONTRACTS,
    steps(
      openContract,
      (page) => page.getByLabel('Comparar com').selectOption({ label: 'Versão 1' }),
      (page) => page.locator('ins').first().waitFor(),
    ),
  ],
  ['contrato-assinado', CONTRACTS, openCopy('Assinado')],
  ['contrato-assinar', CONTRACTS, openLink],
  ['contrato-recusar', CONTRACTS, steps(openLink, press('Recusar'))],
  [
    'contrato-verificar',
    CONTRACTS,
    steps(
      openCopy('Assinado'),
      (page) => page.locator('a[href^="/verificar/"]').click(),
      (page) => page.getByText('Assinatura válida').waitFor(),
    ),
  ],
  ['busca', '/?buscar', (page) => page.getByRole('combobox').fill('ana')],
  ['busca-tarefa', '/?buscar', (page) => page.getByRole('combobox').fill('elasticos')],
  ['busca-nada', '/?buscar', (page) => page.getByRole('combobox').fill('xyzxyz')],
  ['aluno-nao-existe', '/alunos/00000000-0000-4000-8000-000000000000', () => undefined],
];

/** Pages while their requests are pending, and after these failed; with the time to wait, in milliseconds. */
export const withoutAnswers = pages.flatMap((address) => {
  const name = address.split('/').at(-1) || 'inicio';
  return [
    [`carregando-${name}`, address, unanswered, 4500],
    [`falhou-${name}`, address, failing, 9000],
  ];
});

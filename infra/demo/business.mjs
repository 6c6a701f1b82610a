/** Prices in cents. */
export const plans = [
  {
    nome: '2x por semana',
    tipo: 'mensal',
    valor: 56_000,
    creditos: 8,
    validade_dias: 35,
    descricao: 'Oito aulas por mês.',
  },
  {
    nome: '3x por semana',
    tipo: 'mensal',
    valor: 75_600,
    creditos: 12,
    validade_dias: 35,
    descricao: 'Doze aulas por mês.',
  },
  {
    nome: '1x por semana',
    tipo: 'mensal',
    valor: 32_000,
    creditos: 4,
    validade_dias: 35,
    descricao: 'Quatro aulas por mês.',
  },
  {
    nome: 'Pacote 10 aulas',
    tipo: 'pacote',
    valor: 75_000,
    creditos: 10,
    validade_dias: 90,
    descricao: 'Para usar em três meses.',
  },
  {
    nome: 'Pacote 20 aulas',
    tipo: 'pacote',
    valor: 138_000,
    creditos: 20,
    validade_dias: 180,
    descricao: 'Para usar em seis meses.',
  },
  {
    nome: 'Dupla 8 aulas',
    tipo: 'mensal',
    valor: 40_000,
    creditos: 8,
    validade_dias: 35,
    descricao: 'Preço por pessoa, treino em dupla.',
  },
  {
    nome: 'Trimestral 2x por semana',
    tipo: 'trimestral',
    valor: 151_200,
    creditos: 24,
    validade_dias: 105,
    descricao: 'Três meses com 10% de desconto.',
  },
];

/** Indexes of plans, by training sessions per week. */
export const plansByFrequency = { 1: [2, 3], 2: [0, 0, 3, 4], 3: [1, 1, 4] };
export const duoPlan = 5;
export const quarterlyPlan = 6;

/** What visitors and students may choose, and the trainer books. */
export const services = {
  lesson: {
    nome: 'Aula individual',
    duracao_min: 60,
    valor: 12_000,
    cor: 'azul',
    na_pagina: true,
    para_alunos: true,
  },
  fit: {
    nome: 'Avaliação física',
    duracao_min: 30,
    valor: 15_000,
    usa_credito: false,
    cor: 'verde',
    na_pagina: true,
    para_alunos: true,
  },
  online: {
    nome: 'Consultoria online',
    duracao_min: 45,
    valor: 9_000,
    cor: 'laranja',
    endereco: 'https://meet.example.com/marina-demonstracao',
    para_alunos: true,
  },
  duo: { nome: 'Dupla', duracao_min: 60, cor: 'roxo' },
};

/** Rates in hundredths of a percent. */
export const chargeTerms = {
  multa: 200,
  juros: 100,
  carencia_dias: 0,
  desconto_valor: 0,
  desconto_percentual: 0,
  desconto_dias: 0,
};

const noted = [
  [
    { days: 40, texto: 'Avaliação: 62,4 kg, 27 % de gordura. Repetir em três meses.' },
    { days: 6, texto: 'Sentiu o ombro direito no supino. Trocar por flexão inclinada.' },
  ],
  [{ days: 12, texto: 'Combinado: viaja em dezembro e volta em 12/01.' }],
];

/** Some students' birthday, one of them today, and emergency contact, and one student's guardian. */
export function details(index, today) {
  if (index % 3 === 2) return {};
  const month = String((index % 12) + 1).padStart(2, '0');
  const emergency = {
    ...[
      { emergencia_nome: 'Helena', emergencia_relacao: 'mãe' },
      { emergencia_nome: 'Cláudia', emergencia_relacao: 'irmã' },
    ][(index / 3) % 2],
    emergencia_telefone: '(11) 97777-0000',
  };
  const guardian = { responsavel_nome: 'Marta Siqueira', responsavel_telefone: '(11) 96666-0000' };
  return {
    nascimento:
      index === 1 ? `1988-${today.slice(5)}` : `${index === 4 ? 2011 : 1975 + (index % 25)}-${month}-17`,
    ...(index % 3 === 0 && emergency),
    ...(index === 4 && guardian),
  };
}

/** A student's tags, and notes with their age in days. */
export function known(index) {
  const tags = [index % 3 === 0 && 'Corrida', index % 4 === 1 && 'Manhã', index % 7 === 2 && 'Gestante'];
  return { tags: tags.filter(Boolean), notes: index % 3 === 0 ? noted[(index / 3) % 2] : [] };
}

/** `policy` null: the default cancellation policy applies. */
export const locations = [
  {
    nome: 'Studio Vila Serena',
    endereco: 'Rua das Acácias, 120, Vila Serena, São Paulo, SP',
    cep: '04101-000',
    policy: { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: true },
  },
  {
    nome: 'Academia Corpo Leve',
    endereco: 'Avenida dos Ipês, 845, Jardim Novo, São Paulo, SP',
    cep: '04505-001',
    policy: { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: false },
  },
  {
    nome: 'Condomínio Jardim das Águas',
    endereco: 'Rua do Moinho, 33, Alto da Serra, São Paulo, SP',
    cep: '05408-002',
    policy: { cancel_limite_horas: 6, taxa_percent: 30, queima_credito: true },
  },
  { nome: 'Parque do Lago', endereco: 'Portão 3, São Paulo, SP', cep: null, policy: null },
];

/** Minutes between two locations, by their indexes in the list. */
export const ways = [{ from: 2, to: 3, minutos: 20 }];

/** Despesas of `low` to `high` cents, `perYear` times, or on day `day` of each month; `recurring`: also recurring expenses. */
export const expenses = [
  {
    descricao: 'Aluguel da sala no studio',
    categoria: 'aluguel',
    low: 180_000,
    high: 180_000,
    day: 5,
    recurring: true,
  },
  { descricao: 'Contador', categoria: 'outros', low: 25_000, high: 25_000, day: 10, recurring: true },
  { descricao: 'INSS', categoria: 'impostos', low: 28_200, high: 28_200, day: 15 },
  { descricao: 'Internet e celular', categoria: 'outros', low: 13_900, high: 15_900, day: 20 },
  { descricao: 'Transporte', categoria: 'transporte', low: 1_800, high: 9_500, perYear: 110 },
  { descricao: 'Estacionamento', categoria: 'transporte', low: 1_200, high: 4_000, perYear: 24 },
  { descricao: 'Material de treino', categoria: 'equipamentos', low: 6_000, high: 48_000, perYear: 9 },
  { descricao: 'Curso de atualização', categoria: 'cursos', low: 29_000, high: 149_000, perYear: 5 },
  { descricao: 'Anúncio em rede social', categoria: 'divulgacao', low: 5_000, high: 20_000, perYear: 14 },
];

/** Receitas other than renewals, each of a student and by a charge. */
export const extras = [
  { descricao: 'Avaliação física', low: 15_000, high: 18_000, perYear: 48 },
  { descricao: 'Aula avulsa', low: 9_000, high: 12_000, perYear: 46 },
  { descricao: 'Consultoria on-line', low: 22_000, high: 30_000, perYear: 24 },
  { descricao: 'Aula experimental', low: 5_000, high: 5_000, perYear: 8 },
];

export const adjustments = [
  { quantidade: 1, motivo: 'Aula cortesia de aniversário' },
  { quantidade: 1, motivo: 'Indicou um aluno novo' },
  { quantidade: 2, motivo: 'Compensação pela semana em que viajei' },
  { quantidade: -1, motivo: 'Aula lançada em dobro' },
];

/** The trainer's answers in the onboarding. Amounts in cents. */
export const onboarding = {
  alunos_ativos: 30,
  tipo_atendimento: 'Presencial, em estúdio e ao ar livre; algumas duplas',
  ticket_medio_mensal: 56_000,
  formas_cobranca: ['pix', 'cartão', 'dinheiro'],
  emite_recibo: true,
  faturamento_mensal_medio: 1_600_000,
  tipo_planos: 'Mensal e pacotes de aulas',
  faz_desconto: true,
  tem_politica_cancelamento: true,
  objetivos: ['mais alunos', 'montar uma reserva'],
  meta_faturamento_6meses: 12_000_000,
};

/** Sessions that are cancelled in time get make-ups until the end of the next month. */
export const makeUps = { ativo: true, teto_percent: 25, prazo_meses: 1 };

/** The demonstration trainer's Pix key, which belongs to nobody. */
export const pixKey = {
  tipo: 'aleatoria',
  chave: '123e4567-e12b-12d1-a456-426655440000',
  nome: 'Marina Demonstração',
  cidade: 'São Paulo',
  banco: 'Banco Demonstração',
};

export const receiptIssuer = {
  nome: 'Marina Demonstração',
  documento: '529.982.247-25',
  cref: '012345-G/SP',
  cidade: 'São Paulo',
};

/**
 * The charges of successive students for their last renewal: due in `vence` days; `pago` is the part that is paid, 1 for all. Null:
 * it was paid at once.
 */
export const charges = [
  { vence: 3 },
  { vence: -5 },
  null,
  { vence: 0, pago: 1 },
  { vence: 8, pago: 0.5 },
  { vence: -12 },
  null,
  null,
];

/** The contract that active students have to sign. */
export const contract = {
  titulo: 'Contrato de prestação de serviço',
  tipo: 'termo_personal',
  conteudo:
    '<h2>1. Partes</h2><p>Contratante: {{aluno}}, CPF {{cpf}}.</p><h2>2. Plano</h2><ul><li><p>Plano: {{plano}}</p></li>' +
    '<li><p>Valor: {{valor}}</p></li><li><p>Validade dos créditos: {{validade}}</p></li></ul>' +
    '<h2>3. Cancelamento</h2><p>Política do local: {{politica}}.</p><p>{{data}}</p>',
};

/** The second version of the contract's text, for students who sign later. */
export const revisedContract = contract.conteudo.replace(
  '<p>{{data}}</p>',
  '<h2>4. Desistência</h2><p>Contratado à distância, o aluno pode desistir em até 7 dias da assinatura (CDC, art. 49).</p><p>{{data}}</p>',
);

/** What the first students did with the contract: signed, with this CPF (one withdrew later), declined, or nothing. */
export const signers = [
  { cpf: '111.444.777-35' },
  { cpf: '529.982.247-25' },
  { cpf: '390.533.447-05' },
  { cpf: '168.995.350-09', withdraws: true },
  { motivo: 'Quero mudar de plano antes de assinar.' },
  {},
];

/** What every signer gives, in the page's format: the consents, and a guardian, who only signs for a minor. */
export const agreed = {
  responsavel: { nome: 'Marta Siqueira', cpf: '935.411.347-80', relacao: 'mãe' },
  consent_data_processing: true,
  consent_terms: true,
  consentimento: '2026-11-22',
};

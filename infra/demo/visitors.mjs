/** Settings of the demonstration trainer's public link. */
export const publicLink = {
  ativo: true,
  dias: 14,
  duracao_min: 60,
  intervalo_min: 15,
  por_dia: 4,
  antecedencia_min: 120,
  locais: null,
  whatsapp: '(11) 98888-0000',
  indexavel: false,
  cref: '012345-G/SP',
  primeira_aula: 8000,
  antecipado: 'sinal',
  sinal: 3000,
  espera_min: 30,
  falta_percent: 50,
  texto:
    'Treino de força e mobilidade para quem tem pouco tempo. A primeira aula é uma conversa e um treino leve.',
};

/** Visitors who book: one has paid what is asked first, and one is to get it back. */
export const visitors = [
  { nome: 'Otávio Brandão', whatsapp: '(11) 98123-4501', pays: true },
  { nome: 'Lívia Sampaio', whatsapp: '(11) 98123-4502', email: 'livia.sampaio@example.com' },
  { nome: 'Rafael Teles', whatsapp: '(11) 98123-4503', pays: true, isDeclined: true },
];

/** People on the waitlist, who only have time on a Sunday, when the trainer does not work. */
export const waiting = [
  {
    nome: 'Helena Couto',
    whatsapp: '(11) 98123-4504',
    email: 'helena.couto@example.com',
    periodos: ['manha', 'tarde'],
  },
  { nome: 'Igor Pacheco', whatsapp: '(11) 98123-4505', periodos: ['manha'] },
];

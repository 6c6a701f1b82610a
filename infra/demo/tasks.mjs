const DAY = 86_400_000;
/** São Paulo has been three hours behind UTC all year since 2019. */
const UTC_OFFSET_HOURS = 3;

export const lists = [
  { nome: 'Rotina', cor: 'azul' },
  { nome: 'Compras', cor: 'laranja' },
  { nome: 'Divulgação', cor: 'rosa' },
];

/** Twenty tasks, some overdue, repeated or done: `list` is the list's index, `in` the number of days from today. */
const wanted = [
  { titulo: 'Conferir quem não confirmou amanhã', list: 0, in: 0, hora: '19:30', repeticao: 'diariamente' },
  { titulo: 'Enviar mensagem aos alunos com poucos créditos', list: 0, in: 1, repeticao: 'semanalmente' },
  { titulo: 'Fechar o mês no financeiro', list: 0, in: 8, repeticao: 'mensalmente' },
  { titulo: 'Pagar o aluguel da sala', list: 0, in: 3, repeticao: 'mensalmente' },
  { titulo: 'Renovar o seguro dos equipamentos', list: 0, in: -2, descricao: 'Pedir o desconto à vista.' },
  { titulo: 'Reavaliar as medidas da turma da manhã', list: 0, in: 5, hora: '08:00' },
  { titulo: 'Montar o treino de dezembro', list: 0, in: 2 },
  { titulo: 'Higienizar os colchonetes', list: 0, in: -1, repeticao: 'semanalmente' },
  { titulo: 'Elásticos médios', list: 1, in: 0, descricao: 'Dois pares; o vermelho arrebentou.' },
  { titulo: 'Corda naval', list: 1 },
  { titulo: 'Toalhas novas', list: 1 },
  { titulo: 'Repor as garrafas de água', list: 1, in: -4, repeticao: 'semanalmente' },
  { titulo: 'Orçar um suporte para halteres', list: 1, in: 12 },
  { titulo: 'Fotos do antes e depois', list: 2, in: 4, hora: '10:00' },
  { titulo: 'Gravar um vídeo de mobilidade', list: 2, in: 0, hora: '15:00' },
  { titulo: 'Responder aos comentários', list: 2, in: 1, repeticao: 'diariamente' },
  { titulo: 'Combinar parceria com a nutricionista', list: 2 },
  { titulo: 'Atualizar a bio com os horários livres', list: 2, in: -6 },
  { titulo: 'Levar o carro à revisão', in: 6, hora: '14:00' },
  { titulo: 'Ligar para o contador', in: -3, hora: '11:00' },
];
const done = new Set([
  'Repor as garrafas de água',
  'Toalhas novas',
  'Atualizar a bio com os horários livres',
]);

export function inventTasks(now) {
  const day = (days) => new Date(now - UTC_OFFSET_HOURS * 3_600_000 + days * DAY).toISOString().slice(0, 10);
  return wanted.map(({ in: days, list = null, ...task }) => ({
    list,
    isDone: done.has(task.titulo),
    body: { ...task, ...(days !== undefined && { data_vencimento: day(days) }) },
  }));
}

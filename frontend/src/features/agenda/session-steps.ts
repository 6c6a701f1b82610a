/** The steps of a session's sheet with their titles; the details are titled by the session. */
export const stepTitles = {
  detail: 'Sessão',
  editar: 'Editar agendamento',
  remarcar: 'Remarcar sessão',
  cancelar: 'Cancelar sessão',
  /** All sessions of a group's hour. */
  'cancelar-todos': 'Cancelar para todos',
  faltou: 'Marcar falta',
  recusar: 'Recusar reserva',
  /** One session of a group. */
  aluno: 'Sessão',
  adicionar: 'Adicionar aluno',
  repetir: 'Repetir na próxima semana',
  dias: 'Dias do horário fixo',
  turma: 'Turma aberta para alunos',
};
export type SessionStep = keyof typeof stepTitles;

/** The step in an address; by default the details. */
export const sessionStep = (named: string | null): SessionStep =>
  named !== null && Object.hasOwn(stepTitles, named) ? (named as SessionStep) : 'detail';

import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import { dayAndTime, shortDate } from '../../platform/portuguese.js';
import { repetitionOf } from './repetition.js';
import type { TaskListEvent } from './task-lists.js';
import type { TaskEvent, TaskFields } from './task.js';

const subjects = ({ task_id }: { task_id: string }) => [`task:${task_id}`];
const listSubjects = ({ list_id }: { list_id: string }) => [`tasklist:${list_id}`];
const said = (words: string): HistoryWording => ({ subjects, words: () => words });

const repeats = {
  nao_se_repete: 'não se repete',
  diariamente: 'todos os dias',
  semanalmente: 'toda semana',
  mensalmente: 'todo mês',
} as const;

const counted = (count: number) => plural(count, 'tarefa', 'tarefas');

const withTitle = (words: string, titulo: string | null) =>
  titulo === null ? words : `${words} “${titulo}”`;

function when({ data_vencimento, hora }: Pick<TaskFields, 'data_vencimento' | 'hora'>): string {
  if (data_vencimento === null) return '';
  return ` para ${shortDate(data_vencimento)}${hora === null ? '' : `, ${hora.replace(/^0/, '')}`}`;
}

function changed(changes: Partial<TaskFields>): string {
  const { titulo, descricao, data_vencimento, hora, list_id, rrule } = changes;
  return [
    titulo !== undefined && (titulo === null ? 'título' : `título (${titulo})`),
    descricao !== undefined && (descricao === null ? 'descrição' : `descrição (${descricao})`),
    data_vencimento !== undefined &&
      (data_vencimento === null ? 'sem data' : `data (${shortDate(data_vencimento)})`),
    hora !== undefined && (hora === null ? 'dia inteiro' : `hora (${hora.replace(/^0/, '')})`),
    list_id !== undefined && (list_id === null ? 'sem lista' : 'lista'),
    rrule !== undefined && repeats[repetitionOf(rrule)],
  ]
    .filter(Boolean)
    .join(', ');
}

export const taskHistory: HistoryWords<TaskEvent> = {
  TaskCreated: {
    subjects: (data) => [...subjects(data), ...(data.anterior ? [`task:${data.anterior}`] : [])],
    words: ({ anterior, titulo, rrule, ...due }) =>
      anterior === null
        ? `${withTitle('Criou a tarefa', titulo)}${when(due)}${rrule === null ? '' : `: ${repeats[repetitionOf(rrule)]}`}`
        : `${withTitle('Criou a próxima tarefa', titulo)}${when(due)}`,
  },
  TaskUpdated: { subjects, words: (changes) => `Alterou a tarefa: ${changed(changes)}` },
  TaskMoved: said('Mudou a ordem da tarefa'),
  TaskCompleted: {
    subjects,
    words: ({ concluida_em }, zone) => `Concluiu a tarefa em ${dayAndTime(concluida_em, zone)}`,
  },
  TaskReopened: {
    subjects,
    words: ({ proxima }) =>
      proxima === 'mantida'
        ? 'Reabriu a tarefa: a repetição continua na próxima'
        : proxima === 'removida'
          ? 'Reabriu a tarefa: a próxima foi removida'
          : 'Reabriu a tarefa',
  },
  TaskDeleted: said('Excluiu a tarefa'),
  TaskRestored: said('Desfez a exclusão da tarefa'),
};

export const taskListHistory: HistoryWords<TaskListEvent> = {
  TaskListCreated: {
    subjects: listSubjects,
    words: ({ nome }) => withTitle('Criou a lista', nome),
  },
  TaskListChanged: {
    subjects: listSubjects,
    words: ({ nome, cor }) =>
      `Alterou a lista: ${[
        nome !== undefined && (nome === null ? 'nome' : `nome (${nome})`),
        cor !== undefined && `cor (${cor})`,
      ]
        .filter(Boolean)
        .join(', ')}`,
  },
  TaskListMoved: { subjects: listSubjects, words: () => 'Mudou a ordem das listas' },
  TaskListDeleted: {
    subjects: listSubjects,
    words: (data) =>
      data.ids.length === 0
        ? 'Excluiu a lista'
        : data.tarefas === 'excluidas'
          ? `Excluiu a lista e ${counted(data.ids.length)}`
          : data.para === null
            ? `Excluiu a lista e deixou ${counted(data.ids.length)} sem lista`
            : `Excluiu a lista e moveu ${counted(data.ids.length)} para outra lista`,
  },
  TaskListRestored: {
    subjects: listSubjects,
    words: ({ tarefas }) =>
      `Desfez a exclusão da lista${tarefas === 0 ? '' : ` e trouxe de volta ${counted(tarefas)}`}`,
  },
};

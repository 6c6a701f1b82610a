import { formatTime } from '../../lib/dates.js';
import { useTimeNow, useToday } from '../../lib/zone.js';
import { ColourDot } from '../../ui/choice-chip.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { isOverdue, type ShownTask } from './pending-task.js';
import classes from './tasks.module.css';
import { useDayWords } from './use-task-actions.js';

export const repetitions = {
  nao_se_repete: 'Não se repete',
  diariamente: 'Diariamente',
  semanalmente: 'Semanalmente',
  mensalmente: 'Mensalmente',
} as const;

/** "amanhã, 7:30"; null for a task without a date. */
export function useDueWords({ data_vencimento, hora }: Pick<ShownTask, 'data_vencimento' | 'hora'>) {
  const dayWords = useDayWords();
  if (data_vencimento === null) return null;
  return [dayWords(data_vencimento), hora !== null && formatTime(hora)].filter(Boolean).join(', ');
}

interface TaskFactsProps {
  task: ShownTask;
  /** Names the list; for pages that show several lists. */
  withList?: boolean;
  /** Names the day; for pages that show several days. */
  withDay?: boolean;
}

/** One line about a task: overdue, date, repetition, list. Null where none of these applies. */
export function TaskFacts({ task, withList = false, withDay = true }: TaskFactsProps) {
  const due = useDueWords(task);
  const overdue = isOverdue(task, useToday(), useTimeNow());
  const { repeticao, list_nome, list_cor, hora, pendente } = task;
  const when = withDay ? due : hora !== null && formatTime(hora);
  const repeats = repeticao !== 'nao_se_repete' && repetitions[repeticao].toLowerCase();
  if (!when && !repeats && !pendente && !overdue && !(withList && list_nome)) return null;
  return (
    <span className={classes.facts}>
      {overdue && <strong className={classes.overdue}>Vencida</strong>}
      {when && <span>{when}</span>}
      {repeats && <span>{repeats}</span>}
      {withList && list_nome && list_cor && (
        <span>
          <ColourDot colour={list_cor} /> {list_nome}
        </span>
      )}
      {pendente && <PendingMark />}
    </span>
  );
}

import { UnstyledButton } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import type { ShownTask } from './pending-task.js';
import classes from './tasks.module.css';
import { useTaskActions } from './use-task-actions.js';

/** The round checkbox of a task: completes or reopens it with one tap. */
export function TaskCheck({ task }: { task: ShownTask }) {
  const { complete, reopen, busy } = useTaskActions();
  const { concluida, titulo } = task;
  return (
    <UnstyledButton
      className={classes.check}
      role="checkbox"
      aria-checked={concluida}
      aria-label={`Concluída: ${titulo}`}
      disabled={busy}
      onClick={() => (concluida ? reopen(task) : complete(task))}
    >
      <span className={classes.box}>{concluida && <Icon name="check" size={16} />}</span>
    </UnstyledButton>
  );
}

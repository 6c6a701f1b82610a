import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { parseDate } from '../../lib/dates.js';
import { isLocal } from '../../lib/outbox.js';
import { usePending } from '../../lib/pending.js';
import { useTimeNow, useToday } from '../../lib/zone.js';
import { History } from '../../parts/history.js';
import { Facts } from '../../ui/facts.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { isOverdue, type ShownTask } from './pending-task.js';
import { EditTaskForm, NewTaskForm } from './task-form.js';
import { repetitions, useDueWords } from './task-facts.js';
import classes from './tasks.module.css';
import { useTask } from './tasks.queries.js';
import { useTaskActions } from './use-task-actions.js';

/** The sheets for a new task and for viewing or editing one, which the address opens over each view of the agenda. */
export function TaskSheets() {
  const [search, setSearch] = useSearchParams();
  const writes = usePending((pending) => pending.writes);
  const asked = search.get('tarefa');
  // A task created offline loses its temporary id when it is sent or discarded.
  const isGone = asked !== null && isLocal(asked) && !writes.some(({ subject }) => subject === asked);
  const taskId = isGone ? null : asked;
  const [editing, setEditing] = useState<string | null>(null);

  const close = () => {
    setEditing(null);
    setSearch(
      (current) => {
        for (const name of ['novo', 'em', 'tarefa']) current.delete(name);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  };

  return (
    <>
      <Sheet
        opened={search.get('novo') === 'tarefa'}
        onClose={close}
        title="Nova tarefa"
        beginsAtField="typed"
      >
        <NewTaskForm day={parseDate(search.get('em') ?? '')} listId={search.get('lista')} onDone={close} />
      </Sheet>
      <Sheet
        opened={taskId !== null}
        onClose={close}
        title={editing === taskId ? 'Editar tarefa' : 'Tarefa'}
        beginsAtField={editing === taskId && 'typed'}
      >
        {taskId !== null && (
          <OneTask
            id={taskId}
            isEdited={editing === taskId}
            onEdit={(is) => setEditing(is ? taskId : null)}
            onClose={close}
          />
        )}
      </Sheet>
    </>
  );
}

interface OneTaskProps {
  id: string;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
  onClose: () => void;
}

function OneTask({ id, isEdited, onEdit, onClose }: OneTaskProps) {
  // While a task is deleted and its sheet closes, the server is not asked for it.
  const [leavingId, setLeavingId] = useState<string | null>(null);
  return (
    <Async of={useTask(id, leavingId === id)} skeleton={<Skeletons count={3} height={64} />}>
      {(task) =>
        isEdited ? (
          <EditTaskForm task={task} onDone={() => onEdit(false)} />
        ) : (
          <TaskDetail
            task={task}
            onEdit={() => onEdit(true)}
            onLeaving={(is) => setLeavingId(is ? id : null)}
            onClose={onClose}
          />
        )
      }
    </Async>
  );
}

interface TaskDetailProps {
  task: ShownTask;
  onEdit: () => void;
  /** Whether the task is being deleted. */
  onLeaving: (is: boolean) => void;
  onClose: () => void;
}

function TaskDetail({ task, onEdit, onLeaving, onClose }: TaskDetailProps) {
  const { complete, reopen, remove, busy } = useTaskActions();
  const due = useDueWords(task);
  const overdue = isOverdue(task, useToday(), useTimeNow());

  const removeAndLeave = async () => {
    onLeaving(true);
    if (await remove(task)) onClose();
    else onLeaving(false);
  };

  return (
    <div className={classes.detail}>
      <div>
        <div className={classes.detailHead}>
          <p className={classes.name}>{task.titulo}</p>
          {task.concluida ? (
            <Tag tone="good" icon="check">
              Concluída
            </Tag>
          ) : (
            overdue && (
              <Tag tone="bad" icon="alert">
                Vencida
              </Tag>
            )
          )}
        </div>
        {task.pendente && <PendingMark />}
      </div>
      <Facts
        of={[
          ['Quando', due && (task.hora === null ? `${due}, dia inteiro` : due)],
          ['Repetir', task.repeticao === 'nao_se_repete' ? null : repetitions[task.repeticao]],
          ['Lista', task.list_nome],
          ['Descrição', task.descricao],
        ]}
      />
      <div className={classes.detailActions}>
        <SheetAction icon="edit" onClick={onEdit}>
          Editar
        </SheetAction>
        <SheetAction icon="trash" onClick={() => void removeAndLeave()}>
          Excluir
        </SheetAction>
      </div>
      {!isLocal(task.id) && (
        <Section title="Histórico">
          <History kind="task" id={task.id} />
        </Section>
      )}
      <SheetActions>
        {task.concluida ? (
          <Button
            variant="default"
            loading={busy}
            onClick={() => reopen(task)}
            leftSection={<Icon name="undo" size={18} />}
          >
            Reabrir tarefa
          </Button>
        ) : (
          <Button loading={busy} onClick={() => complete(task)} leftSection={<Icon name="check" />}>
            Concluir tarefa
          </Button>
        )}
      </SheetActions>
    </div>
  );
}

interface SheetActionProps {
  icon: IconName;
  onClick: () => void;
  children: string;
}

/** One of the quiet buttons below the facts in a sheet. */
const SheetAction = ({ icon, onClick, children }: SheetActionProps) => (
  <Button
    size="sm"
    variant="subtle"
    color="gray"
    onClick={onClick}
    leftSection={<Icon name={icon} size={18} />}
  >
    {children}
  </Button>
);

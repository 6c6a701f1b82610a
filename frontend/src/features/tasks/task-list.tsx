import { ActionIcon, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { useState, type ReactNode } from 'react';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { useToday } from '../../lib/zone.js';
import { Row } from '../../ui/row.js';
import { byDate, placeAt, placeOf, type ShownTask } from './pending-task.js';
import { TaskCheck } from './task-check.js';
import { TaskFacts } from './task-facts.js';
import classes from './tasks.module.css';
import { useOpenTasks } from './tasks.queries.js';
import { useReorder } from './use-reorder.js';
import { useTaskActions } from './use-task-actions.js';

interface TaskListProps {
  tasks: readonly ShownTask[];
  onOpen: (id: string) => void;
}

/** Open tasks of all lists under the days that they are due, soonest first. */
export function TasksByDate({ tasks, onOpen }: TaskListProps) {
  const today = useToday();
  return byDate(tasks, today).map(([title, due]) => (
    <section key={title} className={classes.due} aria-label={title}>
      <h3>{title}</h3>
      <Card flush>
        <ul className={classes.tasks} aria-label={`Tarefas: ${title}`}>
          {due.map((task) => (
            <li key={task.id} className={classes.task}>
              <TaskRow task={task} withList onOpen={onOpen} />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  ));
}

/** Open tasks of one list in their order, which is changed by dragging, by Alt with an arrow key, or by each task's menu. */
export function OpenTasks({ tasks, onOpen }: TaskListProps) {
  const actions = useTaskActions();
  // All lists share one order, so the undo needs the task's place among all tasks, not only in its list.
  const { data: all = tasks } = useOpenTasks();
  const [said, setSaid] = useState('');
  const ids = tasks.map(({ id }) => id);

  const put = async (id: string, index: number) => {
    const task = tasks.find((each) => each.id === id);
    const place = placeAt(tasks, id, index);
    if (!task || !place) return;
    setSaid(`${task.titulo}: posição ${index + 1} de ${tasks.length}`);
    await actions.put(task, place, placeOf(all, id));
  };
  const { order, heldId, handlers } = useReorder({ ids, onPut: (id, index) => void put(id, index) });
  const inOrder = order.flatMap((id) => tasks.find((task) => task.id === id) ?? []);

  return (
    <>
      <Card flush>
        <ul className={classes.tasks} aria-label="Tarefas em aberto" {...handlers}>
          {inOrder.map((task, index) => (
            <li
              key={task.id}
              data-item={task.id}
              data-held={task.id === heldId || undefined}
              className={classes.task}
            >
              <TaskRow task={task} onOpen={onOpen}>
                <Menu.Item
                  leftSection={<Icon name="up" size={18} />}
                  disabled={index === 0}
                  onClick={() => void put(task.id, index - 1)}
                >
                  Mover para cima
                </Menu.Item>
                <Menu.Item
                  leftSection={<Icon name="drop" size={18} />}
                  disabled={index === inOrder.length - 1}
                  onClick={() => void put(task.id, index + 1)}
                >
                  Mover para baixo
                </Menu.Item>
                <Menu.Item disabled={index === 0} onClick={() => void put(task.id, 0)}>
                  Mover para o início
                </Menu.Item>
              </TaskRow>
            </li>
          ))}
        </ul>
      </Card>
      <div role="status" className={classes.said}>
        {said}
      </div>
    </>
  );
}

/** Completed tasks, latest first. */
export function DoneTasks({ tasks, withList, onOpen }: TaskListProps & { withList: boolean }) {
  return (
    <Card flush>
      <ul className={classes.tasks} aria-label="Tarefas concluídas">
        {tasks.map((task) => (
          <li key={task.id} className={classes.task}>
            <TaskRow task={task} withList={withList} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface TaskRowProps extends Omit<TaskListProps, 'tasks'> {
  task: ShownTask;
  /** Names the task's list; for tasks of several lists. */
  withList?: boolean;
  /** Menu entries before those that every task has. */
  children?: ReactNode;
}

function TaskRow({ task, withList = false, onOpen, children }: TaskRowProps) {
  const { remove } = useTaskActions();
  return (
    <>
      <TaskCheck task={task} />
      <div className={classes.row}>
        <Row
          title={task.titulo}
          muted={task.concluida}
          facts={<TaskFacts task={task} withList={withList} />}
          onClick={() => onOpen(task.id)}
          actions={
            <Menu position="bottom-end" radius="md" shadow="md">
              <Menu.Target>
                <ActionIcon aria-label={`Mais ações de ${task.titulo}`}>
                  <Icon name="more" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {children}
                <Menu.Item leftSection={<Icon name="trash" size={18} />} onClick={() => void remove(task)}>
                  Excluir
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          }
        />
      </div>
    </>
  );
}

import { Link } from 'react-router-dom';
import { Button } from '@mantine/core';
import { Card } from '../../ui/card.js';
import { Row } from '../../ui/row.js';
import { Section } from '../../ui/page.js';
import { TaskCheck } from './task-check.js';
import { TaskFacts } from './task-facts.js';
import classes from './tasks.module.css';
import { useDueTasks } from './tasks.queries.js';

/** Tasks that are due today or overdue, with a checkbox each; renders nothing without tasks. */
export default function DueTasks() {
  const { data: tasks = [] } = useDueTasks();
  if (tasks.length === 0) return null;
  return (
    <Section
      title="Tarefas para hoje"
      action={
        <Button component={Link} to="/agenda?ver=tarefas" size="sm" variant="subtle">
          Ver todas
        </Button>
      }
    >
      <Card flush>
        <ul className={classes.tasks}>
          {tasks.map((task) => (
            <li key={task.id} className={classes.task}>
              <TaskCheck task={task} />
              <div className={classes.row}>
                <Row
                  title={task.titulo}
                  facts={<TaskFacts task={task} withList />}
                  to={`/agenda?${new URLSearchParams({ ver: 'tarefas', tarefa: task.id }).toString()}`}
                />
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

import { Link } from 'react-router-dom';
import { Button } from '@mantine/core';
import { wordFor } from '../../../../backend/platform/plural.api.js';
import { Card } from '../../ui/card.js';
import { ListChip } from '../../ui/chip.js';
import { Notice } from '../../ui/notice.js';
import { Row } from '../../ui/row.js';
import { TaskCheck } from './task-check.js';
import { TaskFacts } from './task-facts.js';
import classes from './tasks.module.css';
import { useDueTasks } from './tasks.queries.js';

/** Tasks that are due today or overdue, with a checkbox each. */
export default function DueTasks() {
  const { data: tasks = [] } = useDueTasks();
  return (
    <ListChip
      figure={tasks.length > 0 ? String(tasks.length) : null}
      word={wordFor(tasks.length, 'tarefa', 'tarefas')}
      title="Tarefas para hoje"
    >
      <Card flush>
        {tasks.length === 0 && <Notice icon="check" title="Nenhuma tarefa para hoje" />}
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
      <Button component={Link} to="/agenda?ver=tarefas" variant="subtle" fullWidth>
        Ver todas
      </Button>
    </ListChip>
  );
}

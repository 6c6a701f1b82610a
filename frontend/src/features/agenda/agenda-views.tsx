import { Link, useSearchParams } from 'react-router-dom';
import { Icon } from '../../ui/icon.js';
import classes from './agenda-views.module.css';

/** Switches between the two views of the agenda, by the address, without the parameters of the other view. */
export function AgendaViews() {
  const [search] = useSearchParams();
  const inTasks = search.get('ver') === 'tarefas';
  const calendar = new URLSearchParams(search);
  for (const name of ['ver', 'lista', 'novo', 'em', 'tarefa', 'passo']) calendar.delete(name);
  const tasks = new URLSearchParams(calendar);
  for (const name of ['sessao', 'as']) tasks.delete(name);
  tasks.set('ver', 'tarefas');
  const searching = new URLSearchParams(search);
  searching.set('buscar', 'agenda');
  return (
    <nav className={classes.views} aria-label="Agenda">
      <Link
        to={`?${calendar.toString()}`}
        className={classes.view}
        aria-current={inTasks ? undefined : 'page'}
      >
        <Icon name="calendar" size={18} /> Calendário
      </Link>
      <Link to={`?${tasks.toString()}`} className={classes.view} aria-current={inTasks ? 'page' : undefined}>
        <Icon name="check" size={18} /> Tarefas
      </Link>
      <Link to={`?${searching.toString()}`} className={`${classes.view} ${classes.search}`}>
        <Icon name="search" size={18} /> Buscar
      </Link>
    </nav>
  );
}

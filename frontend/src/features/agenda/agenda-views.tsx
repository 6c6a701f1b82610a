import { Link, useSearchParams } from 'react-router-dom';
import { Icon } from '../../ui/icon.js';
import classes from './agenda-page.module.css';

/** The addresses of the agenda's two views, without the parameters of the other one, and of the search in it. */
export function useViewAddresses() {
  const [search] = useSearchParams();
  const calendar = new URLSearchParams(search);
  for (const name of ['ver', 'lista', 'novo', 'em', 'tarefa', 'passo']) calendar.delete(name);
  const tasks = new URLSearchParams(calendar);
  for (const name of ['sessao', 'as']) tasks.delete(name);
  tasks.set('ver', 'tarefas');
  const searching = new URLSearchParams(search);
  searching.set('buscar', 'agenda');
  const [toCalendar, toTasks, toSearch] = [calendar, tasks, searching].map((each) => `?${each.toString()}`);
  return {
    calendar: toCalendar!,
    tasks: toTasks!,
    search: toSearch!,
    inTasks: search.get('ver') === 'tarefas',
  };
}

/** Switches between the two views of the agenda, by the address. */
export function AgendaViews() {
  const { calendar, tasks, search, inTasks } = useViewAddresses();
  return (
    <nav className={classes.viewTabs} aria-label="Agenda">
      <Link to={calendar} className={classes.view} aria-current={inTasks ? undefined : 'page'}>
        <Icon name="calendar" size={18} /> Calendário
      </Link>
      <Link to={tasks} className={classes.view} aria-current={inTasks ? 'page' : undefined}>
        <Icon name="check" size={18} /> Tarefas
      </Link>
      <Link to={search} className={`${classes.view} ${classes.search}`}>
        <Icon name="search" size={18} /> Buscar
      </Link>
    </nav>
  );
}

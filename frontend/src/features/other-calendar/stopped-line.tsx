import { Link } from 'react-router-dom';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { useOtherCalendar } from './other-calendar.queries.js';
import classes from './other-calendar.module.css';

/** In the agenda: the other calendar stopped answering, so what is new there blocks nothing here. */
export function StoppedLine() {
  const zone = useZone();
  const stopped = useOtherCalendar().data?.calendario?.parado_desde;
  if (!stopped) return null;
  return (
    <p className={classes.failed} role="status">
      Seu outro calendário não responde desde {formatMoment(stopped, zone)}: o que você marca lá não bloqueia
      horários aqui. <Link to="/ajustes/calendario">Ver calendário</Link>
    </p>
  );
}

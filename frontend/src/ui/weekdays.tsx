import classes from './weekdays.module.css';

const LETTERS = ['D', 'S', 'T', 'Q', 'Q', 'S', 'S'];
const NAMES = ['Domingo', 'Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado'];

interface WeekdaysProps {
  days: readonly number[];
  onChange: (days: readonly number[]) => void;
}

/** Chooses days of the week, at least one. */
export function Weekdays({ days, onChange }: WeekdaysProps) {
  const toggle = (weekday: number) => {
    const others = days.filter((one) => one !== weekday);
    if (others.length === days.length) onChange([...days, weekday].toSorted((one, two) => one - two));
    else if (others.length > 0) onChange(others);
  };
  return (
    <div className={classes.days} role="group" aria-label="Dias da semana">
      {NAMES.map((name, weekday) => (
        <button
          key={name}
          type="button"
          className={classes.day}
          aria-label={name}
          aria-pressed={days.includes(weekday)}
          onClick={() => toggle(weekday)}
        >
          {LETTERS[weekday]}
        </button>
      ))}
    </div>
  );
}

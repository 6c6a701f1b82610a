import { Fragment } from 'react';
import classes from './consequences.module.css';
import { Icon } from './icon.js';

interface ConsequencesProps {
  /** A sentence that says that the action cannot be undone. */
  warning: string;
  /** What happens, in a word, and to which data. */
  items: readonly (readonly [what: string, text: string])[];
}

/** The consequences of an action that cannot be undone, shown before it is confirmed. */
export function Consequences({ warning, items }: ConsequencesProps) {
  return (
    <>
      <p className={classes.warning}>
        <Icon name="alert" size={18} />
        <span>{warning}</span>
      </p>
      <dl className={classes.consequences}>
        {items.map(([what, text]) => (
          <Fragment key={text}>
            <dt>{what}</dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}

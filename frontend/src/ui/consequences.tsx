import { Fragment } from 'react';
import classes from './consequences.module.css';
import { Icon } from './icon.js';

interface ConsequencesProps {
  /** A sentence that says that it cannot be undone. */
  warning: string;
  /** What happens, in a word, and to what. */
  items: readonly (readonly [what: string, text: string])[];
}

/** What a step that cannot be undone does, shown before it is confirmed. */
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

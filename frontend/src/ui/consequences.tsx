import { Fragment } from 'react';
import classes from './consequences.module.css';
import { Icon } from './icon.js';

interface ConsequencesProps {
  /** That there is no way back, in a sentence. */
  warning: string;
  /** What happens, in a word, and to what. */
  items: readonly (readonly [what: string, text: string])[];
}

/** What a step does that nothing takes back, as it is said before it is confirmed. */
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

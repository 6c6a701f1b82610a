import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface FactsProps {
  /** Name and value; one without a value is left out. */
  of: readonly (readonly [name: string, value: ReactNode])[];
}

export function Facts({ of }: FactsProps) {
  const known = of.filter(
    ([, value]) => value !== null && value !== undefined && value !== false && value !== '',
  );
  if (known.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

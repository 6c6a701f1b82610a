import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import classes from './bars.module.css';

interface Bar {
  /** One letter under the bar. */
  letter: string;
  name: string;
  certain: number;
  /** The total: the part that exceeds the certain one is outlined. */
  expected: number;
}

interface BarsProps {
  title: string;
  bars: readonly Bar[];
  /** The bar whose values are shown until another one is touched. */
  chosen: number;
  /** Names of the two parts. */
  words: { certain: string; expected: string };
  format: (value: number) => string;
}

/** A small bar chart: shows a bar's values when it is touched, and has a table for screen readers. */
export function Bars({ title, bars, chosen, words, format }: BarsProps) {
  const [touched, setTouched] = useState<number | null>(null);
  const highest = Math.max(...bars.map(({ certain, expected }) => Math.max(certain, expected)), 1);
  const share = (value: number) => `${(Math.max(value, 0) / highest) * 100}%`;
  const current = touched ?? chosen;
  const shown = bars[current];

  return (
    <figure className={classes.figure}>
      <div aria-hidden>
        <div className={classes.caption}>
          {shown && (
            <>
              <strong>{shown.name}</strong>
              {words.certain} {format(shown.certain)}
              {shown.expected > 0 && ` · ${words.expected} ${format(shown.expected)}`}
            </>
          )}
        </div>
        <div className={classes.bars} onPointerLeave={() => setTouched(null)}>
          {bars.map(({ letter, name, certain, expected }, index) => (
            <div
              key={name}
              className={classes.bar}
              data-chosen={index === current || undefined}
              onPointerDown={() => setTouched(index)}
              onPointerEnter={() => setTouched(index)}
            >
              <div className={classes.column}>
                {expected > certain && (
                  <div className={classes.expected} style={{ height: share(expected - certain) }} />
                )}
                <div className={classes.certain} style={{ height: share(certain) }} />
              </div>
              {letter}
            </div>
          ))}
        </div>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Período</th>
              <th scope="col">{words.certain}</th>
              <th scope="col">{words.expected}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, certain, expected }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{format(certain)}</td>
                <td>{format(expected)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

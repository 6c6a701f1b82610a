import { VisuallyHidden } from '@mantine/core';
import { dayOf, formatDay, formatMoment } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import classes from './credits.module.css';
import { useBalanceSteps } from './statement.queries.js';
import { pathOf } from './steps.js';

const [WIDTH, HEIGHT] = [320, 56];

/** The balance over time as a step chart, with a table for screen readers; renders nothing with fewer than two lines. */
export function BalanceSteps({ studentId }: { studentId: string }) {
  const [zone, today] = [useZone(), useToday()];
  const { data, dataUpdatedAt } = useBalanceSteps(studentId);
  const lines = data?.extrato.items.toReversed() ?? [];
  const [first] = lines;
  if (!first || lines.length < 2) return null;
  const highest = Math.max(...lines.map(({ saldo }) => saldo));
  const steps = lines.map(({ em, saldo }) => ({ at: Date.parse(em), saldo }));
  return (
    <Card>
      <figure className={classes.steps}>
        <div aria-hidden>
          <div className={classes.stepsHead}>
            <span>Saldo ao longo do tempo</span>
            <span>máximo {highest}</span>
          </div>
          <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none">
            <path d={`M0 ${HEIGHT}H${WIDTH}`} className={classes.zero} />
            <path d={pathOf(steps, dataUpdatedAt, WIDTH, HEIGHT)} className={classes.line} />
          </svg>
          <div className={classes.stepsHead}>
            <span>{formatDay(dayOf(first.em, zone), today)}</span>
            <span>agora</span>
          </div>
        </div>
        <VisuallyHidden>
          <table>
            <caption>Saldo ao longo do tempo</caption>
            <thead>
              <tr>
                <th scope="col">Quando</th>
                <th scope="col">Saldo</th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ id, em, saldo }) => (
                <tr key={id}>
                  <td>{formatMoment(em, zone)}</td>
                  <td>{saldo}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </VisuallyHidden>
      </figure>
    </Card>
  );
}
